// Calls of the event source that is attached to a pool.
#include <tine/sched/event_source.hpp>

#include "sched/hazard.hpp"
#include "sched/pool_state.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/object_at.hpp>

#include <stdexcept>

namespace tine::sched {
namespace {

constexpr std::size_t stack_of_a_look = 32 << 10;  // as include/tine/sched/event_source.hpp promises
constexpr double period_us = 1000;                 // of the signals, each of which costs some microseconds

}  // namespace

void pool_state::attach(event_source& s) {
  event_source* before = nullptr;
  // pairs with the load in source, so that workers see the source as its maker left it
  if (!source_.compare_exchange_strong(before, &s, base::release, base::relaxed) && before != &s) {
    throw std::logic_error{"tine::pool::attach: the pool has another event source, and can have one only"};
  }
}

bool worker::has_open_source() const noexcept {
  const event_source* const s = pool.source();
  return s != nullptr && s->is_open();
}

void worker::look_when_busy() noexcept {
  event_source* const s = pool.source();
  if (s == nullptr || looks_) return;
  const auto* const here = base::bytes_of(*static_cast<const char*>(__builtin_frame_address(0)));
  if (running_ == nullptr || running_->stack_left(here) < stack_of_a_look) return;
  looks_ = true;
  s->look(event_source::moment::busy);
  looks_ = false;
  looked_ = base::now();
}

bool worker::is_look_due(base::ticks gap) const noexcept {
  return pool.source() != nullptr && base::now() - looked_ >= gap;  // a clock may stand still between two calls
}

void look_if_due(base::ticks gap) noexcept {
  worker* const me = hot::self();
  if (me != nullptr && me->is_look_due(gap)) me->look_when_busy();
}

bool worker::look_when_idle() noexcept {
  event_source* const s = pool.source();
  if (s == nullptr) return false;
  s->look(event_source::moment::idle);
  return s->is_open();
}

/// Lets the thread's timer beat as long as the source is open, so that the worker looks even if no other thread
/// requests it. A pool with heartbeats beats anyway.
void worker::beat_for_events() noexcept {
  const event_source* const s = pool.source();
  if (s == nullptr || !pool.signals || bucket_.kind() == promotion::kind::heartbeat) return;
  s->is_open() ? beat_.start(pool.settings.signal, period_us) : beat_.rest();
}

void request_look(worker_ref at) noexcept {
  if (!at) return;
  worker& w = *at.get();
  if (w.pool.source() == nullptr) return;
  // A sleeper announces itself before it looks whether its source is open, and the source was opened before this call.
  // So one sees the other, by the fence in `wake`. In the same way a worker that begins a run is seen busy here, or
  // sees the open source there.
  if (w.wake()) return;
  const std::lock_guard guard{pools().lock};
  const hazard held{w.pool.external_hazard, w};
  if (held.allowed()) post_request(*w.words.load(base::relaxed));  // relaxed: published with busy
}

void request_looks(pool& of) noexcept {
  const pool_state& p = *of.state_;
  const std::lock_guard guard{pools().lock};
  for (unsigned i = 0; i < p.members(); ++i) {
    const hazard held{of.state_->external_hazard, p.member(i)};
    if (held.allowed()) post_request(*p.member(i).words.load(base::relaxed));  // relaxed: published with busy
  }
}

}  // namespace tine::sched
