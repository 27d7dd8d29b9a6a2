// Promotion policies decide when a pending record becomes a task that other workers may steal: three policies behind
// one plain value type.
#pragma once

namespace tine {

/// A promotion policy. A promotion costs one *token*. Policies differ in where tokens come from, and in whether an idle
/// worker must be waiting. Sources: our own measurements for `on_demand`; Spork §4.3 for `heartbeat`; classic work
/// stealing for `eager`. A value type that you may copy freely.
class promotion {
 public:
  /// The policies; the functions of the same names describe and make them.
  enum class kind : unsigned char {
    on_demand,  ///< when a worker is idle
    heartbeat,  ///< at each beat
    eager,      ///< at once
  };

  /// The default: we promote a record when a worker is idle *and* the owner of the record has a token. A token accrues
  /// every `beat_us` microseconds of run time, and a worker keeps at most `cap` of them. So a worker that ran for a
  /// time t promotes at most t/beat_us + cap times. The beat adapts: a task that turns out shorter than four beats
  /// doubles it (up to 32 times), a longer task halves it back.
  static constexpr promotion on_demand(double beat_us = 2, int cap = 30) noexcept {
    return {kind::on_demand, beat_us, cap};
  }

  /// Heartbeat scheduling: every `period_us` microseconds of run time a worker gets `tokens` tokens and spends them on
  /// its oldest records, even if no worker is idle. Half of the remaining tokens move to each promoted child, and come
  /// back when the two join. Beats come as signals, which may take at most a tenth of the thread's time, so on most
  /// machines they are at least 20 to 50 microseconds apart. If the period is shorter, a beat grants the tokens of
  /// several periods at once.
  static constexpr promotion heartbeat(double period_us = 500, int tokens = 30) noexcept {
    return {kind::heartbeat, period_us, tokens};
  }

  /// Every fork becomes a task at once. For comparison and for tests; it costs tens of nanoseconds per fork.
  static constexpr promotion eager() noexcept { return {kind::eager, 0, 0}; }

  /// Returns the kind of the policy.
  constexpr kind which() const noexcept { return kind_; }
  /// Microseconds of run time from one grant of tokens to the next; 0 for `eager`.
  constexpr double period_us() const noexcept { return period_us_; }
  /// `on_demand`: the most tokens that a worker keeps. `heartbeat`: the tokens granted per period. 0 for `eager`.
  constexpr int tokens() const noexcept { return tokens_; }

 private:
  constexpr promotion(kind k, double period_us, int tokens) noexcept
      : kind_{k}, period_us_{period_us}, tokens_{tokens} {}

  kind kind_;
  double period_us_;
  int tokens_;
};

/// The share of a worker's tokens that moves to a child that it promotes, under policies that move tokens (`heartbeat`;
/// Spork, §§4.3 and 4.4). If the child was stolen, the tokens that it has left come back at the join.
enum class token_sharing : unsigned char {
  none,  ///< the child has hardly any work
  half,  ///< child and parent have comparable work; an unstolen child loses its tokens, as there are enough
  all,   ///< the child has nearly all the work; its tokens come back from an unstolen child, too
};

}  // namespace tine
