// Pools: how they start and stop, and the calls that enter them, from any thread. A caller takes a worker slot, which
// makes it a worker like the others. Its thread works on a fiber until its root has finished, and then returns to the
// caller's stack.
#include "base/fp_environment.hpp"
#include "base/rough_rate.hpp"
#include "sched/bad_variable.hpp"
#include "sched/debugger.hpp"
#include "sched/pool_state.hpp"

#include "sched/external_wait.hpp"
#include "sched/fault_handlers.hpp"
#include "sched/interrupt.hpp"
#include "sched/signal_mask.hpp"
#include "sched/thief_policy.hpp"
#include "sched/trace_writer.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/per_worker.hpp>
#include <tine/sched/pool.hpp>

#include <pthread.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace tine::sched {
namespace {

std::string overflow_message(const char* what, const char* option, const char* variable, std::size_t bytes) {
  return "stack overflow: the " + std::to_string(bytes >> 10) + " KiB that a fiber has for " + what +
         " are used up. Either a recursion does not end, or it is deeper than that: give tine::options::" + option +
         " (or " + variable + ") a larger value.";
}

std::string refusal_message(std::size_t record_bytes) {
  return "stack overflow: the records of open forks are to grow, and may, up to " + std::to_string(record_bytes >> 10) +
         " KiB a fiber (tine::options::record_bytes), but the system gives no more address space. Either a recursion does not end, or raise ulimit -v.";
}

/// Says once in a process that the system gives no more threads.
void say_refused(const std::system_error& e, std::size_t started) noexcept {
  static constinit base::atomic<bool> said{false};
  if (said.exchange(true, base::relaxed)) return;  // relaxed: it guards nothing but the message
  char text[300];
  std::snprintf(
      text, sizeof text,
      "the system gives no more threads (%s): a pool works with %zu beside its callers. Raise ulimit -u or the container's limit of processes, or set TINE_NUM_THREADS.",
      e.code().message().c_str(), started);
  base::warn(text);
}

/// Keeps the hot words of a thread while the thread works for another pool, and restores them at the end.
class put_away {
 public:
  explicit put_away(hot_words& h) noexcept : words_{h}, in_scheduler_{h.in_scheduler} {
    h.in_scheduler = 2;  // as scheduler_time: the locks of the pool are not the program's
    base::signal_fence();
    if (h.self != nullptr) h.self->go_away(h);
    // relaxed, all of them: the thread's own words; no other thread holds a hazard on them now
    top_ = h.top.load(base::relaxed);
    bot_ = h.bot.load(base::relaxed);
    promotion_limit_ = h.promotion_limit.load(base::relaxed);
    self_ = h.self;
    std::copy_n(h.fiber_local, fiber_local_words, fiber_local_);
  }
  ~put_away() {
    std::copy_n(fiber_local_, fiber_local_words, words_.fiber_local);
    words_.top.store(top_, base::relaxed);
    words_.bot.store(bot_, base::relaxed);
    words_.promotion_limit.store(promotion_limit_, base::relaxed);
    words_.limit.store(nullptr, base::relaxed);
    words_.self = self_;
    if (self_ != nullptr) self_->come_back(words_);
    base::signal_fence();
    words_.in_scheduler = self_ != nullptr ? 0 : in_scheduler_;
  }
  put_away(const put_away&) = delete;
  put_away& operator=(const put_away&) = delete;
  worker* who() const noexcept { return self_; }

 private:
  hot_words& words_;
  const int in_scheduler_;  // of a thread outside of every pool
  address top_, bot_, promotion_limit_;
  worker* self_;
  std::uintptr_t fiber_local_[fiber_local_words];
};

class caller_slot {
 public:
  caller_slot(pool_state& p, worker* below) : pool_{p}, worker_{p.take_slot(below)} {}
  ~caller_slot() { pool_.give_back(worker_); }
  caller_slot(const caller_slot&) = delete;
  caller_slot& operator=(const caller_slot&) = delete;
  worker& get() noexcept { return worker_; }

 private:
  pool_state& pool_;
  worker& worker_;
};

/// Returns true if the thread that is `w` now has put away a worker of `p` below it, and so cannot leave `p` before it
/// leaves `w`.
bool stands_on(const worker& w, const pool_state& p) noexcept {
  for (const worker* b = w.below; b != nullptr; b = b->below) {
    if (&b->pool == &p) return true;
  }
  return false;
}

// fork(2) doesn't copy threads, so the child has lost all pools. process_lock.hpp explains the order of these handlers.
[[gnu::constructor(102)]] void register_list_handlers() noexcept {
  tine_debugger.pools = &pools();
  listen_to_end();
  pthread_atfork([] { pools().lock.lock(); }, [] { pools().lock.unlock(); },
                 [] {
                   for (pool_state* p : pools().all) p->is_lost.store(true, base::relaxed);  // relaxed: the only thread
                   pools().all.clear();
                   pools().alerts = 0;
                   pools().lock.unlock();
                 });
}

}  // namespace

// We never destroy the list, because threads of the default pool outlive main.
pool_list& pools() noexcept {
  static pool_list& list = *new pool_list;
  return list;
}

/// Returns the pool that the child of fork(2) has in place of this one.
pool_state& pool_state::successor() {
  static std::mutex lock;  // not a member: another thread of the parent may have held that one
  const std::lock_guard guard{lock};
  if (successor_ == nullptr) successor_ = make(settings);
  return *successor_;
}

pool_state* pool_state::make(const options& asked) {
  const base::default_fp_environment quiet;  // the places of workers are chosen by fractions
  return new pool_state{asked};
}

void pool_state::destroy(pool_state* p) noexcept {
  if (!p->lost()) {
    delete p;
  } else {
    // it stays: its threads are in the parent, so we cannot join them, and they may have left locks taken
    if (p->successor_ != nullptr) destroy(p->successor_);
  }
}

bool works_for(const pool_state& pool) noexcept {
  const worker* w = hot::self();
  return w != nullptr && (&w->pool == &pool || (pool.lost() && &w->pool == pool.successor_if_any()));
}

bool are_together(const worker& a, const worker& b) noexcept { return &a.pool == &b.pool; }

// The thread is the same at both ends of this function, whatever fibers it ran in between. So we may keep the address
// of its hot words.
void run_root(pool_state& asked, task& root, bool helps_all) {
  int error = errno;
  pool_state& pool = asked.here();
  ensure_signal_stack();
  const open_to_signals reachable{pool};
  // A stop of the calling strand stops the root, too. But the root is no part of a stretch that its caller skips: it is
  // a root of its own for the profiler.
  const scope* const around = current_scope();
  scope unskipped = around != nullptr ? scope{around, around->from, around->stopping} : scope{};
  unskipped.skipped = nullptr;
  root.inherit(around != nullptr ? &unskipped : nullptr);
  root.set_fp_words(base::fp_control());
  observer* const caller = observer::current();
  const site from = caller == nullptr ? place_of_root(nullptr) : 0;
  {
    const put_away elsewhere{hot::words()};
    caller_slot here{pool, elsewhere.who()};
    // We don't pin callers. But the first one should not start on the processor of a pinned worker: the system would
    // need some 30 ms to separate the two.
    if (pool.settings.pin == affinity::pinned && here.get().index == 0) move_this_thread(here.get().where);
    ::new (static_cast<void*>(&root.done)) completion{base::to_word(&here.get()) | waits_for_root};
    here.get().take_part({&root, caller, from, helps_all ? caller_policy::any_root : pool.settings.callers, &error});
  }
  base::raise_fp(fp_flags_of(root.done.flags()));
  if (caller != nullptr) caller->events->resume(*caller);
  errno = error;
}

pool_state::pool_state(const options& asked)
    : settings{resolved_or_exit(asked)},
      join_spin{base::to_rough_ticks(thief_policy::join_spin)},
      spin{base::to_rough_ticks(thief_policy::spin)},
      patience{base::to_rough_ticks(thief_policy::patience)},
      request_gap{base::to_rough_ticks(thief_policy::request_gap)},
      can_bar{base::enable_barrier_everywhere()},
      signals{settings.interrupt && !TINE_TSAN},
      crowded{settings.workers > topology::of_machine().processors()},
      shadow_overflow{
          overflow_message("the records of open forks", "record_bytes", "TINE_RECORD_BYTES", settings.record_bytes)},
      records_refused{refusal_message(settings.record_bytes)},
      stack_overflow{overflow_message("its native stack", "stack_bytes", "TINE_STACK_BYTES", settings.stack_bytes)},
      awake{new base::atomic<int>[topology::of_machine().nodes()]},
      fibers{settings.stack_bytes, settings.record_bytes, &worker::on_fiber},
      table_{new std::unique_ptr<worker>[slots()]} {
  for (unsigned i = 0; i < topology::of_machine().nodes(); ++i) awake[i].store(0, base::relaxed);
  install_fault_handlers();
  if (settings.interrupt) install_interrupt_handler(settings.signal);
  std::unique_lock begin{lock_};  // the threads wait for it
  try {
    start_threads();
    places_ = topology::of_machine().places(settings.workers);
    for (unsigned i = 0; i < settings.workers; ++i) add_member(i);
    // pinned submissions to one of these workers wait for it, though its thread may not have begun yet
    for (unsigned i = 1; i < settings.workers; ++i) table_[i]->box.open();
    free_slots_.push_back(table_[0].get());
  } catch (...) {
    stopping.store(true, base::relaxed);  // relaxed: the lock publishes it
    begin.unlock();
    for (std::thread& t : threads_) t.join();
    throw;
  }
}

/// Returns true if everything that runs in this pool belongs to roots that workers of `outer` have brought.
bool pool_state::is_entered_only_from(const pool_state& outer) const {
  const std::lock_guard guard{lock_};
  const auto from_outer = [&](const worker* w) { return stands_on(*w, outer); };
  return submitted_ == 0 && !taken_slots_.empty() && std::all_of(taken_slots_.begin(), taken_slots_.end(), from_outer);
}

// Lemma: a pool that is destroyed although this holds would wait for ever, so we give no false alarm. Reason: a worker
// of this pool that is put away keeps its slot, or is one of the threads to be joined, until its thread comes back to
// it. In the second case below that is this very thread, which would wait here. In the third case it is the thread that
// brought the root of this code, and which waits for this root. Once a branch is stolen, we don't know which of the
// roots it belongs to, so all of them must have come that way.
bool pool_state::is_entered_here() const {
  const worker* const w = hot::self();
  return w != nullptr && (works_for(*this) || stands_on(*w, *this) || w->pool.is_entered_only_from(*this));
}

pool_state::~pool_state() {
  if (is_entered_here()) {
    base::fatal("a pool is destroyed from inside itself: a function that runs in it must not end its life.");
  }
  std::unique_lock guard{lock_};
  slot_free_.wait(guard, [this] { return taken_slots_.empty() && (submitted_ == 0 || is_without_threads()); });
  guard.unlock();
  if (is_without_threads()) run_submitted_here();
  stop_threads();
}

/// Starts a thread for each worker but the first, under the lock. If the system gives fewer threads, the pool has fewer
/// workers.
void pool_state::start_threads() {
  for (unsigned i = 1; i < settings.workers; ++i) {
    if (start_thread(i)) continue;
    settings.workers = i;
    if (i == 1 && settings.callers == caller_policy::wait) settings.callers = caller_policy::own_root;
  }
}

void pool_state::name_this_thread(const worker& w) const noexcept {
  if (settings.thread_name[0] == '\0') return;
  char name[16];  // the system takes no more
  std::snprintf(name, sizeof name, "%.10s-%u", settings.thread_name, w.index);
  pthread_setname_np(pthread_self(), name);  // it can only fail for lack of memory, and the name is optional
}

/// Starts a thread for the worker with that number. It begins when the lock is released. Returns false if the system
/// refuses the thread.
bool pool_state::start_thread(unsigned number) {
  threads_.reserve(threads_.size() + 1);
  try {
    threads_.emplace_back([this, number] {
      if (std::lock_guard{lock_}; stopping.load(base::relaxed)) return;  // relaxed: published by the lock
      worker& w = member(number);
      const open_to_signals reachable{*this};
      name_this_thread(w);
      if (settings.pin == affinity::pinned) pin_this_thread(w.where);
      w.take_part({});
    });
    return true;
  } catch (const std::system_error& e) {
    say_refused(e, threads_.size());
    threads_refused.fetch_add(1, base::relaxed);  // relaxed: a count
    return false;
  }
}

/// Starts the resident: a thread for the worker that callers of run otherwise bring, because a submitted root has no
/// caller. It takes the slot that the next caller would have got. Without `options::thread_for_roots`, or if the system
/// refuses the thread, the pool's other threads run submitted roots. Where there are none, a refused thread is replaced
/// by the threads that wait for the roots (let_callers_help). Call it under the lock.
void pool_state::start_resident() {
  if (has_resident_) return;
  if (!settings.thread_for_roots && !threads_.empty()) {
    has_resident_ = true;
    add_rival(nullptr);
    return;
  }
  if (free_slots_.empty()) free_slots_.push_back(&add_member(members()));
  worker& w = *free_slots_.back();
  if (!start_thread(w.index)) {
    if (threads_.empty()) let_callers_help();
    return;
  }
  free_slots_.pop_back();
  w.box.open();
  has_resident_ = true;
  add_rival(nullptr);
}

/// From now on every caller takes work of all roots, because the pool has no thread for submitted ones.
void pool_state::let_callers_help() noexcept {
  is_without_threads_.store(true,
                            base::relaxed);  // relaxed, here and below: an estimate for workers that look for work
  for (unsigned i = 0; i < members(); ++i) member(i).take_all();
}

/// Runs the submitted roots of a pool without threads, when the pool ends.
void pool_state::run_submitted_here() {
  const auto wait = [this] {
    external_wait until_all_ended;
    {
      const std::lock_guard guard{lock_};
      if (submitted_ == 0) return;
      all_ended_ = &until_all_ended;
    }
    until_all_ended.wait();
  };
  root_task<decltype(wait)> root{wait};
  run_root(*this, root);
}

void pool_state::submit(submission& root, root_priority how) {
  {
    const std::lock_guard guard{lock_};
    start_resident();
    ++submitted_;
  }
  roots.put(root, how);
  wanted.force();
  wake_if_needed(member(0));
}

void pool_state::end_submitted() noexcept {
  const std::lock_guard guard{lock_};
  --submitted_;
  // under the lock: the pool may be gone as soon as the lock is released
  if (submitted_ != 0) return;
  slot_free_.notify_all();
  if (external_wait* const w = std::exchange(all_ended_, nullptr)) w->end();
}

void pool_state::stop_threads() noexcept {
  stopping.store(true, base::release);  // pairs with the acquire in work_is_over
  for (unsigned i = 0; i < members(); ++i) member(i).wake();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

worker& pool_state::add_member(unsigned i) {
  const base::default_fp_environment quiet;  // the caller's words and flags are the program's
  table_[i] = std::make_unique<worker>(*this, i, places_[i % places_.size()]);
  members_.store(i + 1, base::release);  // pairs with the acquire in members
  return *table_[i];
}

victim_table pool_state::victims_of(unsigned i) const {
  if (i >= settings.workers || settings.workers == 1) return {};
  const base::default_fp_environment quiet;  // as in add_member
  return victim_table{topology::of_machine().victim_weights(places_, i)};
}

worker& pool_state::take_slot(worker* below) {
  std::unique_lock guard{lock_};
  slot_free_.wait(guard, [this] { return taken_slots_.size() < settings.max_callers; });
  if (free_slots_.empty()) free_slots_.push_back(&add_member(members()));
  const auto lowest = std::min_element(free_slots_.begin(), free_slots_.end(),
                                       [](const worker* a, const worker* b) { return a->index < b->index; });
  worker& w = **lowest;
  taken_slots_.push_back(&w);
  free_slots_.erase(lowest);
  w.below = below;
  return w;
}

void pool_state::give_back(worker& w) noexcept {
  const std::lock_guard guard{lock_};
  free_slots_.push_back(&w);
  std::erase(taken_slots_, &w);
  // under the lock: the pool may be gone as soon as the lock is released
  slot_free_.notify_all();
}

}  // namespace tine::sched

namespace tine {

pool::pool(const options& o) : state_{sched::pool_state::make(o)} {}
pool::~pool() { sched::pool_state::destroy(state_); }
unsigned pool::workers() const noexcept { return state_->settings.workers; }

bool pool::is_entered_here() const { return state_->is_entered_here(); }

const options& pool::settings() const noexcept { return state_->settings; }
void pool::attach(sched::event_source& source) { state_->attach(source); }

unsigned pool::worker_slots() const noexcept { return state_->slots(); }

unsigned worker_ref::index() const noexcept { return worker_->index; }

unsigned worker_index() {
  const sched::worker* const self = sched::hot::self();
  if (self == nullptr) {
    throw std::logic_error{
        "tine::worker_index: the calling thread works for no pool, so it has no number; call it inside tine::run, or in what that forks"};
  }
  return self->index;
}

sched::pool_state& sched::pool_of_this_thread() {
  worker* const self = hot::self();
  return self != nullptr ? self->pool : *default_pool().state_;
}

unsigned sched::index_in(const pool_state& pool) {
  if (!works_for(pool)) {
    throw std::logic_error{
        "tine::per_worker: the calling thread is no worker of the pool that the variable was made for; make the variable inside pool::run, or use it outside"};
  }
  return hot::self()->index;
}

unsigned sched::slots_of(const pool_state& pool) noexcept { return pool.slots(); }

unsigned worker_slots() {
  const sched::worker* const self = sched::hot::self();
  return self != nullptr ? self->pool.slots() : default_pool().worker_slots();
}

unsigned worker_count() {
  const sched::worker* const self = sched::hot::self();
  return self != nullptr ? self->pool.settings.workers : default_pool().workers();
}

const options& pool_settings() { return sched::pool_of_this_thread().settings; }

counters pool::counters() const {
  sched::pool_state& here = state_->here();
  tine::counters sum;
  for (unsigned i = 0; i < here.members(); ++i) here.member(i).counts.add_to(sum);
  sum.fibers = here.fibers.mapped();
  sum.threads_refused = here.threads_refused.load(base::relaxed);  // relaxed: a count
  return sum;
}

}  // namespace tine
