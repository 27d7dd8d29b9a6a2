// libomp's entry points for tasks, taskgroups, and what waits for tasks, as clang calls them. A strand calls them for
// the task that it runs.
#include "compiled_task.hpp"
#include "dependences.hpp"
#include "fail.hpp"
#include "hot.hpp"
#include "task.hpp"
#include "task_block.hpp"
#include "task_record.hpp"

#include <array>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

namespace tine::openmp {

namespace {

/// Small blocks that the thread has freed. A thief frees the blocks of the tasks that it has taken, so a thread keeps a
/// limited number of them.
struct free_blocks {
  std::size_t count = 0;
  std::array<task_block*, 128> all;
};
constexpr std::size_t small_bytes = 128;

// No function that may change threads touches it: those that take and free blocks do nothing else.
[[gnu::tls_model("initial-exec")]] constinit thread_local free_blocks free_of_thread{};

struct at_thread_end {
  ~at_thread_end() {
    while (free_of_thread.count != 0) std::free(free_of_thread.all[--free_of_thread.count]);
    free_of_thread.count = free_of_thread.all.size();  // a block that is freed later goes back to the heap
  }
};

task_block* allocate_block(std::size_t bytes) {
  thread_local at_thread_end frees_blocks;
  static_cast<void>(frees_blocks);
  constexpr std::size_t align = alignof(task_block);
  const std::size_t all = std::max(bytes, small_bytes) + sizeof(task_block);
  void* const block = std::aligned_alloc(align, (all + align - 1) / align * align);
  if (block == nullptr) fail("there is no memory for a task of %zu bytes.", bytes);
  return static_cast<task_block*>(block);
}

[[gnu::always_inline]] inline compiled_task* start_block(task_block* b, u4 flags, std::size_t task_bytes,
                                                         std::size_t shared_bytes, task_routine routine) noexcept {
  b->task_bytes = static_cast<u4>(task_bytes);
  b->shared_bytes = static_cast<u4>(shared_bytes);
  b->flags = flags;
  b->state = task_block::idle;
  compiled_task* const t = b->task();
  t->shareds = shared_bytes == 0 ? nullptr : reinterpret_cast<std::byte*>(t) + task_bytes;
  t->routine = routine;
  t->part = 0;
  return t;
}

[[gnu::noinline, gnu::cold]] compiled_task* new_large_task(u4 flags, std::size_t task_bytes, std::size_t shared_bytes,
                                                           task_routine routine) {
  return start_block(allocate_block(task_bytes + shared_bytes), flags, task_bytes, shared_bytes, routine);
}

[[gnu::always_inline]] inline compiled_task* new_task(u4 flags, std::size_t task_bytes, std::size_t shared_bytes,
                                                      task_routine routine) {
  task_bytes = (task_bytes + 7) & ~std::size_t{7};
  const std::size_t count = free_of_thread.count;
  if (count == 0 || task_bytes + shared_bytes > small_bytes) [[unlikely]]
    return new_large_task(flags, task_bytes, shared_bytes, routine);
  free_of_thread.count = count - 1;
  return start_block(free_of_thread.all[count - 1], flags, task_bytes, shared_bytes, routine);
}

[[gnu::noinline]] void free_block(task_block* b) noexcept {
  const std::size_t count = free_of_thread.count;
  // The race detector takes a block that is given out again for the one before.
  if (b->task_bytes + b->shared_bytes > small_bytes || count == free_of_thread.all.size() ||
      tine_race_open_team != nullptr) [[unlikely]]
    return std::free(b);
  free_of_thread.all[count] = b;
  free_of_thread.count = count + 1;
}

/// An untied task returns at each of its scheduling points, after it has asked for its next part.
void run_untied(compiled_task* t) {
  task_block& b = task_block::of(t);
  b.state = task_block::running;
  do {
    b.runs_again = false;
    t->routine(0, t);
  } while (b.runs_again);
}

[[gnu::noinline]] void run_special(compiled_task* t) {
  if ((task_block::of(t).flags & compiled_tied) != 0) {
    t->routine(0, t);
  } else {
    run_untied(t);
  }
  end_compiled_task(t);
}

compiled_task* task_in(function call, void* data) noexcept {
  return static_cast<compiled_task**>(data)[call == &run_detached_task ? 1 : 0];
}

depend_kind kind_of(unsigned char kind) {
  switch (kind) {
    case 1:
      return depend_kind::in;
    case 2:
    case 3:
    case 0x80:
      return depend_kind::inout;
    case 4:
      return depend_kind::mutexinoutset;
    case 8:
      return depend_kind::inoutset;
    default:
      fail("a depend clause has the unknown kind %d.", kind);
  }
}

std::vector<depend_item> read(i4 count, const compiled_dependence* list) {
  std::vector<depend_item> items;
  items.reserve(static_cast<std::size_t>(count));
  for (i4 i = 0; i < count; ++i) {
    const bool is_all_memory = (list[i].kind & 0x80) != 0;
    items.push_back({is_all_memory ? nullptr : list[i].address, kind_of(list[i].kind)});
  }
  return items;
}

void wait_for(i4 count, const compiled_dependence* list) {
  const task& me = current();
  if (me.children != nullptr) me.children->wait_for(read(count, list));
}

bool is_cancelled(const task& t) noexcept {
  return t.group != nullptr && t.group->cancelled.load(std::memory_order_relaxed);  // relaxed: a hint
}

}  // namespace

compiled_task* new_compiled_task(u4 flags, std::size_t task_bytes, std::size_t shared_bytes, task_routine routine) {
  return new_task(flags, task_bytes, shared_bytes, routine);
}

void end_compiled_task(compiled_task* t) noexcept {
  task_block& b = task_block::of(t);
  if ((b.flags & compiled_destructors) != 0) t->data1.destructors(0, t);
  free_block(&b);
}

void run_compiled_task(void* data) {
  compiled_task* const t = *static_cast<compiled_task**>(data);
  if (task_block::of(t).flags != compiled_tied) [[unlikely]]
    return run_special(t);
  t->routine(0, t);
  free_block(&task_block::of(t));
}

void run_detached_task(void* data) { run_special(task_in(&run_detached_task, data)); }

void drop_task(function call, void* data) noexcept {
  if (call == &run_compiled_task || call == &run_detached_task) end_compiled_task(task_in(call, data));
}

void make_compiled_task(compiled_task* t, bool is_deferrable, const void* returns, i4 count,
                        const compiled_dependence* list) {
  task_block& b = task_block::of(t);
  if (b.state == task_block::running) {
    b.runs_again = true;
    return;
  }
  if (b.state == task_block::included) {  // its first part runs in compiled code, which knows nothing of the others
    t->routine(0, t);
    return;
  }
  task& me = current();
  const bool is_final = (b.flags & compiled_final) != 0, is_detachable = (b.flags & compiled_detachable) != 0;
  std::array<void*, 2> data{t, t};
  task_request q{};
  q.call = is_detachable ? &run_detached_task : &run_compiled_task;
  q.data = data.data();
  q.size = is_detachable ? sizeof data : sizeof t;
  q.align = alignof(void*);
  q.is_deferrable = is_deferrable;
  q.flags = (is_final ? flag_final : 0U) | (is_detachable ? flag_detach : 0U);
  q.returns = returns;
  if (is_detachable) q.event = &b.event->child;
  if (is_cancelled(me)) {
    if (is_detachable) b.event->is_dropped = true;
    return drop_task(q.call, q.data);
  }
  if ((is_detachable || count != 0) && make_dependent_task(me, q, me.is_final || is_final, read(count, list))) return;
  make_task(q);
}

}  // namespace tine::openmp

#pragma GCC visibility push(default)

using namespace tine::openmp;

extern "C" {

compiled_task* __kmpc_omp_task_alloc(const ident*, i4, u4 flags, std::size_t bytes, std::size_t shared_bytes,
                                     task_routine routine) {
  return new_task(flags, bytes, shared_bytes, routine);
}
compiled_task* __kmpc_omp_target_task_alloc(const ident*, i4, u4 flags, std::size_t bytes, std::size_t shared_bytes,
                                            task_routine routine, i8) {
  return new_task(flags, bytes, shared_bytes, routine);
}

i4 __kmpc_omp_task(const ident*, i4, compiled_task* t) {
  task* const me = current_or_null();
  if (me != nullptr && task_block::of(t).flags == compiled_tied && hot::load<tine_abi_top>() < me->defer_below)
      [[likely]]
    push_small_task(*me, &run_compiled_task, &t, sizeof t, place_of_return());
  else
    make_compiled_task(t, true, place_of_return());
  return 0;
}
i4 __kmpc_omp_task_parts(const ident*, i4, compiled_task* t) {
  make_compiled_task(t, true, place_of_return());
  return 0;
}
i4 __kmpc_omp_task_with_deps(const ident*, i4, compiled_task* t, i4 count, const compiled_dependence* list, i4,
                             const compiled_dependence*) {
  make_compiled_task(t, true, place_of_return(), count, list);
  return 0;
}

void __kmpc_omp_task_begin_if0(const ident*, i4, compiled_task* t) {
  task_block& b = task_block::of(t);
  task& me = current();
  const bool is_final = me.is_final || (b.flags & compiled_final) != 0;
  b.state = task_block::included;
  set_current(new (b.storage) task{me.team, &me, me.number, false, is_final, me.vars, me.group});
}
void __kmpc_omp_task_complete_if0(const ident*, i4, compiled_task* t) {
  task& me = current();
  if (me.has_loose_ends()) end_task(me);
  set_current(me.parent);
  end_compiled_task(t);
}

i4 __kmpc_omp_taskwait(const ident*, i4) {
  wait_for_tasks();
  return 0;
}
void __kmpc_omp_wait_deps(const ident*, i4, i4 count, const compiled_dependence* list, i4, const compiled_dependence*) {
  wait_for(count, list);
}
/// With nowait it is an empty task.
void __kmpc_omp_taskwait_deps_51(const ident*, i4, i4 count, const compiled_dependence* list, i4,
                                 const compiled_dependence*, i4 has_nowait) {
  if (has_nowait == 0) return wait_for(count, list);
  compiled_task* const t = new_task(compiled_tied, sizeof(compiled_task), 0, [](i4, compiled_task*) { return 0; });
  make_compiled_task(t, true, place_of_return(), count, list);
}
i4 __kmpc_omp_taskyield(const ident*, i4, i4) {
  yield_to_child();
  return 0;
}

void* __kmpc_task_allow_completion_event(const ident*, i4, compiled_task* t) {
  auto* const event = new early_event;
  task_block::of(t).event = event;
  return event->handle();
}
i4 __kmpc_omp_reg_task_with_affinity(const ident*, i4, compiled_task*, i4, const void*) { return 0; }

}  // extern "C"

#pragma GCC visibility pop
