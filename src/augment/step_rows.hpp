// The rows of a profile for the paths to strands: each row is a step from a fork or loop to one of its branches or
// iterations.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace tine::detail {

/// This bit and the return address of a call that adds a task to a group stand in place of a site.
inline constexpr sched::site of_task = sched::site{1} << 61;

/// Not thread-safe.
class step_rows {
 public:
  /// Returns the number of a step's row, and adds the row if it is new. `parent`: the row of the step around it.
  /// `where`: the fork or loop. `branch`: see trace::race_step.
  std::uint32_t number(std::uint32_t parent, sched::site where, bool is_loop, std::uint64_t branch, bool is_cut) {
    const trace::construct kind = is_loop                              ? trace::construct::loop
                                  : (where & sched::of_coroutine) != 0 ? trace::construct::coroutine_fork
                                  : (where & of_task) != 0             ? trace::construct::task
                                                                       : trace::construct::fork;
    const std::uint64_t address = where & ~(sched::of_coroutine | of_task);
    const auto [known, is_new] =
        numbers_.try_emplace({parent, address, kind, branch, is_cut}, static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back({parent, address, kind, branch, is_cut});
    return known->second;
  }

  const std::vector<trace::race_step>& rows() const noexcept { return rows_; }

 private:
  std::map<std::tuple<std::uint32_t, std::uint64_t, trace::construct, std::uint64_t, bool>, std::uint32_t> numbers_;
  std::vector<trace::race_step> rows_;
};

}  // namespace tine::detail
