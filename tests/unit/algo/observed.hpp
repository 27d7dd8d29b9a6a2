// Runs a test under the tools of the runtime.
#pragma once

#include <tine/augment.hpp>
#include <tine/replay.hpp>

#include <functional>

namespace tine::test {

/// Counts forks; it sees a loop of n iterations as n - 1 forks.
struct forks_below {
  long forks = 0;
  void join(const forks_below& left, const forks_below& right, forks_below& after) const {
    after.forks = forks + left.forks + right.forks + 1;
  }
};

inline long forks_of(const std::function<void()>& body) { return augment<forks_below>(body).forks; }

/// Runs `body` under an analysis that the runtime has, under one whose loops run as trees of single iterations,
/// recorded, and replayed.
inline void run_observed(const std::function<void()>& body) {
  augment<work_span>(body);
  augment<forks_below>(body);
  const auto schedule = record(body);
  replay(schedule, replay_mode::relaxed, body);
}

/// As `run_observed`, after a run that has no observer.
inline void run_in_all_ways(const std::function<void()>& body) {
  body();
  run_observed(body);
}

}  // namespace tine::test
