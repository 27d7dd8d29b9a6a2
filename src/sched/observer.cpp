// Instrumented strands: the start and end of observers and regions, and the observer of whole roots.
#include "sched/group_follower.hpp"
#include "sched/root_runner.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/submitted_root.hpp>

namespace tine::sched {
namespace {

/// Makes `limit` the limit, unless a work request is pending; a pending request stays pending.
void set_unrequested_limit(hot_words& h, address limit) noexcept {
  // pairs with the store in post_request, as in acknowledge: here a request that the exchange removes is posted again
  if (h.limit.exchange(limit, base::seq_cst) == nullptr) post_request(h);
}

/// Called before the running strand gets its first party: keeps the end of its shadow stack, which the limit will not
/// hold.
void keep_shadow_end(const hot_words& h) noexcept {
  if (is_instrumented(h)) return;
  hot::set_fiber_local<shadow_end_word>(base::to_word(h.self->unrequested_limit(h)));
}

/// Called when the strand's observer has come or gone.
void decide_about_counting(const hot_words& h) noexcept {
  if (h.fiber_local[position_word] != 0) set_position(*position::current());
}

/// Returns the promotion limit of an unstealable region whose records begin at `from`: no record begins at that
/// address, and it is even, unlike the limit of tine::sequential.
address unstealable_from(address from) noexcept { return from - 4; }

/// Returns true if the strand with these words is in an unstealable region.
bool in_unstealable_region(const hot_words& h) noexcept {
  const auto* s = base::from_word<const region_strand>(h.fiber_local[region_data_word]);
  return s != nullptr && s->in->is_unstealable;
}

}  // namespace

// --- observers ---------------------------------------------------------------------------------------------------

void begin_observing(observer& w) noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  TINE_ASSERT(observer::current() == nullptr);
  keep_shadow_end(h);
  observer::set(w);
  decide_about_counting(h);
  // relaxed, here and below: own words
  const address top = h.top.load(base::relaxed);
  const address lowest = w.events->is_unstealable ? unstealable_from(top) : top;
  if (lowest < h.promotion_limit.load(base::relaxed)) h.promotion_limit.store(lowest, base::relaxed);
  set_unrequested_limit(h, armed_limit);
  hot::leave_scheduler();
}

void end_observing() noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  hot::set_fiber_local<observer_word>(0);
  decide_about_counting(h);
  // records that were written before the observer, and are still pending, lie below the top; inside tine::sequential
  // and in an unstealable region the promotion limit is at no address at which a record begins
  const address top = h.top.load(base::relaxed);
  const address lowest = h.promotion_limit.load(base::relaxed);
  if (lowest == top || (lowest == unstealable_from(top) && !in_unstealable_region(h)))
    h.promotion_limit.store(no_promotion_limit, base::relaxed);
  set_unrequested_limit(h, h.self->unrequested_limit(h));
  hot::leave_scheduler();
}

void set_observer(observer* w) noexcept {
  if (w == nullptr) {
    end_observing();
  } else if (observer::current() != nullptr) {
    observer::set(*w);
  } else {
    begin_observing(*w);
  }
}

// --- regions -----------------------------------------------------------------------------------------------------

void set_position(position& p) noexcept {
  const region_strand& s = *region_strand::current();
  const bool is_counted = observer::current() == nullptr && s.in->counts(p, s) == counted::all;
  base::signal_fence();  // the handler reads a complete position
  hot::set_fiber_local<position_word>(base::to_word(&p) | (is_counted ? counted_bit : 0));
}

bool plain::is_next_counted() noexcept {
  const region_strand& s = *region_strand::current();
  return observer::current() == nullptr && s.in->counts(*position::current(), s) != counted::none;
}

void enter_region(region_strand& s, position& p) noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  keep_shadow_end(h);
  hot::set_fiber_local<region_data_word>(base::to_word(&s));
  set_position(p);
  // relaxed: own words
  const address lowest = unstealable_from(h.top.load(base::relaxed));
  if (s.in->is_unstealable && lowest < h.promotion_limit.load(base::relaxed))
    h.promotion_limit.store(lowest, base::relaxed);
  set_unrequested_limit(h, armed_limit);
  hot::leave_scheduler();
}

void leave_region() noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  hot::set_fiber_local<position_word>(0);
  hot::set_fiber_local<region_data_word>(0);
  set_unrequested_limit(h, h.self->unrequested_limit(h));
  hot::leave_scheduler();
}

void resume_strand(region_strand& s, position& p) noexcept {
  if (region_strand::current() == nullptr) return enter_region(s, p);
  hot::set_fiber_local<region_data_word>(base::to_word(&s));
  set_position(p);
}

bool worker::run_counted(task& t, position& forked) noexcept {
  region_strand thief;
  position first;
  forked.in->begin_stolen(forked, thief, first);
  const bool threw = t.what->run(t);
  region_strand::current()->in->pause();
  leave_region();
  return threw;
}

/// Returns the promotion limit of a run that starts or continues with the top at `at`, when nothing is pending on its
/// fiber.
address worker::promotion_limit_of_run(const hot_words& h, address at) const noexcept {
  if (in_unstealable_region(h) || has_unstealable_observer()) return unstealable_from(running_->records_begin());
  return observer::current() != nullptr ? at : no_promotion_limit;
}

// --- strands that move -------------------------------------------------------------------------------------------

attachment attachment::current() noexcept {
  attachment a;
  a.analysis = observer::current();
  a.position = hot::fiber_local<position_word>();
  a.strand = region_strand::current();
  if (a.strand != nullptr) a.inside = current_scope();
  return a;
}

attachment attachment::detach() noexcept {
  const attachment a = current();
  if (a.strand != nullptr) a.strand->in->pause();
  if (a.analysis != nullptr) {
    a.analysis->events->pause(*a.analysis);
    end_observing();
  }
  if (a.strand != nullptr) {
    leave_region();
    region_scope::enter_none();  // the code that this thread runs next is not in the region
  }
  return a;
}

attachment attachment::detach_to_wait() noexcept {
  if (region_strand::current() != nullptr) {
    hot::enter_scheduler();
    hot::self()->promote_all(hot::words());
    hot::leave_scheduler();
  }
  return detach();
}

void attachment::attach() const noexcept {
  if (strand != nullptr) {
    enter_scope(inside);
    enter_region(*strand, *position::of(position));
  }
  if (analysis != nullptr) {
    begin_observing(*analysis);
    analysis->events->resume(*analysis);
  }
}

// --- capacity, and roots -------------------------------------------------------------------------------------------

void plain::grow_observed(address end) noexcept {
  worker& w = *hot::self();
  w.require_capacity(end);
  hot::set_fiber_local<shadow_end_word>(base::to_word(w.running()->records_end()));
}

constinit const root_observer* registered_root_observer = nullptr;
constinit const event_rings* registered_event_rings = nullptr;
constinit root_runner registered_root_runner = nullptr;
constinit const group_follower* registered_group_follower = nullptr;

namespace {

bool run_root_in_region(task& t, bool (*body)(task&) noexcept, root_origin from) noexcept {
  const root_runner by = registered_root_runner;
  return by != nullptr ? by(t, body, from) : body(t);
}

/// `caller`: the analysis of the strand that brings the root; null if there is none. `at`: its place.
bool run_observed_root(task& t, bool (*body)(task&) noexcept, observer* caller, site at, root_origin from) noexcept {
  const root_observer* const by = registered_root_observer;
  observer* const w = by != nullptr ? by->begin(caller, at) : caller;
  if (w == nullptr) return run_root_in_region(t, body, from);
  begin_observing(*w);
  // The caller's strand has not paused: this is still its thread.
  if (w != caller) by->start(*w);
  const bool threw = run_root_in_region(t, body, from);
  w != caller ? by->end(*w, threw) : w->events->pause(*w);
  end_observing();
  return threw;
}

}  // namespace

bool worker::run_root_task(task& t) noexcept {
  return run_observed_root(t, t.what->run, call_.by, call_.from, root_origin::called);
}

bool submitted_root::run_as_root(bool (*body)(task&) noexcept) noexcept {
  if (registered_group_follower != nullptr) registered_group_follower->begin_submitted(*this);
  return run_observed_root(*this, body, nullptr, from_, root_origin::submitted);
}

}  // namespace tine::sched
