// Task reductions: the layout of the compiler's data, and the search for a copy. Each group's data are written before
// its tasks start, and only read meanwhile.
#include "reductions.hpp"

#include "fail.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tine::openmp {

using namespace reduction_data;

void register_reductions(std::uintptr_t* data, std::uintptr_t* outer, unsigned threads) {
  for (std::uintptr_t* d = data;; d = reinterpret_cast<std::uintptr_t*>(d[next])) {
    const std::size_t align = std::max<std::size_t>(d[copies], 64), all = d[bytes] * threads;
    void* const block = std::aligned_alloc(align, (all + align - 1) / align * align);
    if (block == nullptr && all != 0) fail("there is no memory for the %zu bytes of a task reduction.", all);
    std::memset(block, 0, all);
    // Tasks of one thread add to one copy, one after the other.
    if (tine_race_ignore_memory != nullptr) tine_race_ignore_memory(block, all);
    d[copies] = reinterpret_cast<std::uintptr_t>(block);
    d[end] = d[copies] + all;
    d[is_head] = d == data ? 1 : 0;
    if (d[next] != 0) continue;
    d[next] = reinterpret_cast<std::uintptr_t>(outer);
    return;
  }
}

void unregister_reductions(std::uintptr_t* data) noexcept {
  std::uintptr_t* d = data;
  do {
    std::free(reinterpret_cast<void*>(d[copies]));
    d = reinterpret_cast<std::uintptr_t*>(d[next]);
  } while (d != nullptr && d[is_head] == 0);
}

void start_shared_reductions(member& me, workshare& at, bool is_first, std::uintptr_t* data) {
  taskgroup& g = start_group(me);
  std::uintptr_t* const outer = g.reductions;
  g.reductions = data;
  if (is_first) return;  // `at.reductions` has been registered when the workshare was made
  const std::uintptr_t* from = at.reductions;
  for (std::uintptr_t* d = data;; d = reinterpret_cast<std::uintptr_t*>(d[next])) {
    d[copies] = from[copies];
    d[end] = from[end];
    d[is_head] = d == data ? 1 : 0;
    if (d[next] == 0) {
      d[next] = reinterpret_cast<std::uintptr_t>(outer);
      return;
    }
    from = reinterpret_cast<const std::uintptr_t*>(from[next]);
  }
}

void end_shared_reductions(member& me, bool is_cancelled) {
  if (me.group == nullptr) fail("GOMP_workshare_task_reduction_unregister: no such construct is open.");
  std::uintptr_t* const data = me.group->reductions;
  end_group(me);
  if (!is_cancelled) wait_at_barrier(me, false);
  // The copies are shared: the member with number 0 frees them, when no other one uses them any more.
  if (me.number == 0) unregister_reductions(data);
}

void find_copies(std::size_t count, std::size_t originals, void** addresses) {
  const task& me = current();
  std::uintptr_t* const all = me.group == nullptr ? nullptr : me.group->reductions;
  const auto fail_for = [](void* variable) {
    fail("no task_reduction, or reduction with the modifier task, is around an in_reduction of the variable at %p.",
         variable);
  };
  if (all == nullptr) fail_for(addresses[0]);
  const auto number = static_cast<std::uintptr_t>(me.number);
  for (std::size_t i = 0; i < count; ++i) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(addresses[i]);
    bool is_found = false;
    for (std::uintptr_t* d = all; d != nullptr && !is_found; d = reinterpret_cast<std::uintptr_t*>(d[next])) {
      const bool is_copy = wanted >= d[copies] && wanted < d[end];
      const std::uintptr_t place = is_copy ? (wanted - d[copies]) % d[bytes] : 0;
      for (std::size_t v = 0; v < d[variables] && !is_found; ++v) {
        const std::uintptr_t* const variable = d + list + 3 * v;
        if (is_copy ? variable[1] != place : variable[0] != wanted) continue;
        is_found = true;
        addresses[i] = reinterpret_cast<void*>(d[copies] + number * d[bytes] + variable[1]);
        if (i < originals) addresses[count + i] = reinterpret_cast<void*>(variable[0]);
      }
      if (is_copy && !is_found) {  // inside of a variable
        is_found = true;
        addresses[i] = reinterpret_cast<void*>(d[copies] + number * d[bytes] + place);
      }
    }
    if (!is_found) fail_for(addresses[i]);
  }
}

}  // namespace tine::openmp
