// The loop in which a worker runs tasks, and the switches between its fibers. Except for `wake`, everything here runs
// on the worker's own thread. After a call that may switch fibers, `this` may be another thread's worker: call
// hot::self() again.
#include "sched/worker.hpp"

#include "base/backoff.hpp"
#include "base/fp_environment.hpp"
#include "base/futex.hpp"
#include "base/rough_rate.hpp"
#include "base/thread_errno.hpp"
#include "base/thread_id.hpp"
#include "sched/fault_handlers.hpp"
#include "sched/join_counter.hpp"
#include "sched/left_context.hpp"
#include "sched/pool_state.hpp"
#include "sched/skipped_stretch.hpp"
#include "sched/thief.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/heap_task.hpp>
#include <tine/detail/sched/scope.hpp>

#include <utility>

namespace tine::sched {
namespace {

constexpr std::size_t spare_fibers = 4;

completion::word word_of(context& fiber_context) noexcept { return base::to_word(&fiber_context); }

}  // namespace

worker::worker(pool_state& p, unsigned i, processor w)
    : pool{p},
      index{i},
      where{w},
      bucket_{p.settings.promote, base::rough_rate()},
      hunt_{{}, base::splitmix64{p.settings.seed * base::splitmix64::step + i + 1}, {}} {
  fibers_.reserve(spare_fibers);
}

worker::~worker() {
  if (events_ != nullptr) registered_event_rings->close(*events_);
}

void worker::take_part(const root_call& call) noexcept {
  announce_thread();
  hot_words& h = hot::words();
  h.self = this;
  h.in_scheduler = 1;
  // relaxed: a holder of a hazard that loads them has seen `busy`, which we store later
  words.store(&h, base::relaxed);
  thread.store(base::thread_id(), base::relaxed);
  signals.note();
  ensure_signal_stack();
  // Each worker's table takes a time that grows with the number of workers, so they draw them up side by side.
  if (hunt_.victims.empty()) hunt_.victims = pool.victims_of(index);
  if (events_ == nullptr && registered_event_rings != nullptr) events_ = registered_event_rings->open(*this);
  begin_call(call);
  arrive();
  {
    const left_context left{native_};
    leave_for(spare_fiber(), departure::then::stay);
  }
  tell_of_end();
  depart();
  end_call();
  beat_.stop();
  wait_for_hazards();
}

bool worker::work_is_over() const noexcept {
  // pairs with the release in stop_threads
  return call_.root != nullptr ? call_.root->done.is_finished() : pool.stopping.load(base::acquire);
}

task* worker::next_task() noexcept {
  if (call_.root != nullptr && !call_.has_begun) {
    call_.has_begun = true;
    return numbered(call_.root, takes_only_.load(base::relaxed));  // relaxed: own word
  }
  if (task* const t = work_is_over() ? nullptr : thief{*this}.find()) return t;
  return next_return();
}

/// Keeps a caller whose root has finished until the fibers that have to return to its thread are back. Returns work for
/// it meanwhile, or null when it may leave. It runs only work of its own inbox and deque. So it is not a thief, and
/// doesn't sleep as one: workers that count the thieves that are awake must not rely on it.
task* worker::next_return() noexcept {
  // relaxed: a count, see note_back
  while (fibers_away_.load(base::relaxed) != 0) {
    pool.wanted.raise();
    if (task* t = thief{*this}.own_work()) return t;
    pool.wanted.lower();
    if (!look_when_idle()) base::futex_wait(timed_park_word_, 0, 50);
  }
  return nullptr;
}

/// The loop of each fiber. A fiber that waits to be resumed comes before new work. When the worker's work is over, the
/// fiber returns to the thread's own stack. We load the worker in each turn, because a fiber that was left here may
/// wake on another thread.
void worker::loop() noexcept {
  for (;;) {
    worker& w = *hot::self();
    if (context* waiter = std::exchange(w.successor_, nullptr)) {
      w.resume_fiber(*waiter);
    } else if (task* const next = w.next_task()) {
      w.serves.store(root_of(next), base::relaxed);  // relaxed: others read it as an estimate
      task* const t = unnumbered(next);
      w.note(event_kind::takes, base::to_word(t));
      is_continuation(t) ? w.run_continuation(base::to_word(t) - continuation_bit) : w.run(*t);
    } else {
      w.leave_for(w.native_, departure::then::release);
    }
  }
}

/// Runs a task on this fiber, inside the scopes of its fork. The strand may end on another worker than this one, so the
/// end of the task belongs to hot::self().
void worker::run(task& t) noexcept {
  const base::ticks began = base::now();
  bucket_.receive(t.tokens);
  position* const counted = t.counted_fork();
  const scope inside{t.innermost_scope(), nullptr, &t.stopping, counted != nullptr ? counted->in : nullptr};
  hot::set_fiber_local<scope_word>(base::to_word(&inside));
  running_->begin_work(&t, &inside, inside.skipped);
  begin_run(hot::words(), running_->records_begin());
  int* const root_error = &t == call_.root ? call_.error : nullptr;
  base::enter_fp(t.fp_words, 0);
  base::set_thread_errno(root_error != nullptr ? *root_error : 0);
  if (root_error != nullptr) load_exceptions(native_);  // its caller may be in a handler, or unwind
  hot::leave_scheduler();
  const bool threw = &t == call_.root            ? run_root_task(t)
                     : counted != nullptr        ? run_counted(t, *counted)
                     : inside.skipped != nullptr ? run_apart(t)
                                                 : t.what->run(t);
  hot::enter_scheduler();
  if (root_error != nullptr) *root_error = base::thread_errno(), load_exceptions({});
  const completion::word raised{base::leave_fp()};
  hot::set_fiber_local<scope_word>(0);
  worker& w = *hot::self();
  w.running_->end_work();
  const auto shortness = w.bucket_.is_short_task(base::now() - began) ? completion::short_task : completion::flag{};
  w.finish(t, raised << completion::fp_flags_bit | shortness | (threw ? completion::threw : completion::flag{}));
}

void worker::finish(task& t, completion::word flags) noexcept {
  end_run();
  t.tokens = bucket_.hand_over();
  // afterwards the task may be gone, because its waiter may have seen the end already
  if (const completion::word waiter = t.done.finish(flags)) wake_waiter(waiter, flags);
}

/// Resumes the waiter that the word names, of a task that ended with these flags. The low bits of the word say what it
/// is: a task on the heap, a thread that blocks at a join, a caller of run, a join counter, or (no bits) a suspended
/// fiber.
void worker::wake_waiter(completion::word waiter, completion::word flags) noexcept {
  if ((waiter & is_on_heap) == is_on_heap) return base::from_word<heap_task>(waiter - is_on_heap)->leave_worker();
  if ((waiter & blocks_at_join) == blocks_at_join) {
    base::from_word<worker>(waiter - blocks_at_join)->join_parker_.wake();
  } else if ((waiter & waits_for_root) != 0) {
    base::from_word<worker>(waiter - waits_for_root)->wake();
  } else if ((waiter & waits_at_join_counter) != 0) {
    auto& r = *base::from_word<join_counter>(waiter - waits_at_join_counter);
    if (r.arrive(fp_flags_of(flags))) resume_fiber(*r.waiting);  // the placement policy resumes it here
  } else {
    resume_at_origin(static_cast<fiber&>(*base::from_word<context>(waiter)));
  }
}

/// The waiting strand's data is in the caches of its origin, the worker that it left. If that worker is idle and awake,
/// it resumes the strand, and this worker is the thief again. So two loops after each other run in the same halves
/// (docs/internals/decisions/016-strands-resume-at-their-origin.md).
void worker::resume_at_origin(fiber& waiter) noexcept {
  if (returns_to_its_thread(waiter)) return;
  worker& origin = *waiter.origin;
  if (&origin == this || pool.settings.resume == resume_policy::finisher || !origin.accepts(waiter.root) ||
      !origin.seems_to_look())
    return resume_fiber(waiter);
  waiter.return_by(waiter.return_submission);
  submit_affine(waiter.return_submission, origin);
}

/// If the fiber is bound to the thread that it left, and that is another thread, submits the fiber there and returns
/// true. The worker there takes it when the fiber that it runs ends or waits.
bool worker::returns_to_its_thread(fiber& waiter) noexcept {
  if (!pool.keeps_threads() || waiter.origin == this) return false;
  worker& origin = *waiter.origin;
  waiter.return_by(waiter.return_submission);
  waiter.return_submission.is_bound = true;
  submit(waiter.return_submission, &origin, origin);
  return true;
}

/// Returns true if this worker seems to look for work. We may be wrong: if it has found other work in the meantime, an
/// idle worker takes the affinity submission. If there are more workers than processors, a worker that looks for work
/// may be waiting for a processor, so the result is false.
bool worker::seems_to_look() const noexcept {
  // relaxed: a glance
  return !pool.crowded && !busy.load(base::relaxed) && !idle_parker.is_asleep() && !aside_parker_.is_asleep() &&
         !join_parker_.is_asleep();
}

bool fiber::return_task::run(task& t) noexcept {
  hot::enter_scheduler();
  hot::self()->resume_here_afterwards(static_cast<return_task&>(t).to);
  hot::leave_scheduler();
  return false;
}

/// A continuation isn't joined, so the bucket learns from the length of its run here.
void worker::run_continuation(std::uintptr_t c) noexcept {
  const base::ticks began = base::now();
  running_->begin_work(queued(base::from_word<void>(c)), &began, nullptr);
  begin_run(hot::words(), running_->records_begin());
  hot::leave_scheduler();
  resume(c);
  hot::enter_scheduler();
  base::leave_fp();
  worker& w = *hot::self();
  w.running_->end_work();
  w.end_run();
  w.bucket_.learn(w.bucket_.is_short_task(base::now() - began));
}

void worker::announce_end(completion& done) noexcept {
  const completion::word waiter = done.finish(0);
  if (waiter != 0) resume_afterwards(static_cast<fiber&>(*base::from_word<context>(waiter)));
}

/// Switches to a fiber that waited, and releases our own: no work ever runs on top of a waiting frame.
void worker::resume_fiber(context& waiter) noexcept {
  running_->trim(running_->records_begin());
  leave_for(waiter, departure::then::release);
}

void worker::begin_run(hot_words& h, address at) noexcept {
  // relaxed: own words; holders of a hazard look at them after they have seen `busy`
  h.top.store(at, base::relaxed);
  h.bot.store(at, base::relaxed);
  h.promotion_limit.store(is_instrumented(h) ? promotion_limit_of_run(h, at) : no_promotion_limit, base::relaxed);
  start_running(h);
}

void worker::start_running(hot_words& h) noexcept {
  if (pool.listeners.version() != told_.version) tell_of_beginning();
  note(event_kind::runs);
  if (running_ != nullptr && running_->skips.of != nullptr) run_skipped();
  const base::ticks now = base::now();
  bucket_.resume(now);
  bucket_.accrue(now);  // grants what earlier runs have earned, for runs shorter than a beat
  // relaxed: no thief relies on an old unserved request; if the flag stayed set, the next one would not wake a thief
  unserved.store(false, base::relaxed);
  // pairs with the loads of busy in hazard, for thief::request_work and the sleeper's pre-sleep check. A sleeper that
  // doesn't see this worker busy doesn't post a request to it, but set_limit_for_run sees that sleeper.
  busy.store(true, base::seq_cst);
  set_limit_for_run(h);
  if (pool.source() != nullptr) beat_for_events();
  if (pool.signals && bucket_.kind() == promotion::kind::heartbeat)
    beat_.start(pool.settings.signal, pool.settings.promote.period_us());
}

void worker::end_run() noexcept {
  note(event_kind::rests);
  if (running_ != nullptr && running_->skips.of != nullptr) rest_skipped();
  counts.run_ticks.set(bucket_.pause(base::now()));
  // pairs with the load of busy in hazard; a holder may still look at the words for a moment, which does no harm
  busy.store(false, base::release);
}

/// Returns when no thread looks at the hot words of this worker any more. The thread may then leave the pool and end.
void worker::wait_for_hazards() noexcept {
  // pairs with the load of busy in hazard: a holder whose hazard we don't see here sees that this worker is not busy
  busy.store(false, base::seq_cst);
  // relaxed: see pool_state::lost. The threads with hazards are in the parent
  if (pool.is_lost.load(base::relaxed)) return;
  base::backoff turns;
  for (unsigned i = 0; i < pool.members(); ++i) {
    // pairs with the stores in hazard
    while (pool.member(i).protected_worker.load(base::seq_cst) == this) turns.once();
  }
  // pairs with the stores in hazard
  while (pool.external_hazard.load(base::seq_cst) == this) turns.once();
}

/// Switches to another context. The context that we arrive at does `what` for this one, because this one isn't saved
/// before the switch. Returns when a context switches back to this one.
void worker::leave_for(context& to, departure::then what, void* awaited) noexcept {
  departure leaving{running_ != nullptr ? running_ : &native_, &to, what, awaited};
  if (running_ != nullptr) running_->save_fiber_local(hot::words());
  running_ = &to == &native_ ? nullptr : static_cast<fiber*>(&to);
  if (running_ != nullptr) running_->restore_fiber_local(hot::words());
  settle(switch_context(leaving));
}

/// Does the work that the context just left could not do for itself. The context that we arrive at does this before
/// anything else.
void worker::settle(departure& left) noexcept {
  worker& w = *hot::self();
  context& from = *left.from;
  switch (left.what) {
    case departure::then::stay:
      return;
    case departure::then::release:
      w.keep_fiber(static_cast<fiber&>(from));
      return;
    case departure::then::suspend:
      // once `await` has written the word, `left` may be gone: its fiber may run elsewhere
      if (!static_cast<completion*>(left.awaited)->await(word_of(from))) w.leave_for(from, departure::then::release);
      return;
    case departure::then::wait: {
      auto& r = *static_cast<join_counter*>(left.awaited);
      r.waiting = static_cast<fiber*>(&from);
      r.waiting->return_by(r.back);
      if (r.arrive()) w.leave_for(from, departure::then::release);
      return;
    }
  }
}

void worker::on_fiber(departure& left) {
  base::leave_fp();  // a new fiber has the words of the code that made it
  settle(left);
  loop();
}

fiber& worker::spare_fiber() noexcept {
  if (fibers_.empty()) return pool.fibers.take();
  fiber& f = *fibers_.back();
  fibers_.pop_back();
  return f;
}

void worker::keep_fiber(fiber& f) noexcept {
  fibers_.size() < spare_fibers ? fibers_.push_back(&f) : pool.fibers.give_back(f);
}

bool worker::promote_all(hot_words& h) noexcept {
  while (find_pending(h)) {
    pool.wanted.force();
    queue_oldest(h, promoted_by::poll, 0);
  }
  return h.promotion_limit.load(base::relaxed) >= h.top.load(base::relaxed);  // relaxed: own words
}

bool worker::promote_even_closed(hot_words& h) noexcept {
  if (is_kept_sequential()) return false;
  // relaxed: own words. All records below the top are complete, because this is not the slow path of a fork
  const address top = h.top.load(base::relaxed);
  const address before = h.promotion_limit.load(base::relaxed);
  if (before < top) h.promotion_limit.store(top, base::relaxed);
  const bool all = promote_all(h);
  h.promotion_limit.store(before, base::relaxed);
  return all;
}

void worker::go_away(hot_words& h) noexcept {
  is_away_.store(true,
                 base::relaxed);  // relaxed, here and below: an estimate for callers that may take its root's work
  promote_all(h);
  running_->open_records_end = h.top.load(base::relaxed);
  end_run();
  depart();
  wait_for_hazards();
}

void worker::come_back(hot_words& h) noexcept {
  is_away_.store(false, base::relaxed);
  signals.note();
  arrive();
  running_->open_records_end = nullptr;
  start_running(h);
}

bool worker::wake() noexcept {
  // pairs with the fence of the sleeper after its announcement: either it sees the published work, or we see it asleep
  base::fence(base::seq_cst);
  if (aside_parker_.wake()) return true;  // its sleeper is counted neither asleep nor awake
  if (!idle_parker.call()) return false;
  // Count it before the release: it must not go to sleep again, or leave, before it is counted awake.
  pool.asleep.fetch_sub(1, base::seq_cst);                  // pairs with the loads in rearm_limit and wake_if_needed
  pool.awake[where.numa_node].fetch_add(1, base::seq_cst);  // pairs with the decrements in thief::sleep and leave
  idle_parker.release();
  return true;
}

void worker_counts::add_to(counters& sum) const noexcept {
  sum.promotions += promotions.get();
  sum.signal_promotions += signal_promotions.get();
  sum.steals += steals.get();
  sum.reclaimed += reclaimed.get();
  sum.suspensions += suspensions.get();
  sum.polls += polls.get();
  sum.requests += requests.get();
  sum.signals += signals.get();
  sum.vain.in_scheduler += in_scheduler.get();
  sum.vain.nothing_pending += nothing_pending.get();
  sum.vain.no_demand += no_demand.get();
  sum.vain.no_token += no_token.get();
  sum.signals_prevented += signals_prevented.get();
  sum.handlers_replaced += handlers_replaced.get();
  sum.sleeps_continued += sleeps_continued.get();
  sum.calls_interrupted += calls_interrupted.get();
  sum.parks += parks.get();
  sum.wakes += wakes.get();
  sum.run_ns += base::to_nanoseconds(run_ticks.get());
}

}  // namespace tine::sched
