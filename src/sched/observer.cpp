// Observed strands: begin and end of an observer, and the observer of whole roots.
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>
#include <tine/sched/observer.hpp>

namespace tine::sched {
namespace {

/// Makes `limit` the limit, unless a work request is pending; a pending request stays pending.
void set_unrequested_limit(hot_words& h, address limit) noexcept {
  // pairs with the store in post_request, as in acknowledge: here a request that the exchange removes is posted again
  if (h.limit.exchange(limit, base::seq_cst) == nullptr) post_request(h);
}

}  // namespace

void begin_observing(observer& w) noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  TINE_ASSERT(!is_observed(h));
  hot::set_fiber_local<shadow_end_word>(reinterpret_cast<std::uintptr_t>(h.self->unrequested_limit(h)));
  observer::set(w);
  // relaxed, here and below: own words
  const address top = h.top.load(base::relaxed);
  if (top < h.watermark.load(base::relaxed)) h.watermark.store(top, base::relaxed);
  set_unrequested_limit(h, armed_limit);
  hot::leave_scheduler();
}

void end_observing() noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  hot::set_fiber_local<observer_word>(0);
  // records that were written before the observer, and are still pending, lie below the top; inside tine::sequential the
  // watermark is at no address at which a record begins
  const address top = h.top.load(base::relaxed);
  if (h.watermark.load(base::relaxed) == top) h.watermark.store(no_watermark, base::relaxed);
  set_unrequested_limit(h, h.self->unrequested_limit(h));
  hot::leave_scheduler();
}

observer* analysis() noexcept {
  observer* const w = observer::current();
  return w == nullptr || w->events->analysis == nullptr ? w : w->events->analysis(*w);
}

void set_analysis(observer* kept) noexcept {
  observer* const w = observer::current();
  if (w != nullptr && w->events->set_analysis != nullptr) {
    w->events->set_analysis(*w, kept);
  } else if (kept == nullptr) {
    end_observing();
  } else if (w != nullptr) {
    observer::set(*kept);
  } else {
    begin_observing(*kept);
  }
}

void grow_observed(address end) noexcept {
  worker& w = *hot::self();
  w.require_capacity(end);
  hot::set_fiber_local<shadow_end_word>(reinterpret_cast<std::uintptr_t>(w.running()->records_end()));
}

constinit const root_observer* registered_root_observer = nullptr;

bool worker::run_root_task(task& t) noexcept {
  const root_observer* const by = registered_root_observer;
  observer* const caller = root_caller_;
  observer* const w = by != nullptr ? by->begin(caller) : caller;
  if (w == nullptr) return t.what->run(t);
  begin_observing(*w);
  // The caller's strand has not paused: this is still its thread.
  if (w != caller) by->start(*w);
  const bool threw = t.what->run(t);
  w != caller ? by->end(*w, threw) : w->events->pause(*w);
  end_observing();
  return threw;
}

}  // namespace tine::sched
