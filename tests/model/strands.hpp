// Coroutines in the world of the models: tasks, joins and the driver are the product's own code, like the scheduler
// below them. The segmented stacks are the model's, so that claims can check their owners.
#pragma once

#include "model/pool_suite.hpp"

#include <tine/detail/coro/fiber_state.hpp>

#include <cxxabi.h>
#include <cstring>

namespace tine::model {

/// The top of the strand's stack moves from `from` to `to`.
void top_moves(std::uintptr_t from, std::uintptr_t to) noexcept;

}  // namespace tine::model

namespace tine::sched::hot {

template <>
inline void set_fiber_local<detail::stack_top>(std::uintptr_t word, block) noexcept {
  model::top_moves(words().fiber_local[detail::stack_top], word);
  words().fiber_local[detail::stack_top] = word;
}

}  // namespace tine::sched::hot

#include "coro/call_until_stopped.cpp"
#include "coro/driver.cpp"
#include "coro/join.cpp"
#include "coro/queued_frame.cpp"
#include "coro/resumption.cpp"

#include <tine/coro/fork.hpp>
#include <tine/coro/join.hpp>
#include <tine/coro/resumption.hpp>
#include <tine/detail/coro/way_to_run.hpp>

namespace tine::model {

/// A segmented stack of one stacklet.
struct strand_stack {
  detail::segmented_stack head;
  race_checked<int> top{0};  ///< bytes in use, written by the last strand that left it
  bool is_owned = false;     ///< some strand's words refer to it
  alignas(16) std::byte memory[6144];

  std::uintptr_t begin() noexcept { return reinterpret_cast<std::uintptr_t>(memory); }
  bool holds(std::uintptr_t at) noexcept { return begin() <= at && at <= begin() + sizeof memory; }
  static strand_stack& of(detail::segmented_stack* s) noexcept { return *reinterpret_cast<strand_stack*>(s); }
};

/// All stacks of an iteration. Each thread has its own spare stacks, as in the product.
struct stack_store {
  std::array<std::unique_ptr<strand_stack>, 32> all;
  std::size_t count = 0;
  std::array<std::vector<strand_stack*>, 4> spare;

  strand_stack& take() {
    auto& here = spare[rl::thread_index()];
    if (!here.empty()) {
      strand_stack& s = *here.back();
      here.pop_back();
      return s;
    }
    claim(count < all.size(), "more stacks than the model has");
    all[count] = std::make_unique<strand_stack>();
    return *all[count++];
  }
  void give_back(strand_stack& s) { spare[rl::thread_index()].push_back(&s); }
  std::size_t spares() const {
    std::size_t n = 0;
    for (const auto& s : spare) n += s.size();
    return n;
  }
};

inline stack_store* stacks;

/// Overwrites released memory, so that a late look at a frame is an access to freed memory.
inline void top_moves(std::uintptr_t from, std::uintptr_t to) noexcept {
  if (to == 0) return;
  strand_stack& s = strand_stack::of(detail::segmented_stack::current());
  claim(&s != nullptr && s.holds(to), "a frame is released on a stack that it is not on");
  if (s.holds(from) && to < from) std::memset(reinterpret_cast<void*>(to), 0xdd, from - to);
}

/// A suite whose root is a task.
template <class Suite, rl::thread_id_t Threads>
struct strand_suite : pool_suite<Suite, Threads> {
  static options settings() { return pool_suite<Suite, Threads>::promoting(promotion::eager()); }
  static constexpr unsigned one_deep_in = 0;

  strand_suite() {
    stacks = new stack_store;
    os->one_deep_in = Suite::one_deep_in;
  }
  ~strand_suite() { delete stacks; }

  static void program() { sched::way_to_run<task<>>::run(&Suite::root); }

  void after() {
    pool_suite<Suite, Threads>::after();
    claim(stacks->spares() == stacks->count, "a stack is still owned");
  }
};

}  // namespace tine::model

namespace tine::detail {

bool segmented_stack::begin() noexcept {
  segmented_stack& s = model::stacks->take().head;
  s.scope_ = sched::current_scope();
  s.take();
  return true;
}

void segmented_stack::end() noexcept {
  segmented_stack* s = leave();
  if (s == nullptr) return;
  model::strand_stack& stack = model::strand_stack::of(s);
  model::claim(stack.top.get() == 0, "a stack that is not empty is taken away");
  model::stacks->give_back(stack);
}

segmented_stack* segmented_stack::leave() noexcept {
  segmented_stack* s = current();
  if (s != nullptr) {
    model::strand_stack& stack = model::strand_stack::of(s);
    model::claim(stack.is_owned, "a thread leaves a stack that has no owner");
    stack.is_owned = false;
    stack.top.set(static_cast<int>(fiber_state::get<stack_top>() - stack.begin()));
  }
  for (const fiber_local_word w : {stack_top, stacklet_begin, stacklet_length, stack_object}) {
    sched::hot::words().fiber_local[w] = 0;
  }
  return s;
}

void segmented_stack::take() noexcept {
  model::strand_stack& stack = model::strand_stack::of(this);
  model::claim(current() == nullptr, "a thread takes a second stack");
  model::claim(!stack.is_owned, "a stack has two owners");
  stack.is_owned = true;
  const std::uintptr_t top = stack.begin() + static_cast<unsigned>(stack.top.get());
  stack.top.set(-1);
  fiber_state::set<stack_object>(this);
  fiber_state::set<stacklet_begin>(-stack.begin());
  fiber_state::set<stacklet_length>(sizeof stack.memory);
  fiber_state::set<stack_top>(top);
}

void* segmented_stack::allocate_frame_slowly(std::size_t bytes) noexcept {
  model::claim(current() == nullptr, "the model's stacks are too small");
  begin();
  return allocate_frame(bytes);
}

void* segmented_stack::allocate_slowly(std::size_t bytes) noexcept { return allocate_frame_slowly(bytes); }

// In place of coro/join_observed.cpp: no strand is observed.
void begin_observed_fork(frame&, sched::address, sched::site) noexcept {}
bool is_ended_placed() noexcept { return false; }
handed_on<sched::completion*>& native_join_of(frame& f) noexcept { return f.native_join; }
void first_done_observed(frame&, sched::branch_end) noexcept {}
void suspend_observed() noexcept {}
sched::join_counter* join_counter_of(frame&) noexcept { return nullptr; }
sched::placement_policy* policy_of_ended() noexcept { return nullptr; }
bool is_known_to_region(frame&, sched::address) noexcept { return false; }
void begin_stolen(frame&) noexcept {}
void end_stolen(frame&) noexcept {}
void join_observed(frame&, bool) noexcept {}

}  // namespace tine::detail

// Each model thread has its own list of caught exceptions.
extern "C" abi::__cxa_eh_globals* __cxa_get_globals_fast() noexcept {
  static void* outside[2]{};
  return reinterpret_cast<abi::__cxa_eh_globals*>(tine::model::os == nullptr ? outside
                                                                             : tine::model::this_thread().exceptions);
}
extern "C" abi::__cxa_eh_globals* __cxa_get_globals() noexcept { return __cxa_get_globals_fast(); }
