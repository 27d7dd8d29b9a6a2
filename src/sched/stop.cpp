// Stop scopes: how a strand checks whether it must stop, on its own thread, and the stops that an exception causes.
#include "sched/pool_state.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/scope.hpp>

#include <exception>

namespace tine::sched {

// The scopes of other fibers still exist, because the function that began a scope waits for everything that was forked
// inside.
bool is_stopping(const scope* innermost) noexcept {
  for (const scope* s = innermost; s != nullptr; s = s->outer) {
    if (s->stopping == nullptr) return false;
    if (s->stops()) return true;
  }
  return false;
}

bool is_stopping(const hot_words& h) noexcept {
  return is_stopping(base::from_word<const scope>(h.fiber_local[scope_word]));
}

bool is_stopping_quietly(const scope* innermost) noexcept {
  for (const scope* s = innermost; s != nullptr && s->stopping != nullptr; s = s->outer) {
    if (s->ends_quietly && s->stopping->load(base::relaxed)) return true;  // relaxed: as in scope::stops
  }
  return false;
}

bool must_stop() noexcept {
  const hot_words& h = hot::words();
  // pairs with the addition in pool_state::begin_alert, so that the flag that was set before is seen
  const bool alerted = h.self != nullptr && h.self->pool.alerts.load(base::acquire) > 0;
  return alerted && is_stopping(h) && std::uncaught_exceptions() == 0;
}

void throw_stopped() { throw stopped{}; }

void enter_scope(const scope* s) noexcept {
  hot::set_fiber_local<scope_word>(base::to_word(s));
  hot_words& h = hot::words();
  // Pairs with the addition in pool_state::begin_alert, so that we see the flag that was set before. A later request
  // reaches the strand inside of `s`. If the strand has already acknowledged a request, it has seen the alert of that
  // request in rearm_limit, and so sees it here.
  if (h.self->pool.alerts.load(base::acquire) > 0 && is_stopping(h)) {
    h.limit.store(nullptr, base::relaxed);  // relaxed: for this same thread
  }
}

void region_scope::enter(region& in) noexcept {
  const scope* const outer = current_scope();
  scope_ = {outer, hot::top(), outer != nullptr ? outer->stopping : nullptr, &in};
  enter_scope(&scope_);
}

void region_scope::enter_none() noexcept {
  static constexpr scope none;
  enter_scope(&none);
}

void stop_promoted_subranges(splittable_range& r) noexcept {
  // relaxed: the alert that the first waiting `discard` raises publishes the flag
  for (std::uint32_t i = 0; i < r.promoted; ++i) r.promoted_at(i).stopping.store(true, base::relaxed);
}

// Lemma: the subranges that were promoted before `p` still exist and are not joined. Reason: the owner joins its newest
// promoted subrange first, and `p` is not finished yet. The subrange from which the range of `p` was split waits for
// `p`, so it isn't finished either.
void stop_later_subranges(promoted_subrange& p) noexcept {
  if (is_stopping(hot::words())) return;  // then the others stop, too, because they are in the same scopes
  for (promoted_subrange* earlier = &p; earlier != nullptr; earlier = earlier->of->within) {
    splittable_range& r = *earlier->of;
    for (std::uint32_t i = 0; &r.promoted_at(i) != earlier; ++i) {
      r.promoted_at(i).stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
      p.alerts = true;
    }
  }
  if (p.alerts) raise_alert();
}

}  // namespace tine::sched
