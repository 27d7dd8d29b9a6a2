// The parts from which `this_strand_trace` is made. All of it is async-signal-safe.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/sched/strand_trace.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tine::sched {

/// From now on the end of the program by a message of tine's prints the trace of the strand, too.
void listen_to_end() noexcept;

/// The entries written so far.
class trace_writer {
 public:
  explicit trace_writer(std::span<trace_entry> into) noexcept : into_{into} {}
  /// Does nothing if there is no space.
  void add(trace_kind kind, const void* code) noexcept {
    if (!is_full()) into_[count_++] = {code, kind};
  }
  bool is_full() const noexcept { return count_ == into_.size(); }
  std::size_t count() const noexcept { return count_; }

 private:
  std::span<trace_entry> into_;
  std::size_t count_ = 0;
};

/// The place at which the coroutines of a fiber began.
struct coroutine_begin {
  const void* root;  ///< the root that all of them are for; null: there is no coroutine, or the root is on this fiber
  address records;  ///< the forks around the code that waits for the root have their records below; null: no code waits
  const void* end_of_root;  ///< the function that is called when the root ends
};

/// Appends the coroutines that wait for those on the native stack. `words`: the fiber-local words of the running fiber,
/// whose native stack is [`stack`, `stack_end`). The front end of coroutines defines it
/// (src/coro/suspended_callers.cpp).
coroutine_begin add_suspended_callers(trace_writer& to, const std::uintptr_t* words, const void* stack,
                                      const void* stack_end) noexcept;

/// Returns the function that resumes a queued continuation; null if it has none (the same file).
const void* code_of_continuation(std::uintptr_t continuation) noexcept;

}  // namespace tine::sched
