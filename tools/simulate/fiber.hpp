// Fibers of the simulated scheduler, with their position in the program, and the tasks that were promoted from them.
#pragma once

#include "simulate/part.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tine::simulate {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// A promoted record.
struct promoted_task {
  enum class state : std::uint8_t { queued, stolen, finished };
  part what;
  state is = state::queued;
  bool was_short = false;       ///< it ended soon after it was stolen
  std::uint32_t waiter = none;  ///< the fiber that waits for it at the join
  std::uint64_t stolen_at = 0;
};

/// A fiber runs the positions of a part in their order. Each open join is a position at which it needs a promoted task
/// to be finished; the newest one comes first.
class fiber {
 public:
  struct open_join {
    part before;               ///< `inside_` at the promotion
    std::uint64_t at, resume;  ///< the position of the join, and that behind the task
    std::uint32_t task;
  };

  void begin(const part& what) {
    joins.clear();
    inside_ = below_ = what;
    position = what.begin;
    end = what.end();
  }

  /// Returns the next position at which the fiber cannot simply continue.
  std::uint64_t stop() const noexcept { return joins.empty() ? end : joins.back().at; }

  /// Returns the part that the oldest pending record holds, for as many takers (sched/splittable_range.hpp), at `at`;
  /// nothing if no record is pending. Then `changes` is a position before which no record becomes pending.
  std::optional<part> pending(const program& p, std::uint64_t at, unsigned takers, std::uint64_t& changes);

  /// The pending part has become a task.
  void promote(const part& taken, std::uint32_t as) {
    joins.push_back({inside_, taken.begin, taken.end(), as});
    below_ = inside_ = found_;
  }

  /// The newest join is over, or its record has been reclaimed.
  void close_join() {
    inside_ = below_ = joins.back().before;
    joins.pop_back();
  }

  std::uint64_t position = 0;  ///< at the time since which its worker runs it
  std::uint64_t end = 0;
  std::vector<open_join> joins;
  std::uint32_t task = none;    ///< that it runs; none: a root
  std::uint32_t worker = none;  ///< the worker that has run it last

 private:
  part inside_;  ///< holds all records that are not promoted
  part below_;   ///< inside of it, as far as earlier calls have found that nothing is pending above
  part found_;   ///< what the owner keeps if the pending part is taken
};

}  // namespace tine::simulate
