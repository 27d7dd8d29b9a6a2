// The paths of a profile's races, and where two paths part. Inner header of report.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::report {

/// Where two paths part. All members are rows of the profile's race steps, or `trace::nothing`.
struct parting_steps {
  std::uint32_t common = trace::nothing;  ///< the innermost step that both paths have
  std::uint32_t earlier =
      trace::nothing;  ///< the step below `common` on the first path; nothing if the path ends at `common`
  std::uint32_t later = trace::nothing;  ///< the same of the second path
};

/// The steps as trees, in which a question takes time in the order of the logarithm of the depth: paths may be as long
/// as the profile.
///
/// Steps that are equal and have equal parents are one step. This is no error for the two accesses of a race: two
/// instances of one construct directly below the same step run one after the other, so accesses in them are no race.
class race_paths {
 public:
  /// Parents stand before their children, which the reader checks.
  explicit race_paths(const std::vector<trace::race_step>& steps);

  parting_steps part(std::uint32_t earlier, std::uint32_t later) const;

  /// Returns false if some of the steps to `step` were not kept.
  bool is_complete(std::uint32_t step) const;

  /// Returns the innermost steps from below `above` to `step`, outermost first, and at most `most` of them. `above` is
  /// a step on the way to `step`, or nothing.
  std::vector<std::uint32_t> steps_below(std::uint32_t above, std::uint32_t step, std::size_t most) const;

  /// Returns the number of steps from below `above` to `step`.
  std::uint64_t count_below(std::uint32_t above, std::uint32_t step) const;

 private:
  // A step, or the node above all steps, which is node 0. `jump` is a node above: with these, a way up has
  // logarithmically many pieces.
  struct node {
    std::uint32_t parent = 0, jump = 0, depth = 0;
    std::uint32_t same = 0;  // the first node with the same path
    bool is_complete = true;
  };

  std::uint32_t node_of(std::uint32_t step) const { return step == trace::nothing ? 0 : nodes_[step + 1].same; }
  std::uint32_t above(std::uint32_t at, std::uint32_t depth) const;

  std::vector<node> nodes_;
};

}  // namespace tine::report
