// Watched strands: begin and end of a watch, and the watch of whole roots.
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>
#include <tine/sched/events.hpp>

namespace tine::sched {
namespace {

/// Makes `limit` the limit while the doorbell is not rung; if it is rung, it stays rung.
void rest_at(hot_words& h, address limit) noexcept {
  // pairs with the store in ring, as in answer: here the exchange puts the ring back instead of taking it
  if (h.limit.exchange(limit, base::seq_cst) == nullptr) ring(h);
}

}  // namespace

void begin_watching(watch& w) noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  TINE_ASSERT(!is_watched(h));
  hot::set_strand<watched_end_word>(reinterpret_cast<std::uintptr_t>(h.self->resting_limit(h)));
  watch::set(w);
  // relaxed, here and below: own words
  const address top = h.top.load(base::relaxed);
  if (top < h.ceiling.load(base::relaxed)) h.ceiling.store(top, base::relaxed);
  rest_at(h, watched_limit);
  hot::leave_scheduler();
}

void end_watching() noexcept {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  hot::set_strand<watch_word>(0);
  // records that were written before the watch, and are still pending, lie below the top; inside tine::sequential the
  // ceiling is at no address at which a record begins
  const address top = h.top.load(base::relaxed);
  if (h.ceiling.load(base::relaxed) == top) h.ceiling.store(no_ceiling, base::relaxed);
  rest_at(h, h.self->resting_limit(h));
  hot::leave_scheduler();
}

watch* analysis() noexcept {
  watch* const w = watch::current();
  return w == nullptr || w->events->analysis == nullptr ? w : w->events->analysis(*w);
}

void set_analysis(watch* kept) noexcept {
  watch* const w = watch::current();
  if (w != nullptr && w->events->set_analysis != nullptr) {
    w->events->set_analysis(*w, kept);
  } else if (kept == nullptr) {
    end_watching();
  } else if (w != nullptr) {
    watch::set(*kept);
  } else {
    begin_watching(*kept);
  }
}

void make_watched_room(address end) noexcept {
  worker& w = *hot::self();
  w.make_room(end);
  hot::set_strand<watched_end_word>(reinterpret_cast<std::uintptr_t>(w.running()->records_end()));
}

bool worker::run_root_task(task& t) noexcept {
  const root_watch& by = watch_of_roots();
  watch* const caller = root_caller_;
  watch* const w = by.begin(caller);
  if (w == nullptr) return t.what->run(t);
  begin_watching(*w);
  // The caller's strand has not paused: this is still its thread.
  if (w != caller) by.start(*w);
  const bool threw = t.what->run(t);
  w != caller ? by.end(*w, threw) : w->events->pause(*w);
  end_watching();
  return threw;
}

}  // namespace tine::sched
