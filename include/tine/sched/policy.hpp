// When a pending record becomes a task that others may steal: three policies behind one type.
#pragma once

namespace tine {

/// A promotion policy. A promotion costs one *token*; policies differ in where tokens come from and in
/// whether an idle worker must be waiting. Sources: our own measurements for `on_demand`; Spork §4.3
/// for `heartbeat`; classic work stealing for `eager`. A value type; copy it freely.
class promotion {
 public:
  enum class kind : unsigned char { on_demand, heartbeat, eager };

  /// The default: a record is promoted when a worker is idle *and* a token is there. A token accrues
  /// every `beat_us` microseconds of run time, and at most `cap` are kept, so a worker that ran for t
  /// promotes at most t/beat_us + cap times. The beat adapts: tasks that turn out shorter than four
  /// beats double it (up to 32 times), longer ones halve it back.
  static constexpr promotion on_demand(double beat_us = 16, int cap = 30) noexcept {
    return {kind::on_demand, beat_us, cap};
  }

  /// Heartbeat scheduling: every `period_us` microseconds of run time a worker gets `tokens` tokens and
  /// spends them on its oldest records whether or not anybody is idle; half of what is left goes along
  /// with each promoted child and comes back when the two join. Beats come as signals, which are given at most a tenth of the
  /// thread's time (on a usual machine 20 to 50 microseconds apart): a shorter period grants the tokens of several periods at once.
  static constexpr promotion heartbeat(double period_us = 500, int tokens = 30) noexcept {
    return {kind::heartbeat, period_us, tokens};
  }

  /// Every fork becomes a task at once. For comparison and for tests; costs tens of nanoseconds a fork.
  static constexpr promotion eager() noexcept { return {kind::eager, 0, 0}; }

  constexpr kind which() const noexcept { return kind_; }
  /// Microseconds of run time from one grant of tokens to the next; 0 for `eager`.
  constexpr double period_us() const noexcept { return period_us_; }
  /// `on_demand`: the most tokens kept. `heartbeat`: tokens granted per period. 0 for `eager`.
  constexpr int tokens() const noexcept { return tokens_; }

 private:
  constexpr promotion(kind k, double period_us, int tokens) noexcept
      : kind_{k}, period_us_{period_us}, tokens_{tokens} {}

  kind kind_;
  double period_us_;
  int tokens_;
};

/// How many of a worker's tokens go along with a child that it promotes, where tokens go along at all (`heartbeat`; Spork,
/// §§4.3 and 4.4). Those that are left come back when a stolen child is joined.
enum class token_sharing : unsigned char {
  none,  ///< the child has hardly any work
  half,  ///< child and parent have comparable work; a child that nobody stole loses them, as there are enough
  all,   ///< the child has nearly all the work; they come back from a child that nobody stole, too
};

}  // namespace tine
