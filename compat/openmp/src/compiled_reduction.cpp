// Reductions over tasks as clang describes them. The words that `reductions.cpp` reads stand in an object of ours.
#include "compiled_reduction.hpp"

#include "fail.hpp"
#include "task.hpp"
#include "team.hpp"
#include "workshare.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace tine::openmp {

namespace {

namespace words = reduction_data;

/// The reductions of one group. If members of a team share the copies, each has its own object; that of the member
/// which came first counts them, and lives until the last one has ended.
struct group_reductions {
  std::vector<compiled_reduction> variables;
  std::unique_ptr<std::uintptr_t[]> data;
  unsigned threads;
  group_reductions* first = nullptr;  ///< of members that share the copies
  std::atomic<unsigned> ended{0};

  group_reductions(i4 count, const compiled_reduction* list, unsigned of_threads)
      : variables{list, list + count},
        data{new std::uintptr_t[1 + words::list + 3 * variables.size()]()},
        threads{of_threads} {
    data[0] = reinterpret_cast<std::uintptr_t>(this);
    std::uintptr_t place = 0;
    constexpr std::uintptr_t align = 64;
    std::uintptr_t* w = begin() + words::list;
    for (const compiled_reduction& v : variables) {
      *w++ = reinterpret_cast<std::uintptr_t>(v.shared);
      *w++ = place;
      *w++ = 0;
      place += (v.bytes + align - 1) / align * align;
    }
    begin()[words::variables] = variables.size();
    begin()[words::bytes] = std::max(place, align);
    begin()[words::copies] = align;
  }

  /// The data, behind the address of this object.
  std::uintptr_t* begin() noexcept { return data.get() + 1; }
  static group_reductions& of(std::uintptr_t* at) noexcept { return *reinterpret_cast<group_reductions*>(at[-1]); }

  void* copy(unsigned thread, std::size_t variable) noexcept {
    const std::uintptr_t* const d = begin();
    return reinterpret_cast<void*>(d[words::copies] + thread * d[words::bytes] + d[words::list + 3 * variable + 1]);
  }

  void start(std::uintptr_t* outer) {
    register_reductions(begin(), outer, threads);
    for (unsigned t = 0; t < threads; ++t) {
      for (std::size_t i = 0; i < variables.size(); ++i) {
        const compiled_reduction& v = variables[i];
        if (v.start != nullptr) v.start(copy(t, i), v.original != nullptr ? v.original : v.shared);
      }
    }
  }

  void end() {
    for (unsigned t = 0; t < threads; ++t) {
      for (std::size_t i = 0; i < variables.size(); ++i) {
        const compiled_reduction& v = variables[i];
        v.combine(v.shared, copy(t, i));
        if (v.end != nullptr) v.end(copy(t, i));
      }
    }
    unregister_reductions(begin());
  }
};

/// Returns the reductions that a group has started itself, or null.
group_reductions* own_reductions(const taskgroup& g) noexcept {
  const std::uintptr_t* const outer = g.outer == nullptr ? nullptr : g.outer->reductions;
  return g.reductions == outer ? nullptr : &group_reductions::of(g.reductions);
}

}  // namespace

std::vector<compiled_reduction> with_originals(i4 count, const compiled_reduction_4* list) {
  std::vector<compiled_reduction> all;
  std::transform(list, list + count, std::back_inserter(all), [](const compiled_reduction_4& v) {
    return compiled_reduction{v.shared, v.shared, v.bytes, v.start, v.end, v.combine, v.flags};
  });
  return all;
}

taskgroup* reduce_in_group(i4 count, const compiled_reduction* list) {
  task& me = current();
  if (!is_in_own_group(me)) fail("task_reduction: this task has started no taskgroup.");
  auto* const r = new group_reductions{count, list, me.team->size};
  r->start(me.group->reductions);
  me.group->reductions = r->begin();
  return me.group;
}

taskgroup* reduce_in_team(i4 count, const compiled_reduction* list) {
  member& me = current_member("reduction(task, ...)");
  auto* const r = new group_reductions{count, list, me.team->size};
  bool is_first = false;
  workshare& w = enter_share(
      me,
      [&](workshare& fresh) {
        r->start(me.group == nullptr ? nullptr : me.group->reductions);
        fresh.reductions = r->begin();
      },
      &is_first);
  r->first = &group_reductions::of(w.reductions);
  start_shared_reductions(me, w, is_first, r->begin());
  return me.group;
}

void end_group_with_reductions(task& me) {
  if (!is_in_own_group(me)) fail("__kmpc_end_taskgroup: this task has started no taskgroup.");
  group_reductions* const r = own_reductions(*me.group);
  end_group(me);
  if (r == nullptr) return;
  if (r->first == nullptr) {
    r->end();
    delete r;
    return;
  }
  group_reductions* const first = r->first;
  // acq_rel pairs with itself in the other members: the last one combines what their tasks have written
  const bool is_last = first->ended.fetch_add(1, std::memory_order_acq_rel) + 1 == r->threads;
  if (is_last) r->end();
  if (r != first) delete r;
  if (is_last) delete first;
}

}  // namespace tine::openmp
