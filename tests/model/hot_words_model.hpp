// The hot words of a model's threads. Included by <tine/sched/hot_words.hpp> in place of its inline assembly.
//
// Each function is one access, as in the product, and a signal may arrive before each: that is every point in user code
// at which it matters when the handler runs.
#pragma once

namespace tine::model {

/// The block of the model thread that runs.
sched::hot_words& words_of_this_thread() noexcept;

/// Between two instructions of user code. The handler of a signal that is under way may run here.
void between_instructions() noexcept;

/// Whether a call seems one too many for the native stack.
bool feels_deep() noexcept;

}  // namespace tine::model

namespace tine::sched::hot {

inline hot_words& words() noexcept { return model::words_of_this_thread(); }

inline address top() noexcept {
  model::between_instructions();
  return words().top.load(base::relaxed);
}

inline void set_top(address t) noexcept {
  model::between_instructions();
  words().top.store(t, base::relaxed);
}

inline bool is_promoted(address t) noexcept {
  model::between_instructions();
  return t < words().bot.load(base::relaxed);
}

inline bool is_rung(address t) noexcept {
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

// A strand's words: no handler touches them.

template <unsigned I>
std::uintptr_t strand() noexcept {
  return words().strand[I];
}

template <unsigned I>
void set_strand(std::uintptr_t word) noexcept {
  words().strand[I] = word;
}

template <unsigned I>
bool is_strand_set() noexcept {
  return words().strand[I] != 0;
}

template <unsigned I, unsigned J>
bool is_outside_strand(std::uintptr_t where, std::size_t bytes) noexcept {
  const std::uintptr_t begin = -words().strand[I];
  return begin == 0 || where < begin || where - begin + bytes > words().strand[J];
}

template <unsigned I>
bool is_stack_below_strand() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < words().strand[I] || model::feels_deep();
}

}  // namespace tine::sched::hot
