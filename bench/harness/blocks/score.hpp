// Phases that follow a schedule, and the ways to make a schedule: recorded, tuned by idle workers, or coarsened
// (constrained stealing, §V and §VI).
#pragma once

#include "harness/blocks/managed.hpp"
#include "harness/blocks/partition.hpp"

#include <tine/replay.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// Phases in which a range of blocks is one call if a strict schedule gives no part of it to other workers.
template <class Problem>
using coarse_blocks =
    std::conditional_t<Problem::forks_in_halves, halved_blocks<managed_loops, &tine::no_split_below>, looped_blocks>;

/// Phases that are recorded, to measure the cost of recording.
template <class Blocks>
struct recorded_blocks {
  template <class Body>
  void operator()(int shape, int count, const Body& body) const {
    tine::record([&] { Blocks{}(shape, count, body); });
  }
};

/// A schedule for each shape of a program whose phases fork as `Blocks` does. All functions but `follow` place the
/// problem's data and leave it initialised; `follow` runs the computation.
template <class Blocks>
class score {
 public:
  /// Records the schedules of the initialisation, or of a rehearsal if the work is distributed differently in the
  /// initialisation.
  template <class Problem>
  void record(Problem& p) {
    parts_.assign(static_cast<std::size_t>(p.shapes()), {});
    p.allocate();
    if constexpr (Problem::starts_as_it_goes_on) {
      initialise(p, recording{parts_});
    } else {
      initialise(p, Blocks{});
      rehearse(p, recording{parts_});
      place(p);
    }
  }

  /// Tunes the schedules by replays in which idle workers may depart from the schedule, until none of them gets
  /// shorter. The schedule of the shortest phase of a shape is that of the next round, and the data is placed anew by
  /// it.
  template <class Problem>
  void relax(Problem& p) {
    record(p);
    std::vector<tine::replay_session> sessions{parts_.begin(), parts_.end()};
    const auto converged = [](const tine::replay_session& s) { return s.converged(); };
    for (int round = 0; round < most_rounds && !std::ranges::all_of(sessions, converged); ++round) {
      rehearse(p, tuning{sessions});
      std::ranges::transform(sessions, parts_.begin(), &tine::replay_session::best);
      place(p);
    }
  }

  /// Tunes the schedules, and then lets the phases of all shapes follow the schedule of the last shape, which is the
  /// finest cut of the data, in proportion. (The second scheme for mg in constrained stealing, §V.)
  template <class Problem>
  void relax_finest(Problem& p) {
    relax(p);
    std::fill(parts_.begin(), parts_.end(), tine::schedule{parts_.back()});
    place(p, tine::replay_mode::strict_unordered);
  }

  /// Tunes the schedules as `relax` does, but begins with the smallest blocks, and keeps only few steals, of large
  /// parts, of each schedule. The results are the schedules that were followed fastest in all rounds. (A worker that
  /// the system delays for a moment leaves an uneven schedule.)
  template <class Problem>
  void coarsen(Problem& p) {
    p.use_smallest_blocks();
    record(p);
    schedules fastest;
    for (int round = 0; round < rounds; ++round) {
      prune();
      place(p);
      schedules strict = parts_;
      rehearse(p, improving{strict, tine::replay_mode::strict_unordered});
      keep_faster(fastest, strict);
      rehearse(p, improving{parts_, tine::replay_mode::relaxed});
    }
    parts_ = std::move(fastest);
    place(p);
  }

  /// Runs the computation by the schedules. Phases fork as `As` does, which must fork like `Blocks` wherever a schedule
  /// has an entry.
  template <class As = Blocks, class Problem>
  void follow(Problem& p, tine::replay_mode how) {
    solve(p, following<As>{parts_, how});
  }

 private:
  using schedules = std::vector<tine::schedule>;
  static constexpr int rounds = 5, most_rounds = 16;
  static constexpr double pruned_percent = 85;

  struct recording {
    schedules& parts;
    template <class Body>
    void operator()(int shape, int count, const Body& body) const {
      parts[static_cast<std::size_t>(shape)] = tine::record([&] { Blocks{}(shape, count, body); });
    }
  };

  struct tuning {
    std::vector<tine::replay_session>& sessions;
    template <class Body>
    void operator()(int shape, int count, const Body& body) const {
      sessions[static_cast<std::size_t>(shape)].run([&] { Blocks{}(shape, count, body); });
    }
  };

  struct improving {
    schedules& parts;
    tine::replay_mode how;
    template <class Body>
    void operator()(int shape, int count, const Body& body) const {
      tine::schedule& part = parts[static_cast<std::size_t>(shape)];
      part = tine::replay(part, how, [&] { Blocks{}(shape, count, body); }).performed;
    }
  };

  template <class As>
  struct following {
    const schedules& parts;
    tine::replay_mode how;
    template <class Body>
    void operator()(int shape, int count, const Body& body) const {
      const tine::schedule& part = parts[static_cast<std::size_t>(shape)];
      const auto done = tine::replay(part, how, [&] { As{}(shape, count, body); });
      // Phases of one shape fork alike, so a divergence is a mistake, and such a run is not worth measuring.
      if (how == tine::replay_mode::strict_ordered && done.diverged != 0)
        throw std::runtime_error{"a phase did not follow its schedule"};
    }
  };

  template <class Problem>
  void place(Problem& p, tine::replay_mode how = tine::replay_mode::strict_ordered) {
    p.allocate();
    initialise(p, following<Blocks>{parts_, how});
  }

  static void keep_faster(schedules& fastest, const schedules& others) {
    if (fastest.empty()) fastest = others;
    for (std::size_t shape = 0; shape < others.size(); ++shape) {
      if (others[shape].duration_ns() < fastest[shape].duration_ns()) fastest[shape] = others[shape];
    }
  }

  void prune() {
    for (tine::schedule& part : parts_) part.prune(pruned_percent);
  }

  schedules parts_;
};

}  // namespace bench
