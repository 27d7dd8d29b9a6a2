// Finds the memory that holds values of strands, for a garbage collector. The collector has stopped all threads that
// work for pools, at any instruction, so this file relies on the order in which those threads write:
//
// - A context's `point` is at or below all of its values when the thread leaves it, and until the thread comes back:
//   `switch_context` stores a bound before the switch, and the exact value follows.
// - A fiber is in the list of guard pages only while it is mapped, and its point is null before it can be started.
// - A fiber's `open_records_end` is set before the fiber is left, and is reset when its strand has set the top again.
#include "base/interrupted.hpp"
#include "sched/left_context.hpp"
#include "sched/pool_state.hpp"
#include "sched/process_lock.hpp"

#include <tine/detail/base/object_at.hpp>

namespace tine::sched {

constinit thread_local thread_stacks stacks_of_thread;
constinit base::atomic<unsigned> collections_begun_and_ended{0};

namespace {

constinit base::atomic<void (*)() noexcept> thread_listener{nullptr};

}  // namespace

void announce_thread() noexcept {
  // pairs with the store in listen_to_threads, so that the listener sees what was done before it was set
  if (auto* const arrives = thread_listener.load(base::acquire)) arrives();
}

std::uintptr_t interrupted_stack_pointer(const void* context) noexcept {
  return base::interrupted::stack_pointer(context);
}

std::size_t stack_pointer_in_context() noexcept { return base::interrupted::stack_pointer_in_context; }

bool listen_to_threads(void (*arrives)() noexcept) {
  // hwloc loads plugins and unloads them again; afterwards a collector that scans the data of all libraries does not
  // meet one that goes
  static_cast<void>(topology::of_machine());
  const std::lock_guard guard{pools().lock};
  if (!pools().all.empty()) return false;
  thread_listener.store(arrives, base::release);  // pairs with the acquire in announce_thread
  return true;
}

const thread_stacks* stacks_of_this_thread() noexcept {
  stacks_of_thread.words = &hot::words();
  return &stacks_of_thread;
}

void hold_stacks() noexcept {
  process_lock.lock();
  // pairs with the loads in inquire, so that a thief that has seen a stopped thread sees that the count is odd or has
  // changed
  collections_begun_and_ended.fetch_add(1, base::release);
}

void release_stacks() noexcept {
  // pairs with the loads in inquire, so that a thief that still sees a stopped thread sees that the count has changed
  collections_begun_and_ended.fetch_add(1, base::release);
  process_lock.unlock();
}

namespace {

using entry = guard_pages::entry;

std::uint64_t rounds = 0;  // under the lock of the process, as `entry::visited`

class visitor {
 public:
  visitor(void (*visit)(void*, stack_range), void* data) noexcept : visit_{visit}, data_{data} {}

  void running(const stopped_thread& t) const {
    if (entry* const e = guard_pages::entry_at(t.stack_pointer)) {
      e->visited = rounds;
      const fiber& f = *e->of.load(base::relaxed);  // relaxed, here and below: the thread is stopped
      const address top = t.stacks->words->top.load(base::relaxed);
      // A fork writes its record before it moves the top, and a join reads the results behind the top. If the thread
      // has just come back to the fiber, the top is still that of another one.
      records(f, f.holds_record(top) ? top + max_record_bytes : f.open_records_end);
    }
    for (const left_context* c = t.stacks->newest; c != nullptr; c = c->outer) left(c->left.point, t.bottom);
  }

  void suspended(entry& e) const {
    if (e.begin.load(base::relaxed) == 0 || e.visited == rounds) return;
    const fiber& f = *e.of.load(base::relaxed);
    range(f.point, f.records_begin());
    records(f, f.open_records_end);
  }

 private:
  /// The context below the fibers of a pool: of the thread's own stack, or of a fiber of an outer pool.
  void left(const void* point, const void* bottom) const {
    entry* const e = point != nullptr ? guard_pages::entry_at(point) : nullptr;
    if (e == nullptr) return range(point, bottom);
    const fiber& f = *e->of.load(base::relaxed);
    range(point, f.records_begin());
    if (e->visited != rounds) records(f, f.open_records_end);
    e->visited = rounds;
  }
  void records(const fiber& f, const void* end) const {
    if (end == nullptr) return;
    const void* const most = f.records_end() + 2 * max_record_bytes;
    range(f.records_begin(), end < most ? end : most);
  }
  void range(const void* begin, const void* end) const {
    if (begin != nullptr && begin < end) visit_(data_, {begin, end});
  }

  void (*visit_)(void*, stack_range);
  void* data_;
};

}  // namespace

const void* fiber_bottom_at(const void* stack_pointer) noexcept {
  const fiber* const f = guard_pages::fiber_at(stack_pointer);
  return f != nullptr ? f->records_begin() : nullptr;
}

void visit_stack_ranges(const stopped_thread* threads, std::size_t count, void (*visit)(void*, stack_range),
                        void* data) {
  ++rounds;
  const visitor v{visit, data};
  for (std::size_t i = 0; i < count; ++i) v.running(threads[i]);
  // pairs with the store in free_entry, so that `next` is seen
  for (entry* e = guard_pages::all.load(base::acquire); e != nullptr; e = e->next) v.suspended(*e);
}

}  // namespace tine::sched
