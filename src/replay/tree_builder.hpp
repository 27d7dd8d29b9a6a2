// The steal tree of a region while it is being written. Every function is called under the session's lock.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/replay/schedule.hpp>

#include <deque>
#include <map>
#include <vector>

namespace tine::detail {

/// A segment, in ticks. Its end is written by the strand that is in it.
struct segment_builder {
  int owner = schedule::no_worker;
  std::uint32_t stamp = 0;
  base::ticks begin = 0, end = 0;
};

struct node_builder;

struct piece_builder {
  segment_builder run;
  node_builder* node = nullptr;
};

struct step_builder {
  std::uint32_t number;
  schedule::kind what;
  std::uint64_t count;
  segment_builder after;
  std::map<std::uint64_t, piece_builder> pieces;  ///< by their begins
};

struct node_builder {
  std::vector<step_builder*> steps;
};

/// The whole tree. Its nodes, steps and pieces keep their addresses.
class tree_builder {
 public:
  node_builder& root() noexcept { return nodes_.front(); }
  segment_builder& root_segment() noexcept { return root_; }

  step_builder& add_step(node_builder& to, std::uint32_t number, schedule::kind what, std::uint64_t count);
  node_builder& node_of(piece_builder& p);

  /// Writes that the strand of `s` has begun on worker `owner`.
  void stamp(segment_builder& s, unsigned owner, base::ticks now) noexcept {
    s = {static_cast<int>(owner), next_stamp_++, now, now};
  }

  /// Returns the tree as a value, for a region that began at `began` in a pool of `workers` workers.
  schedule finished(unsigned workers, base::ticks began) const;

 private:
  std::deque<node_builder> nodes_{1};
  std::deque<step_builder> steps_;
  segment_builder root_;
  std::uint32_t next_stamp_ = 0;
};

}  // namespace tine::detail
