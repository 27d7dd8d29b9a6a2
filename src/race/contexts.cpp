// The detector's state: which context runs where, and the order of roots. A lock guards all but the context.
//
// Lemma (parallel roots): a root is parallel to those earlier roots of other threads that its thread doesn't know. Each
// thread keeps a clock: for each thread the last strand number that is known to come before. Creating and joining
// threads, locks outside of roots, and the handles of submitted roots pass clocks on, as in FastTrack (Flanagan and
// Freund 2009).
#include "race/contexts.hpp"

#include "race/found_races.hpp"
#include "race/heap.hpp"
#include "race/shadow.hpp"

#include "race/detector_time.hpp"
#include "sched/fiber.hpp"
#include "sched/frame_bytes.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

extern "C" char __libc_single_threaded;

namespace tine::detail {

thread_local constinit thread_check this_thread;
constinit base::atomic<bool> is_checking_stopped{false};

namespace {

using clock = std::vector<strand_number>;  // by the number of a thread

void merge(clock& into, const clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

/// An ended root, together with neighbours of the same thread.
struct ended_root {
  strand_number lo, hi;
  unsigned thread;
};

struct detector {
  std::mutex lock;  ///< guards all but the context
  std::condition_variable_any is_free;
  bool is_running = false;      ///< a root is checked, and the context is its own
  context* detached = nullptr;  ///< the context while its root waits without a thread
  context one;
  std::vector<ended_root> roots;
  std::unordered_map<std::uintptr_t, clock> tokens;
  unsigned threads = 0;
  std::uint64_t reads_before = 0, writes_before = 0;  ///< in the processes from which this one was forked
  strand_number strands_before = 0;
};

// Never destroyed: programs run roots until their very end.
detector& the_detector() {
  static detector& d = *new detector;
  return d;
}

bool is_open = false;

struct known_thread {
  unsigned number = ~0U;
  clock* known = nullptr;  // never freed: a thread that ends leaves its clock
  std::uintptr_t stack_begin = 0, stack_end = 0;
};
thread_local constinit known_thread me;

clock& own_clock() {
  if (me.known == nullptr) {
    const detector_time here;
    me.known = new clock;
    const std::lock_guard guard{the_detector().lock};
    me.number = the_detector().threads++;
  }
  return *me.known;
}

void find_thread_stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* where = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &where, &bytes);
  pthread_attr_destroy(&attributes);
  me.stack_begin = base::to_word(where);
  me.stack_end = me.stack_begin + bytes;
}

/// Forgets what was recorded on a stack.
void forget_frames(const native_stack& s) noexcept {
  if (s.low_water < s.end) shadow::forget(s.low_water, s.end - s.low_water);
}

/// Opens intervals for the roots of other threads that are parallel to a root of this one. Returns how many.
unsigned push_parallel_roots(detector& d) {
  const clock& known = own_clock();
  unsigned pushed = 0;
  for (const ended_root& r : d.roots) {
    if (r.thread == me.number || (r.thread < known.size() && known[r.thread] >= r.hi)) continue;
    const strand_number from = r.thread < known.size() ? std::max(r.lo, known[r.thread]) : r.lo;
    d.one.order.push(from, r.hi, other_roots);
    ++pushed;
  }
  return pushed;
}

/// The frame of a coroutine starts in memory that other frames had before.
void forget_frame(const void* where, std::int64_t bytes) noexcept {
  if (bytes > 0 && own_context() != nullptr) shadow::forget(base::to_word(where), static_cast<std::size_t>(bytes));
}

thread_local constinit unsigned parallel_roots = 0;
thread_local constinit strand_number root_began = 0;

// A forked process has its parent's memory. No thread that it doesn't have may hold the lock in there.
void lock_detector() noexcept {
  const detector_time here;
  the_detector().lock.lock();
  found_races::lock();
}
void unlock_detector() noexcept {
  const detector_time here;
  found_races::unlock();
  the_detector().lock.unlock();
}
void unlock_detector_of_forked_process() noexcept {
  shadow::begin_forked_process();
  std::construct_at(&the_detector().is_free);  // threads that the forked process doesn't have wait for the former one
  unlock_detector();
}

}  // namespace

void open_detector(bool determinism) noexcept {
  if (!is_open) {
    is_open = true;
    pthread_atfork(&lock_detector, &unlock_detector, &unlock_detector_of_forked_process);
    sched::frame_bytes_listener.store(
        &forget_frame, base::release);  // release pairs with the acquire in listener of the segmented stacks
    // otherwise std::shared_ptr counts without atomic operations, and that looks like races
    __libc_single_threaded = 0;
  }
  found_races::set_determinism(determinism);
}

bool is_detector_open() noexcept { return is_open; }

context* begin_checking() noexcept {
  const detector_time here;
  // relaxed: a hint; a root that starts at this moment is checked or not
  if (!is_open || is_checking_stopped.load(base::relaxed) || this_thread.own != nullptr) return nullptr;
  own_clock();
  detector& d = the_detector();
  std::unique_lock guard{d.lock};
  if (!d.is_free.wait_for(guard, std::chrono::seconds{60}, [&] { return !d.is_running; })) {
    guard.unlock();
    found_races::give_up(
        "a root waited for a minute for the end of another thread's root, and roots are checked one after the other");
    return nullptr;
  }
  d.is_running = true;
  context& c = d.one;
  parallel_roots = push_parallel_roots(d);
  c.held = 0;
  c.strand = root_began = c.order.next();
  this_thread.own = &c;
  c.stack = &stack_around(c, base::to_word(__builtin_frame_address(0)));
  continue_checking();
  return &c;
}

void end_checking(context& c) noexcept {
  const detector_time here;
  detector& d = the_detector();
  set_checked(nullptr);
  this_thread.own = nullptr;
  for (const native_stack& s : c.stacks) forget_frames(s);
  c.stacks.clear();
  c.stack = nullptr;
  c.open.clear();
  for (; parallel_roots != 0; --parallel_roots) c.order.pop();
  const strand_number end = c.order.last() + 1;
  clock& known = own_clock();
  if (known.size() <= me.number) known.resize(me.number + 1);
  known[me.number] = end;
  {
    const std::lock_guard guard{d.lock};
    if (!d.roots.empty() && d.roots.back().thread == me.number && d.roots.back().hi == root_began) {
      d.roots.back().hi = end;
    } else {
      d.roots.push_back({root_began, end, me.number});
    }
    d.is_running = false;
  }
  d.is_free.notify_one();
}

void detach_root() noexcept {
  if (this_thread.own == nullptr) return;
  const detector_time here;  // the locks below are the detector's own
  const std::lock_guard guard{the_detector().lock};
  the_detector().detached = std::exchange(this_thread.own, nullptr);
}

void attach_root() noexcept {
  const detector_time here;
  {
    const std::lock_guard guard{the_detector().lock};
    if (the_detector().detached == nullptr) return;
    this_thread.own = std::exchange(the_detector().detached, nullptr);
  }
  this_thread.own->stack = &stack_around(*this_thread.own, base::to_word(__builtin_frame_address(0)));
}

void pause_checking() noexcept {
  ++this_thread.pauses;
  set_checked(nullptr);
}

void resume_checking() noexcept {
  --this_thread.pauses;
  continue_checking();
}

void stop_checking() noexcept {
  is_checking_stopped.store(true, base::relaxed);  // relaxed: other threads may check a little longer
  set_checked(nullptr);
}

native_stack& stack_around(context& c, std::uintptr_t frame) noexcept {
  for (native_stack& s : c.stacks) {
    if (s.holds(frame)) return s;
  }
  native_stack s{0, ~std::uintptr_t{0}, nullptr, 0, 0};
  const sched::worker* const w = sched::hot::self();
  if (w != nullptr && w->running() != nullptr) {
    s.end = base::to_word(w->running()->records_begin());
    s.begin = s.end - w->pool.settings.stack_bytes;
    s.fiber = w->running();
  }
  if (!s.holds(frame) || s.begin == 0) {
    if (me.stack_end == 0) find_thread_stack();
    s = {me.stack_begin, me.stack_end, nullptr, 0, 0};
  }
  // As long as this strand has not forked, nothing on this stack can belong to another one.
  s.base = s.low_water = s.end;
  if (!c.stacks.push(s)) {
    found_races::give_up("no memory was left for the list of stacks");
    return c.stacks.back();
  }
  return c.stacks.back();
}

void forget_running_stack(context& c) noexcept {
  native_stack& s = stack_around(c, base::to_word(__builtin_frame_address(0)));
  forget_frames(s);
  s.base = s.low_water = s.end;
  c.stack = &s;
}

bool is_on_thread_stack(std::uintptr_t address) noexcept {
  if (me.stack_end == 0) find_thread_stack();
  return address - me.stack_begin < me.stack_end - me.stack_begin;
}

void add_totals(trace::race_totals& to) noexcept {
  const context& c = the_detector().one;
  to.reads = c.reads - the_detector().reads_before;
  to.writes = c.writes - the_detector().writes_before;
  to.strands = c.order.last() - the_detector().strands_before;
}

void forget_totals() noexcept {
  detector& d = the_detector();
  d.reads_before = d.one.reads;
  d.writes_before = d.one.writes;
  d.strands_before = d.one.order.last();
  // The other thread may have been in the middle of a change.
  if (d.is_running && this_thread.own == nullptr)
    found_races::give_up("the process was forked while a root ran on another thread");
}

void release_to(std::uintptr_t token) noexcept {
  if (!is_open || this_thread.own != nullptr) return;
  const detector_time here;
  const clock& known = own_clock();
  const std::lock_guard guard{the_detector().lock};
  merge(the_detector().tokens[token], known);
}

void acquire_from(std::uintptr_t token) noexcept {
  if (!is_open || this_thread.own != nullptr) return;
  const detector_time here;
  clock& known = own_clock();
  const std::lock_guard guard{the_detector().lock};
  const auto at = the_detector().tokens.find(token);
  if (at != the_detector().tokens.end()) merge(known, at->second);
}

}  // namespace tine::detail
