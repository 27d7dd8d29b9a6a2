// The steal tree of a region while it is being written. Every function is called under the region's lock.
#pragma once

#include <tine/base/clock.hpp>
#include <tine/replay/schedule.hpp>

#include <deque>
#include <map>
#include <vector>

namespace tine::detail {

/// A segment, in ticks. Its end is written by the strand that is in it.
struct written_segment {
  int owner = schedule::no_worker;
  std::uint32_t stamp = 0;
  base::ticks begin = 0, end = 0;
};

struct written_node;

struct written_piece {
  written_segment run;
  written_node* node = nullptr;
};

struct written_step {
  std::uint32_t number;
  schedule::kind what;
  std::uint64_t count;
  written_segment after;
  std::map<std::uint64_t, written_piece> pieces;  ///< by their begins
};

struct written_node {
  std::vector<written_step*> steps;
};

/// The whole tree. Its nodes, steps and pieces keep their addresses.
class written_tree {
 public:
  written_node& root() noexcept { return nodes_.front(); }
  written_segment& root_segment() noexcept { return root_; }

  written_step& add_step(written_node& to, std::uint32_t number, schedule::kind what, std::uint64_t count);
  written_node& node_of(written_piece& p);

  /// Writes that the strand of `s` has begun on worker `owner`.
  void stamp(written_segment& s, unsigned owner, base::ticks now) noexcept {
    s = {static_cast<int>(owner), next_stamp_++, now, now};
  }

  /// Returns the tree as a value, for a region that began at `began` in a pool of `workers` workers.
  schedule finished(unsigned workers, base::ticks began) const;

 private:
  std::deque<written_node> nodes_{1};
  std::deque<written_step> steps_;
  written_segment root_;
  std::uint32_t next_stamp_ = 0;
};

}  // namespace tine::detail
