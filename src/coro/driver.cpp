// The driver: the loop below a strand's frames, how a strand enters it from plain code, and how it leaves it.
// Everything here runs on the driver's own strand.

#include "base/fp_environment.hpp"
#include "coro/child_ended.hpp"
#include "coro/join_observed.hpp"
#include "sched/join_counter.hpp"
#include "sched/skipped_stretch.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/driver.hpp>
#include <tine/detail/coro/segmented_stack.hpp>
#include <tine/detail/sched/scope.hpp>

#include <algorithm>
#include <stdexcept>

namespace tine::detail {
namespace {

namespace hot = sched::hot;

constexpr std::size_t depth_bytes = 64 << 10;    // of native stack that nested calls may use
constexpr std::size_t reserve_bytes = 32 << 10;  // of a fiber's stack that nested calls leave to other code

// An address above every record: if `bot` is here, all records count as promoted.
const auto& everything = base::pointer_constant<std::byte, ~std::uintptr_t{7}>;

std::uintptr_t limit_from_here() noexcept {
  const std::uintptr_t here = base::to_word(__builtin_frame_address(0));
  const std::uintptr_t bottom = base::to_word(hot::self()->running()->stack_bottom);
  return std::max(here - depth_bytes, bottom + reserve_bytes);
}

}  // namespace

driver::driver() noexcept
    : records_{hot::top()},
      native_limit_{fiber_state::get<native_limit>()},
      driver_{fiber_state::get<driver_object>()},
      unwinding_{fiber_state::get<unwinding>()},
      parent_link_{fiber_state::get<parent_link>()},
      result_slot_word_{fiber_state::get<result_slot_word>()},
      thrown_{fiber_state::get<thrown>()} {
  fiber_state::set<native_limit>(limit_from_here());
  fiber_state::set<driver_object>(this);
  fiber_state::set<unwinding>(0);
  fiber_state::set<thrown>(0);
}

driver::~driver() {
  fiber_state::set<native_limit>(native_limit_);
  fiber_state::set<driver_object>(driver_);
  fiber_state::set<unwinding>(unwinding_);
  fiber_state::set<parent_link>(parent_link_);
  fiber_state::set<result_slot_word>(result_slot_word_);
  fiber_state::set<thrown>(thrown_);
}

void driver::unwind(frame* next) noexcept {
  fiber_state::set<unwinding>(1);
  next_ = next;
}

void driver::unwind_and_call(const deep_call& call) noexcept {
  sched::hot_words& h = hot::words();
  // relaxed, here and below: own words. Until call_from_here the records look promoted, so every level returns.
  top_ = h.top.load(base::relaxed);
  bot_ = h.bot.load(base::relaxed);
  h.bot.store(everything, base::relaxed);
  call_ = call;
  unwind(nullptr);
}

void driver::call_from_here() noexcept {
  sched::hot_words& h = hot::words();
  h.top.store(top_, base::relaxed);
  h.bot.store(bot_, base::relaxed);
  const deep_call call = call_;
  call_ = {};
  call.start(call.awaiter, *link::parent(call.made_by), call.where);
}

/// Forgets all records of the strand. They are promoted and stolen, or were never written because their continuations
/// were placed. Records below the driver may still be pending: those of a loop one of whose iterations waits for this
/// strand.
void driver::forget_records() noexcept {
  sched::hot_words& h = hot::words();
  // relaxed: own words; the top first, so that the signal handler sees nothing pending in between
  h.top.store(records_, base::relaxed);
  if (h.bot.load(base::relaxed) > records_) h.bot.store(records_, base::relaxed);
  if (sched::observer::current() != nullptr && h.promotion_limit.load(base::relaxed) > records_)
    h.promotion_limit.store(records_, base::relaxed);
}

void driver::drive(frame* next) noexcept {
  while (next != nullptr || call_.start != nullptr) next = step(next);
}

/// Called when all native levels have returned to the driver. Returns the frame to run next, or null if a deep call
/// comes first.
frame* driver::landed() noexcept {
  if (call_.start != nullptr) return nullptr;
  forget_records();
  return next_;
}

/// Runs a frame, or makes the call that was too deep, until the native levels return. Returns the frame to run next.
frame* driver::step(frame* f) noexcept {
  fiber_state::set<unwinding>(0);
  link::word ended;
  if (call_.start != nullptr) {
    ended = call_.made_by;
    parent_ = link::parent(ended);
    call_from_here();
  } else {
    ended = f->up.get();
    parent_ = link::parent(ended);
    f->handle().resume();
  }
  return fiber_state::is_unwinding() ? landed() : after(ended);
}

/// Called when this driver has run a child to its end; `ended` is the child's link. Returns the parent if it belongs to
/// this worker now.
frame* driver::after(link::word ended) noexcept {
  frame& parent = *link::parent(ended);
  if ((ended & link::called) != 0) {
    if (link::parent(parent.up.get()) != nullptr) return &parent;
    auto& r = static_cast<root&>(parent);
    r.end(r, *this);
    return nullptr;
  }
  const sched::address top = hot::top();
  if (top != records_) {
    const sched::address at = top - sched::continuation_bytes;
    sched::pop_observed(at, top);
    const bool promoted = hot::is_promoted(at);
    if (!promoted || reclaimed(parent, at)) {
      first_done_observed(parent, promoted ? sched::branch_end::reclaimed : sched::branch_end::unpromoted);
      return &parent;
    }
    forget_records();
  }
  return child_ended(parent);
}

// Records that were forked inside tine::sequential or on an unstealable strand stay where they are, because thieves
// can't steal them.
void promote_pending() noexcept {
  if (sched::has_unstealable_observer()) return;
  sched::worker& w = *hot::self();
  if (!w.promote_even_closed(hot::words())) w.promote_all(hot::words());
}

namespace {

/// A thief finds a coroutine's stop scope through the stack that the coroutine lives on. So code in another scope than
/// the frames of the strand's stack starts with a stack of its own, and pending records get their scope before the
/// strand leaves the old stack. Those of an unstealable region stay: until the strand is back, no thief may see them.
segmented_stack* leave_stack_of_other_scope() noexcept {
  segmented_stack* const s = segmented_stack::current();
  if (s == nullptr || s->scope() == sched::current_scope()) return nullptr;
  hot::enter_scheduler();
  const sched::region_strand* const strand = sched::region_strand::current();
  if (strand != nullptr && strand->in->is_unstealable) {
    hot::self()->promote_all(hot::words());
  } else {
    promote_pending();
  }
  segmented_stack::leave();
  hot::leave_scheduler();
  return s;
}

}  // namespace

void placed_run::set_blocked(bool blocked) noexcept {
  if (by != nullptr && std::exchange(is_blocked, blocked) != blocked) by->set_blocked(storage, blocked);
}

/// Refuses isolated callers. A task may continue on other threads, so its caller may have to leave its own to other
/// work.
root::end_function awaited_root::checked_end() {
  if (sched::is_isolated()) {
    throw std::logic_error{
        "tine: a tine::task is run inside tine::isolate, but it may continue on other threads: run it outside, or use plain functions inside"};
  }
  return &end_of;
}

awaited_root::awaited_root()
    : root{checked_end()},
      apart{sched::observe_if_skipping()},
      before{segmented_stack::current()},
      left{leave_stack_of_other_scope()},
      its_stack{nullptr},
      inside{sched::current_scope()},
      followed_by{sched::attachment::current()} {
  if (followed_by.strand != nullptr) here.run = {followed_by.strand->in, followed_by.strand->in->open_run()};
}

awaited_root::~awaited_root() {
  if (here.run.by != nullptr) here.run.by->close_run(here.run.storage, has_waited);
  if (before != nullptr && left == nullptr) return;
  segmented_stack::end();
  if (left != nullptr) left->take();
}

void awaited_root::finish() noexcept {
  if (fiber_state::is_unwinding()) {
    here.resume_landed();
  } else {
    threw = fiber_state::has_thrown();
    ended = true;
  }
  ended ? continue_where_placed() : wait_for_end();
}

/// Called when this strand has nothing left to do while the coroutine still runs, or ends, on another worker.
void awaited_root::wait_for_end() noexcept {
  segmented_stack::end();
  sched::enter_scope(inside);  // the coroutine may have left this strand inside an awaited stop region
  if (here.run.by != nullptr) {
    has_waited = true;
    here.run.set_blocked(true);
    here.run.by->join_counter_of(here.run.storage).wait();
  } else {
    wait_for(done);
  }
  base::raise_fp(fp_flags);
  its_stack->take();
  followed_by.attach();
}

/// Called when the coroutine has ended on this worker. In the recorded run it may have ended elsewhere, or here while
/// the strand waited. Then the continuation belongs to the worker on which it ended, and we wait until it is placed
/// there.
void awaited_root::continue_where_placed() noexcept {
  if (here.run.by == nullptr || !here.run.by->is_rest_placed(here.run.storage)) return;
  has_waited = true;
  const sched::attachment by = sched::attachment::detach_to_wait();
  here.run.by->join_counter_of(here.run.storage).wait_for_placement();
  by.attach();
}

void awaited_root::end_of(root& self, driver& by) noexcept {
  auto& r = static_cast<awaited_root&>(self);
  r.threw = fiber_state::has_thrown();
  fiber_state::set<thrown>(0);
  if (&by == &r.here) {
    r.ended = true;
    return;
  }
  sched::attachment::detach();
  hot::enter_scheduler();
  r.fp_flags = base::fp_flags();
  r.its_stack = segmented_stack::leave();
  if (r.here.run.by != nullptr) {
    sched::join_counter& j = r.here.run.by->join_counter_of(r.here.run.storage);
    if (j.arrive()) hot::self()->resume_here_afterwards(*j.waiting);
  } else {
    hot::self()->announce_end(r.done);
  }
  hot::leave_scheduler();
}

submitted_coroutine::submitted_coroutine(const base::atomic<bool>& stopping) noexcept
    : root{&end_of}, inside{nullptr, nullptr, &stopping} {}

void submitted_coroutine::end_of(root& self, driver&) noexcept {
  auto& r = static_cast<submitted_coroutine&>(self);
  const bool threw = fiber_state::has_thrown();
  fiber_state::set<thrown>(0);
  segmented_stack::end();
  sched::enter_scope(nullptr);  // the scope ends with the root
  r.ended(threw);
}

begin_of_coroutine::begin_of_coroutine(submitted_coroutine& c) noexcept : root_{c}, before_{sched::current_scope()} {
  TINE_ASSERT(segmented_stack::current() == nullptr);
  sched::enter_scope(&c.inside);
}

begin_of_coroutine::~begin_of_coroutine() = default;

void begin_of_coroutine::finish() noexcept {
  if (fiber_state::is_unwinding()) {
    here_.resume_landed();
  } else {
    root_.end(root_, here_);
  }
  segmented_stack::end();
  sched::enter_scope(before_);
}

}  // namespace tine::detail
