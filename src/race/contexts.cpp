// The detector's state: which context runs where, and the order of roots. A lock guards all but the context.
//
// Lemma (parallel roots): a root is parallel to those earlier roots of other threads that its thread doesn't know. Each
// thread keeps a clock: for each thread the last strand number that is known to come before. Creating and joining
// threads passes clocks on, as in FastTrack (Flanagan and Freund 2009). A group with tasks that outlive their root has
// a clock entry of its own, as a thread has, and a wait for the group passes it on.
#include "race/contexts.hpp"

#include "race/found_races.hpp"
#include "race/heap.hpp"
#include "race/open_construct_at.hpp"
#include "race/patience.hpp"
#include "race/shadow.hpp"
#include "race/slots.hpp"

#include "augment/attached_check.hpp"
#include "race/detector_time.hpp"
#include "sched/fiber.hpp"
#include "sched/frame_bytes.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/// An ended root, together with neighbours of the same thread; or tasks of a group that outlive their root.
struct ended_root {
  strand_number lo, hi;
  unsigned thread;       ///< the number of the thread or of the group in clocks
  interval_owner owner;  ///< `other_roots`, or the group
};

struct known_thread;

struct detector {
  std::mutex lock;  ///< guards all but the context
  std::condition_variable_any is_free;
  bool is_running = false;      ///< a root is checked, and the context is its own
  context* detached = nullptr;  ///< the context while its root waits without a thread
  context one;
  known_thread* owner = nullptr;  ///< the thread on which the root began
  int thread = 0;                 ///< the one on which it runs
  std::vector<ended_root> roots;
  std::unordered_map<interval_owner, unsigned> groups;  ///< the numbers in clocks of groups that have one
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
constinit base::atomic<bool> is_for_process{false};

struct known_thread {
  bool is_root = false;  ///< the entry is that of a submitted root, and lives until its end
  unsigned number = ~0U;
  clock* known = nullptr;  // never freed: a thread that ends leaves its clock
  std::uintptr_t stack_begin = 0, stack_end = 0;
  // of code outside of all pools whose check is paused
  std::uintptr_t base = 0, low_water = 0;
  lockset held = 0;
  std::vector<interval_owner>* groups = nullptr;  ///< to which that code has added tasks; never freed
};
thread_local constinit known_thread me;
/// The entry of the submitted root that starts next on this thread. Such roots may run one after the other on one
/// worker, and are parallel all the same, so each has an entry of its own in clocks.
thread_local constinit known_thread* next_root = nullptr;

/// Tokens of the order between threads and submitted roots: see also threads.cpp.
std::uintptr_t token_of_submit(std::uintptr_t root) noexcept { return root | 5; }
std::uintptr_t token_of_end(std::uintptr_t root) noexcept { return root | 7; }

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

/// Opens intervals for the roots of other threads, and for tasks of groups, that are parallel to a root of this one.
void open_parallel_roots(detector& d) {
  const clock& known = *d.owner->known;
  std::vector<order::interval> all;
  for (const ended_root& r : d.roots) {
    if (r.thread == d.owner->number || (r.thread < known.size() && known[r.thread] >= r.hi)) continue;
    all.push_back({r.thread < known.size() ? std::max(r.lo, known[r.thread]) : r.lo, r.hi, r.owner});
  }
  // A root contains the tasks that outlive it.
  std::ranges::sort(all, [](const auto& a, const auto& b) { return a.lo != b.lo ? a.lo < b.lo : a.hi > b.hi; });
  strand_number end = 0;
  for (const order::interval& i : all) {
    if (i.hi <= end) continue;
    d.one.order.insert(std::max(i.lo, end), i.hi, i.owner);
    end = i.hi;
  }
}

/// Returns the number of a group in clocks. Call it under the lock.
unsigned clock_number(detector& d, interval_owner group) {
  const auto [at, is_new] = d.groups.try_emplace(group, d.threads);
  d.threads += is_new;
  return at->second;
}

int number_of_thread() noexcept {
  if (this_thread.thread == 0) this_thread.thread = static_cast<int>(syscall(SYS_gettid));
  return this_thread.thread;
}

void know(clock& known, unsigned number, strand_number end) {
  if (known.size() <= number) known.resize(number + 1);
  known[number] = end;
}

bool is_in_outside_code() noexcept {
  const context* const c = this_thread.own;
  return c != nullptr && c->is_outside && c->open.empty() && sched::hot::self() == nullptr;
}

/// The frame of a coroutine starts in memory that other frames had before.
void forget_frame(const void* where, std::int64_t bytes) noexcept {
  if (bytes > 0 && own_context() != nullptr) shadow::forget(base::to_word(where), static_cast<std::size_t>(bytes));
}

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

void open_for_process(bool determinism) noexcept {
  is_for_process.store(true, base::relaxed);  // relaxed: a root that starts at this moment is checked or not
  open_detector(determinism);
}

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

bool is_process_checked() noexcept {
  // relaxed: a hint, as in begin_checking
  if (!is_for_process.load(base::relaxed)) profile_forked_process();  // creates the profiler, which opens the detector
  return is_for_process.load(base::relaxed);
}

context* begin_checking() noexcept {
  const detector_time here;
  // relaxed: a hint; a root that starts at this moment is checked or not
  if (!is_open || is_checking_stopped.load(base::relaxed)) return nullptr;
  if (context* const c = this_thread.own) {
    if (c->is_outside) forget_running_stack(*c);  // the root is a part of that code
    return nullptr;
  }
  own_clock();
  end_endless_waits();
  detector& d = the_detector();
  std::unique_lock guard{d.lock};
  if (!d.is_free.wait_for(guard, std::chrono::seconds{patience()}, [&] { return !d.is_running; })) {
    guard.unlock();
    found_races::give_up(
        "a root waited too long for the end of another thread's root, and roots are checked one after the other");
    return nullptr;
  }
  d.is_running = true;
  d.owner = next_root != nullptr ? std::exchange(next_root, nullptr) : &me;
  d.thread = number_of_thread();
  context& c = d.one;
  open_parallel_roots(d);
  c.held = 0;
  c.strand = c.began = c.order.next();
  c.entry = c.history.position();
  this_thread.own = &c;
  c.unlocked_of_thread = &unlocked_context;
  c.stack = &stack_around(c, base::to_word(__builtin_frame_address(0)));
  continue_checking();
  return &c;
}

void end_checking(context& c) noexcept {
  const detector_time here;
  detector& d = the_detector();
  set_checked(nullptr);
  this_thread.own = nullptr;
  for (const native_stack& s : c.stacks) {
    if (!c.is_outside || s.fiber != nullptr || !is_on_thread_stack(s.end - 1)) forget_frames(s);
  }
  c.stacks.clear();
  c.stack = nullptr;
  c.open.clear();
  c.steady_loop = nullptr;
  c.waited.clear();
  c.acquired.clear();
  c.acquired_by_tasks.clear();
  c.stretches.clear();
  c.paused.clear();
  c.has_paused = c.has_had_pauses = false;
  const strand_number end = c.order.last() + 1;
  clock& own = own_clock();
  {
    const std::lock_guard guard{d.lock};
    const known_thread& owner = *d.owner;
    know(*owner.known, owner.number, end);
    if (!owner.is_root) know(own, owner.number, end);  // the root has ended on another thread, perhaps
    std::size_t outliving = 0;
    for (const order::interval& i : c.order.all()) {
      if (!is_group(i.owner) || i.lo < c.began) continue;
      d.roots.push_back({i.lo, i.hi, clock_number(d, i.owner), i.owner});
      ++outliving;
    }
    if (outliving == 0 && !d.roots.empty() && d.roots.back().thread == owner.number && d.roots.back().hi == c.began) {
      d.roots.back().hi = end;
    } else {
      d.roots.push_back({c.began, end, owner.number, other_roots});
    }
    if (owner.is_root) {
      delete owner.known;
      delete d.owner;
    }
    c.order.clear();
    c.is_outside = false;
    d.is_running = false;
  }
  d.is_free.notify_one();
}

context* begin_outside(const void* frame) noexcept {
  if (context* const c = own_context()) return c;
  if (sched::hot::self() != nullptr || !is_process_checked()) return nullptr;
  context* const c = begin_checking();
  if (c == nullptr) return nullptr;
  c->is_outside = true;
  set_base(*c, frames_below(frame));
  return c;
}

namespace {

void end_outside(context& c) noexcept {
  const detector_time here;
  const std::uintptr_t low_water = c.stack->low_water;
  end_checking(c);
  if (low_water < me.stack_end) shadow::forget(low_water, me.stack_end - low_water);
}

}  // namespace

void note_outside_group(interval_owner group) noexcept {
  if (!is_in_outside_code()) return;
  const detector_time here;
  if (me.groups == nullptr) me.groups = new std::vector<interval_owner>;
  if (std::ranges::find(*me.groups, group) == me.groups->end()) me.groups->push_back(group);
}

void end_outside_if_done(context& c) noexcept {
  if (!is_in_outside_code()) return;
  const detector_time here;
  if (me.groups != nullptr) std::erase_if(*me.groups, [&](interval_owner g) { return !c.order.has(g); });
  if (me.groups == nullptr || me.groups->empty()) end_outside(c);
}

void end_outside_of_thread() noexcept {
  if (is_in_outside_code()) end_outside(*this_thread.own);
}

void leave_inner_root() noexcept {
  context* const c = own_context();
  if (c == nullptr || !c->is_outside) return;
  if (the_detector().owner != &me)
    return found_races::give_up(
        "a root that a thread started between the run and the wait of a task group ended on another thread");
  c->stack = &stack_around(*c, me.stack_end - 1);
}

outside_pause::outside_pause() noexcept : is_paused_{is_in_outside_code() && this_thread.own->postponed.empty()} {
  if (!is_paused_) return;
  const detector_time here;
  context& c = *this_thread.own;
  me.base = c.stack->base;
  me.low_water = c.stack->low_water;
  me.held = c.held;
  end_checking(c);
}

outside_pause::~outside_pause() {
  if (!is_paused_) return;
  const detector_time here;
  context* const c = begin_checking();
  if (c == nullptr) return;
  c->is_outside = true;
  c->stack->base = me.base;
  c->stack->low_water = me.low_water;
  c->held = me.held;
  end_outside_if_done(*c);
}

void know_group(interval_owner group) noexcept {
  const detector_time here;
  detector& d = the_detector();
  clock& known = own_clock();
  const std::lock_guard guard{d.lock};
  // The tasks of a strand that still runs have no entry, unless this is another thread than theirs.
  const auto at = d.groups.find(group);
  if (at == d.groups.end() && this_thread.own != nullptr) return;
  know(known, clock_number(d, group), d.one.order.last() + 1);
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
    the_detector().thread = number_of_thread();
  }
  this_thread.own->stack = &stack_around(*this_thread.own, base::to_word(__builtin_frame_address(0)));
  this_thread.own->unlocked_of_thread = &unlocked_context;
  forget_slots(*this_thread.own);
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

/// Reads what other threads change meanwhile.
template <class T>
T seen(const T& at) noexcept {
  return const_cast<const volatile T&>(at);
}

check_progress progress_of_check() noexcept {
  const detector& d = the_detector();
  const context& c = d.one;
  const std::uint64_t repeated = seen(c.repeated);
  // Members of a team that only look get a new strand with each turn, and read the same again.
  const bool is_in_vain = seen(c.looks.count) >= looks_in_vain::enough && seen(c.looks.writes) == seen(c.writes);
  return {.is_running = seen(d.is_running) && seen(d.detached) == nullptr,
          .thread = is_in_vain ? 0 : seen(d.thread),
          .strands = is_in_vain ? 0 : c.order.last(),
          .accesses = seen(c.writes) + (is_in_vain ? 0 : seen(c.reads) - repeated),
          .repeated = repeated,
          .place = seen(c.repeated_at),
          .read_at = seen(c.followed.place)};
}

/// The checked thread takes the slow path of each access when it finds no unlocked context. It writes that word itself,
/// too; then we try again later.
void follow_reads() noexcept {
  context& c = the_detector().one;
  const_cast<volatile bool&>(c.followed.is_on) = true;
  // relaxed: the thread only has to see it some time
  if (c.unlocked_of_thread != nullptr)
    base::object_at<base::atomic<context*>>(c.unlocked_of_thread)->store(nullptr, base::relaxed);
}

void forget_totals() noexcept {
  detector& d = the_detector();
  this_thread.thread = 0;
  d.reads_before = d.one.reads;
  d.writes_before = d.one.writes;
  d.strands_before = d.one.order.last();
  // The other thread may have been in the middle of a change.
  if (d.is_running && this_thread.own == nullptr)
    found_races::give_up("the process was forked while a root ran on another thread");
}

void submit_root(std::uintptr_t root) noexcept {
  if (!is_process_checked()) return;
  {
    const detector_time here;
    const std::lock_guard guard{the_detector().lock};
    the_detector().tokens.erase(token_of_submit(root));  // of an earlier root at this address
  }
  release_to(token_of_submit(root));
}

void begin_submitted_root(std::uintptr_t root) noexcept {
  if (!is_process_checked() || next_root != nullptr) return;
  const detector_time here;
  next_root = new known_thread;
  next_root->is_root = true;
  const std::lock_guard guard{the_detector().lock};
  next_root->known = new clock(the_detector().tokens[token_of_submit(root)]);
  next_root->number = the_detector().threads++;
}

void end_submitted_root(std::uintptr_t root) noexcept {
  const context* const c = own_context();
  if (c == nullptr || !the_detector().owner->is_root) return;
  const detector_time here;
  const std::lock_guard guard{the_detector().lock};
  const known_thread& owner = *the_detector().owner;
  clock& known = the_detector().tokens[token_of_end(root)] = *owner.known;
  know(known, owner.number, c->order.last() + 1);
}

void know_submitted_root(std::uintptr_t root) noexcept {
  const outside_pause here;
  acquire_from(token_of_end(root));
}

void release_to(std::uintptr_t token) noexcept {
  if (!is_open || (this_thread.own != nullptr && !is_in_outside_code())) return;
  const detector_time here;
  clock& known = own_clock();
  if (context* const c = this_thread.own) {  // what the thread does from here on is not known yet
    know(known, me.number, c->order.last() + 1);
    c->strand = next_strand(*c);
  }
  const std::lock_guard guard{the_detector().lock};
  merge(the_detector().tokens[token], known);
}

void acquire_from(std::uintptr_t token) noexcept {
  if (!is_open || this_thread.own != nullptr) return;
  const detector_time here;
  clock& known = own_clock();
  const std::lock_guard guard{the_detector().lock};
  const auto at = the_detector().tokens.find(token);
  if (at == the_detector().tokens.end()) return;
  merge(known, at->second);
}

}  // namespace tine::detail
