// The hot words of a model's threads. <tine/detail/sched/hot_words.hpp> includes this file in place of its inline
// assembly.
//
// Each function is one access, as in the product, and a signal may arrive before each access. These are all the points
// in user code at which the moment of the handler matters.
#pragma once

namespace tine::model {

/// The hot words of the running model thread.
sched::hot_words& words_of_this_thread() noexcept;

/// A point between two instructions of user code, at which the handler of a signal that is under way may run.
void between_instructions() noexcept;

/// Returns true, at random, if a call is to find the native stack used up.
bool feels_deep() noexcept;

}  // namespace tine::model

namespace tine::sched::hot {

class block {};

inline hot_words& words() noexcept { return model::words_of_this_thread(); }

inline address top(block = {}) noexcept {
  model::between_instructions();
  return words().top.load(base::relaxed);
}

inline void set_top(address t, block = {}) noexcept {
  model::between_instructions();
  words().top.store(t, base::relaxed);
}

inline bool is_promotion_limit(address t, block = {}) noexcept {
  model::between_instructions();
  return words().promotion_limit.load(base::relaxed) == t;
}

inline void set_promotion_limit(address t, block = {}) noexcept {
  model::between_instructions();
  words().promotion_limit.store(t, base::relaxed);
}

inline bool is_promoted(address t, block = {}) noexcept {
  model::between_instructions();
  return t < words().bot.load(base::relaxed);
}

inline bool is_past_limit(address t, block = {}) noexcept {
  model::between_instructions();
  return t >= words().limit.load(base::relaxed);
}

inline bool is_limit(address l) noexcept {
  model::between_instructions();
  return words().limit.load(base::relaxed) == l;
}

inline worker* self() noexcept { return words().self; }

inline void enter_scheduler() noexcept {
  model::between_instructions();
  words().in_scheduler = 1;
}

inline void leave_scheduler() noexcept {
  words().in_scheduler = 0;
  model::between_instructions();
}

// The words of a strand. No signal handler accesses them.

template <unsigned I>
std::uintptr_t fiber_local(block = {}) noexcept {
  return words().fiber_local[I];
}

template <unsigned I>
void set_fiber_local(std::uintptr_t word, block = {}) noexcept {
  words().fiber_local[I] = word;
}

template <unsigned I>
bool is_above_fiber_local(std::uintptr_t value) noexcept {
  return value > words().fiber_local[I];
}

template <unsigned I>
bool is_fiber_local_set() noexcept {
  return words().fiber_local[I] != 0;
}

template <unsigned I, unsigned J>
bool is_outside_fiber_local(std::uintptr_t where, std::size_t bytes, block = {}) noexcept {
  const std::uintptr_t begin = -words().fiber_local[I];
  return begin == 0 || where < begin || where - begin + bytes > words().fiber_local[J];
}

template <unsigned I>
bool is_stack_below_fiber_local(block = {}) noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < words().fiber_local[I] || model::feels_deep();
}

}  // namespace tine::sched::hot
