// A barrier whose waiters suspend. Any thread may arrive and wait, inside and outside of pools.
#pragma once

#include <tine/detail/sync/locking.hpp>
#include <tine/detail/sync/wait_queue.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// The phases of a barrier. The word has the number of parties that have not arrived, below the number of the phase.
struct phases {
  using word = wait_queue::word;
  static constexpr word unit = wait_queue::unit;
  static constexpr unsigned phase_shift = 33;
  static constexpr word most = (word{1} << 31) - 1;

  struct arrival {
    word phase;
    bool is_last;
  };
  /// `n` parties arrive. If they are the last ones, `end_phase` must be called. Ends the program if they are too many.
  TINE_API arrival arrive(word n) noexcept;
  TINE_API void end_phase() noexcept;
  bool has_ended(word phase) const noexcept {
    // acquire pairs with the release in unlock of the queue, so that we see what all parties and the completion wrote
    return queue.state.load(base::acquire) >> phase_shift != phase;
  }
  TINE_API bool has_ended_or_enqueue(word phase, lock_waiter& w) noexcept;
  TINE_API TINE_COLD void wait_slowly(word phase) noexcept;

  wait_queue queue;
  base::atomic<word> expected;  ///< the parties of the next phase
};

struct no_completion {
  void operator()() const noexcept {}
};

}  // namespace detail

/// As std::barrier. A strand that waits leaves its worker to other work, so branches of `tine::par` and forked tasks
/// may wait for each other, on any number of workers; iterations of one loop must not. The completion function runs on
/// the strand that arrives last in a phase, and may fork. You may destroy it as soon as every wait has returned.
template <class CompletionFunction = detail::no_completion>
class barrier {
  static_assert(std::is_nothrow_invocable_v<CompletionFunction&>, "tine::barrier: the completion must be noexcept");
  using word = detail::phases::word;

  struct phase_end {
    static constexpr bool reads = false;
    static constexpr detail::lock_kind kind = detail::lock_kind::barrier;
    detail::phases& of;
    word phase;
    bool acquire_now() const noexcept { return of.has_ended(phase); }
    void acquire() const noexcept {
      if (!of.has_ended(phase)) of.wait_slowly(phase);
    }
    bool enqueue(detail::lock_waiter& w) const noexcept { return !of.has_ended_or_enqueue(phase, w); }
    void end_wait(bool) const noexcept {}
    const void* object() const noexcept { return &of; }
  };

 public:
  /// The phase in which a party arrived, for `wait`. Moves and copies.
  class arrival_token {
    friend barrier;
    explicit arrival_token(word phase) noexcept : phase_{phase} {}
    word phase_;
  };

  /// The most parties that a phase can have.
  static constexpr std::ptrdiff_t max() noexcept { return static_cast<std::ptrdiff_t>(detail::phases::most); }

  /// `expected`: the number of parties of each phase, from 0 to max().
  constexpr explicit barrier(std::ptrdiff_t expected, CompletionFunction on_completion = CompletionFunction())
      : phases_{{.state{word(expected) * detail::phases::unit}}, {word(expected)}},
        complete_{std::move(on_completion)} {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  /// `n` parties arrive. Never waits, but calls the completion function if they are the last ones of the phase. Ends
  /// the program if more parties arrive than are expected.
  [[nodiscard]] arrival_token arrive(std::ptrdiff_t n = 1) { return arrival_token{arrive_in(word(n))}; }
  /// Waits for the end of that phase: at the end of the full expression, or when a task awaits the result. Don't keep
  /// the result.
  detail::locking<phase_end> wait(arrival_token&& at) noexcept { return wait_for(at.phase_); }
  /// Arrives, and waits.
  detail::locking<phase_end> arrive_and_wait() { return wait_for(arrive_in(1)); }
  /// Arrives for this phase, and is not expected in the next ones.
  void arrive_and_drop() {
    phases_.expected.fetch_sub(1, base::relaxed);  // relaxed: the arrival passes it on
    arrive_in(1);
  }

 private:
  detail::locking<phase_end> wait_for(word phase) noexcept {
    return detail::locking<phase_end>{phase_end{phases_, phase}};
  }
  word arrive_in(word n) {
    const detail::phases::arrival a = phases_.arrive(n);
    if (a.is_last) {
      complete_();
      phases_.end_phase();
    }
    return a.phase;
  }

  detail::phases phases_;
  [[no_unique_address]] CompletionFunction complete_;
};

}  // namespace tine
