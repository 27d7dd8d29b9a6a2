// Vertices that count units reported by the code under test instead of reading a clock. Their values can be computed by
// hand.
#pragma once

#include <tine/augment.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine::test {

/// Work and span in units that the code under test spends itself. The vertex has no functions for loops, so it sees
/// them as forks.
struct tally {
  long work = 0, span = 0, forks = 0;

  void join(tally& left, tally& right, tally& after) {
    after.work = work + left.work + right.work;
    after.span = span + std::max(left.span, right.span);
    after.forks = forks + left.forks + right.forks + 1;
  }
  friend bool operator==(const tally&, const tally&) = default;
};

/// A tally with loops as nodes. The runtime reports every iteration of a loop.
struct loop_tally {
  long work = 0, span = 0, forks = 0, loops = 0;
  long longest = 0;  ///< in a subrange: the span of its longest iteration that has ended

  void join(loop_tally& left, loop_tally& right, loop_tally& after) {
    after.work = work + left.work + right.work;
    after.span = span + std::max(left.span, right.span);
    after.forks = forks + left.forks + right.forks + 1;
    after.loops = loops + left.loops + right.loops;
    after.longest = longest;
  }
  void loop(loop_tally&, std::uint64_t) {}
  void iteration(std::uint64_t, std::uint64_t) { end_iteration(); }
  void append(loop_tally& next) {
    end_iteration();
    next.end_iteration();
    longest = std::max(longest, next.longest);
    add(next);
  }
  void join_loop(loop_tally& subrange, loop_tally& after) {
    subrange.end_iteration();
    after = *this;
    after.add(subrange);
    after.span += subrange.longest;
    ++after.loops;
  }
  friend bool operator==(const loop_tally&, const loop_tally&) = default;

 private:
  void end_iteration() {
    longest = std::max(longest, span);
    span = 0;
  }
  void add(const loop_tally& other) {
    work += other.work;
    forks += other.forks;
    loops += other.loops;
  }
};

/// Counts the calls at a wrong time: starts and stops that do not alternate, and other events in the wrong state.
struct alternation {
  bool runs = false;
  long wrong = 0;

  void start(base::ticks) { wrong += std::exchange(runs, true); }
  void stop(base::ticks) { wrong += !std::exchange(runs, false); }
  void fork(alternation&, alternation&) { wrong += runs; }
  void join(alternation& left, alternation& right, alternation& after) {
    after.wrong = wrong + runs + left.end() + right.end();
  }
  void loop(alternation&, std::uint64_t) {}  // is called on several threads, so it counts nothing
  void iteration(std::uint64_t, std::uint64_t) { wrong += !runs; }
  void append(alternation& next) { wrong += runs + next.end(); }
  void join_loop(alternation& subrange, alternation& after) { after.wrong = wrong + runs + subrange.end(); }

  /// Returns the number of wrong calls if the vertex ends here; a vertex must not end while it runs.
  long end() const { return wrong + runs; }
};

/// Adds `units` of work to the current vertex of each of these types, if there is one.
template <class... V>
void spend(long units) {
  const auto at = [units](auto* v) {
    if (v == nullptr) return;
    v->work += units;
    v->span += units;
  };
  (at(tine::current_vertex<V>()), ...);
}

}  // namespace tine::test
