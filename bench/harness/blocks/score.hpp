// Phases that follow a schedule, and the ways to make a schedule: recorded, or coarsened (constrained stealing, §V and
// §VI).
#pragma once

#include "harness/blocks/managed.hpp"
#include "harness/blocks/partition.hpp"

#include <tine/replay.hpp>

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace bench {

/// Phases in which a range of blocks is one call if a strict schedule gives no part of it to other workers.
template <class Problem>
using coarse_blocks =
    std::conditional_t<Problem::forks_in_halves, halved_blocks<managed_loops, &tine::no_split_below>, looped_blocks>;

/// Phases that are recorded, to measure the cost of recording.
template <class Blocks>
struct recorded_blocks {
  template <class Body>
  void operator()(int count, const Body& body) const {
    tine::record([&] { Blocks{}(count, body); });
  }
};

/// The schedule of a program whose phases fork as `Blocks` does. All functions but `follow` place the problem's data
/// and leave it initialised; `follow` runs the computation.
template <class Blocks>
class score {
 public:
  /// Records the schedule of the initialisation, or of a rehearsal if the work is distributed differently in the
  /// initialisation.
  template <class Problem>
  void record(Problem& p) {
    p.allocate();
    if constexpr (Problem::starts_as_it_goes_on) {
      initialise(p, recording{schedule_});
    } else {
      initialise(p, Blocks{});
      rehearse(p, recording{schedule_});
      place(p);
    }
  }

  /// Tunes the schedule by replays in which idle workers may depart from it. Begins with the smallest blocks, and keeps
  /// only few steals, of large parts. The data is placed anew in each round. The result is the schedule that was followed
  /// fastest in all rounds. (A worker that the system delays for a moment leaves an uneven schedule.)
  template <class Problem>
  void coarsen(Problem& p) {
    p.use_smallest_blocks();
    record(p);
    tine::schedule fastest;
    for (int round = 0; round < rounds; ++round) {
      schedule_.prune(pruned_percent);
      place(p);
      tine::schedule strict = schedule_;
      rehearse(p, improving{strict, tine::replay_mode::strict_unordered});
      if (round == 0 || strict.duration_ns() < fastest.duration_ns()) fastest = strict;
      rehearse(p, improving{schedule_, tine::replay_mode::relaxed});
    }
    schedule_ = std::move(fastest);
    place(p);
  }

  /// Runs the computation by the schedule. Phases fork as `As` does, which must fork like `Blocks` wherever the
  /// schedule has an entry.
  template <class As = Blocks, class Problem>
  void follow(Problem& p, tine::replay_mode how) {
    solve(p, following<As>{schedule_, how});
  }

 private:
  static constexpr int rounds = 5;
  static constexpr double pruned_percent = 85;

  struct recording {
    tine::schedule& into;
    template <class Body>
    void operator()(int count, const Body& body) const {
      into = tine::record([&] { Blocks{}(count, body); });
    }
  };

  struct improving {
    tine::schedule& its;
    tine::replay_mode how;
    template <class Body>
    void operator()(int count, const Body& body) const {
      its = tine::replay(its, how, [&] { Blocks{}(count, body); }).performed;
    }
  };

  template <class As>
  struct following {
    const tine::schedule& its;
    tine::replay_mode how;
    template <class Body>
    void operator()(int count, const Body& body) const {
      const auto done = tine::replay(its, how, [&] { As{}(count, body); });
      // All phases fork alike, so a divergence is a mistake, and such a run is not worth measuring.
      if (how == tine::replay_mode::strict_ordered && done.diverged != 0)
        throw std::runtime_error{"a phase did not follow its schedule"};
    }
  };

  template <class Problem>
  void place(Problem& p) {
    p.allocate();
    initialise(p, following<Blocks>{schedule_, tine::replay_mode::strict_ordered});
  }

  tine::schedule schedule_;
};

}  // namespace bench
