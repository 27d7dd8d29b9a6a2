// The starvation experiment: a worker forks and then runs arithmetic that never polls. Another worker becomes idle only
// afterwards, and must run the pending branch nevertheless. The unit test checks that it does, tests/stress/starvation
// measures how soon.
#pragma once

#include <tine/tine.hpp>

#include <tine/base/ticks.hpp>

#include <unistd.h>
#include <atomic>

namespace tine::test {

/// The events before the leaf begins.
enum class prelude : unsigned char {
  none,         ///< the other worker is busy with a branch of its own
  forks_100,    ///< as `none`, and 100 tiny forks come just before
  forks_20000,  ///< as `none`, and 20,000 tiny forks come just before
  asleep,       ///< the other worker has found nothing to do for 3 ms: in a lazy pool, it sleeps
};

inline const char* name_of(prelude p) {
  switch (p) {
    case prelude::none:
      return "B busy at the fork";
    case prelude::forks_100:
      return "B busy, 100 tiny forks before";
    case prelude::forks_20000:
      return "B busy, 20000 tiny forks before";
    case prelude::asleep:
      return "B idle for long";
  }
  return "";
}

class starvation {
 public:
  /// `leaf_us`: the time for which the leaf waits for the branch to begin before it gives up.
  starvation(prelude before, double leaf_us, double other_us)
      : before_{before}, leaf_us_{leaf_us}, other_us_{other_us} {}

  /// Runs in a pool of two workers. Returns true if the branch began while the leaf ran, and on another thread.
  bool run(pool& p) {
    p.run([this] {
      if (before_ == prelude::asleep) {
        opaque(base::to_ticks(3000));
        idle_since_ = base::now();
        fork_leaf();
      } else {
        par([this] { be_first(); }, [this] { be_other(); });
      }
    });
    return in_time_;
  }

  /// Returns the time from the moment at which B was idle and the branch pending to the branch's begin.
  double delay_us() const {
    const base::ticks from = idle_since_ > leaf_began_ ? idle_since_ : leaf_began_;
    return branch_began_ > from ? static_cast<double>(branch_began_ - from) / base::ticks_per_microsecond() : 0;
  }

 private:
  /// Computes for `length` ticks without a call, a fork or a poll.
  [[gnu::noinline]] static void opaque(base::ticks length) {
    const base::ticks from = base::now();
    volatile double x = 1;
    while (base::now() - from < length) x = x * 1.0000001 + 1e-9;
  }

  static long tiny(int n) {
    if (n == 0) return 1;
    return par([=] { return tiny(n - 1); }, [=] { return long{n}; }, [](long a, long b) { return a + b; });
  }

  void be_first() {
    while (!other_began_.load()) opaque(100);  // no poll: the promise must hold for this branch, too
    const int rounds = before_ == prelude::forks_100 ? 10 : before_ == prelude::forks_20000 ? 2000 : 0;
    for (int i = 0; i < rounds; ++i) tiny(10);
    fork_leaf();
  }

  void be_other() {
    other_began_.store(true);
    while (!leaf_runs_.load()) opaque(100);
    opaque(base::to_ticks(other_us_));
    idle_since_ = base::now();
  }

  void fork_leaf() {
    par([this] { run_leaf(); },
        [this] {
          branch_began_ = base::now();
          branch_thread_ = gettid();
          branch_runs_.store(true);
        });
  }

  void run_leaf() {
    const pid_t here = gettid();
    leaf_began_ = base::now();
    leaf_runs_.store(true);
    const base::ticks length = base::to_ticks(leaf_us_);
    while (!branch_runs_.load() && base::now() - leaf_began_ < length) opaque(1000);
    in_time_ = branch_runs_.load() && branch_thread_ != here;
  }

  const prelude before_;
  const double leaf_us_;
  const double other_us_;
  std::atomic<bool> other_began_{false}, leaf_runs_{false}, branch_runs_{false};
  base::ticks idle_since_ = 0, leaf_began_ = 0, branch_began_ = 0;
  pid_t branch_thread_ = 0;
  bool in_time_ = false;
};

}  // namespace tine::test
