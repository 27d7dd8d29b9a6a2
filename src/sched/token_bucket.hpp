// The tokens of one worker, and its run time. A promotion costs a token; the policy decides where tokens come from
// (include/tine/sched/promotion.hpp). Time is an argument, so tests and the simulator (tools/simulate) can bring their
// own clock.
//
// Belongs to one worker's thread and the signal handler on it.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/sched/promotion.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace tine::sched {

/// Why a record is promoted: a fork found a work request pending, or a signal came because there was no fork for long.
enum class promoted_by : unsigned char { poll, signal };

class token_bucket {
 public:
  /// `per_us`: ticks per microsecond.
  token_bucket(const promotion& policy, double per_us) noexcept
      : kind_{policy.which()},
        grant_{kind_ == promotion::kind::heartbeat ? policy.tokens() : 1},
        period_{std::max<base::ticks>(1, static_cast<base::ticks>(policy.period_us() * per_us))},
        beat_{period_} {
    if (kind_ == promotion::kind::on_demand) {
      // Half of the cap is there at the start, and signals may borrow the other half. So t ticks of run time never pay
      // for more than t / beat + cap promotions.
      cap_ = policy.tokens();
      deficit_ = cap_ / 2;
      tokens_ = cap_ - deficit_;
    }
  }

  promotion::kind kind() const noexcept { return kind_; }
  int tokens() const noexcept { return tokens_; }
  base::ticks beat() const noexcept { return beat_; }
  base::ticks run_time() const noexcept { return run_time_; }

  /// `resume`: run time starts. `pause`: it ends; returns all of it so far.
  void resume(base::ticks now) noexcept { since_ = now; }
  base::ticks pause(base::ticks now) noexcept { return pass(now), run_time_; }

  /// Grants the tokens that the run time up to `now` has earned.
  void accrue(base::ticks now) noexcept {
    pass(now);
    const base::ticks beats = unspent_time_ / beat_;
    if (beats == 0) return;
    unspent_time_ -= beats * beat_;
    const auto most = static_cast<base::ticks>(cap_ - tokens_);
    tokens_ = beats * grant_ >= most ? cap_ : tokens_ + static_cast<int>(beats) * grant_;
  }

  /// Pays for a promotion. Returns false if there is no token. A signal may leave a token deficit, because its victim
  /// has not forked for long.
  bool spend(promoted_by why) noexcept {
    if (kind_ == promotion::kind::eager) return true;
    if (tokens_ <= (why == promoted_by::signal ? -deficit_ : 0)) return false;
    --tokens_;
    return true;
  }

  /// Heartbeat: returns the tokens that move to a promoted child.
  int share(token_sharing how) noexcept { return beats() ? split_off(how) : 0; }
  /// Heartbeat: the child, which had got `shared` tokens, was not stolen.
  void reclaim(token_sharing how, int shared) noexcept {
    if (how == token_sharing::all) receive(shared);
  }
  /// Heartbeat: all tokens leave with the work that they belong to (`hand_over`), and arrive with it (`receive`).
  int hand_over() noexcept { return beats() ? std::exchange(tokens_, 0) : 0; }
  void receive(int tokens) noexcept {
    if (beats()) tokens_ = std::min(cap_ - tokens, tokens_) + tokens;
  }

  /// On demand: a stolen task that ran for less than four beats was not worth its promotion, so the beat doubles, up to
  /// 32 times; a longer task halves it back. Without this, loops over small arrays would lose by moving data what they
  /// gain.
  void learn(bool task_was_short) noexcept {
    if (kind_ != promotion::kind::on_demand) return;
    beat_ = task_was_short ? std::min(32 * period_, beat_ * 2) : std::max(period_, beat_ / 2);
    if (task_was_short) tokens_ = std::min(tokens_, 4);
  }

  /// Returns the time at which there is a token again, if the run time doesn't pause.
  base::ticks next_token_at() const noexcept {
    const auto missing = static_cast<base::ticks>(tokens_ < 0 ? 1 - tokens_ : 1);
    return since_ - unspent_time_ + beat_ * missing;
  }

  /// Returns true if a task that ran for `span` was too short to be worth a promotion.
  bool is_short_task(base::ticks span) const noexcept { return span < 4 * period_; }

 private:
  bool beats() const noexcept { return kind_ == promotion::kind::heartbeat; }

  int split_off(token_sharing how) noexcept {
    const int shared = how == token_sharing::all ? tokens_ : how == token_sharing::half ? tokens_ / 2 : 0;
    tokens_ -= shared;
    return shared;
  }

  void pass(base::ticks now) noexcept {
    if (now <= since_) return;  // another processor's counter may lag by a few ticks
    run_time_ += now - since_;
    unspent_time_ += now - since_;
    since_ = now;
  }

  promotion::kind kind_;
  int grant_;
  int cap_ = std::numeric_limits<int>::max() / 2;
  int deficit_ = 0;
  int tokens_ = 0;
  base::ticks period_;
  base::ticks beat_;
  base::ticks since_ = 0;
  base::ticks unspent_time_ = 0;
  base::ticks run_time_ = 0;
};

}  // namespace tine::sched
