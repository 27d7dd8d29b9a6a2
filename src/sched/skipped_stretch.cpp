// Skipped stretches, on the threads of the strands in them: their borders, their time, and what happens if one takes
// longer than it should.
#include "sched/skipped_stretch.hpp"

#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/kept_record.hpp>

#include <utility>

namespace tine::sched {
namespace {

constexpr double beat_us = 1000;  // of the signals that find long stretches, each of which costs some microseconds

}  // namespace

void begin_skipping(skipped_stretch& s) noexcept {
  s.by = observer::current();
  const scope* const outer = current_scope();
  s.own = scope{outer, hot::top(), outer != nullptr ? outer->stopping : nullptr};
  s.own.skipped = &s;
  const base::ticks now = s.hooks().look_away(*s.by);
  end_observing();
  hot::enter_scheduler();
  hot::set_fiber_local<scope_word>(base::to_word(&s.own));
  hot::self()->exchange_skipped({&s, now, now});
  hot::leave_scheduler();
}

void end_skipping(skipped_stretch& s) noexcept {
  hot::self()->exchange_skipped({});
  hot::set_fiber_local<scope_word>(base::to_word(s.own.outer));
  begin_observing(*s.by);
  s.hooks().look_back(*s.by, s);
}

void leave_stretch() noexcept { hot::self()->exchange_skipped({}); }

skipped_part worker::exchange_skipped(skipped_part next) noexcept {
  if (running_->skips.of != nullptr) rest_skipped();
  if (next.of != nullptr && pool.signals && bucket_.kind() != promotion::kind::heartbeat &&
      next.of->hooks().may_be_long(*next.of->by))
    beat_.start(pool.settings.signal, beat_us);
  return std::exchange(running_->skips, next);
}

/// The strand leaves its worker, or its part in the stretch ends.
void worker::rest_skipped() noexcept {
  skipped_stretch& s = *running_->skips.of;
  const base::ticks ran = s.hooks().now() - running_->skips.since;
  s.add(ran, ran);
}

void worker::run_skipped() noexcept {
  skipped_part& here = running_->skips;
  here.since = here.of->hooks().rested();
  if (here.looked == 0) here.looked = here.since;
}

observed_apart::observed_apart() noexcept {
  const scope* const around = current_scope();
  inside_ = scope{around, hot::top(), around->stopping};
  inside_.skipped = nullptr;
  hot::enter_scheduler();
  part_ = hot::self()->exchange_skipped({});
  hot::set_fiber_local<scope_word>(base::to_word(&inside_));
  hot::leave_scheduler();
  part_.of->hooks().begin_apart(observer_, *part_.of);
}

observed_apart::~observed_apart() {
  const skip_hooks& by = part_.of->hooks();
  by.end_apart(observer_, *part_.of);
  hot::enter_scheduler();
  hot::set_fiber_local<scope_word>(base::to_word(inside_.outer));
  part_.since = by.rested();
  hot::self()->exchange_skipped(part_);
  hot::leave_scheduler();
}

/// Runs a task that was forked in a skipped stretch. A task of a group is a strand of the stretch instead: it isn't
/// joined, so an observer of its own would outlive the stretch.
bool worker::run_apart(task& t) noexcept {
  const bool is_joined = t.what->size != 0 || t.what->is_range;
  if (!is_joined) return t.what->run(t);
  const observed_apart here;
  return t.what->run(t);
}

/// A strand that has rested may come here too early. That costs a little time, and the results are the same.
void worker::promote_if_skipping_for_long(hot_words& h) noexcept {
  skipped_part& here = running_->skips;
  const skip_hooks& by = here.of->hooks();
  const base::ticks now = by.now();
  if (now - here.looked < by.longest) return;
  here.looked = now;
  here.is_long = true;
  by.found_long(*here.of);
  promote_all(h);
}

/// Lemma: the strand is as a thief's would be. Reason: older records of it are all promoted, as the joined one
/// was. New ones come behind that one, in which the task leaves its outcome.
joined worker::join_skipped(task& t, address begin, address end) noexcept {
  if (!hot::self()->running_->skips.is_long) return joined::reclaimed;
  const kept_record keep{begin, end};
  const bool threw = run_apart(t);
  t.done.finish(threw ? completion::threw : completion::word{0});
  return joined::stolen;
}

}  // namespace tine::sched
