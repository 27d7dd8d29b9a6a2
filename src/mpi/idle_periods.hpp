// The periods in which a rank had no work, in bounded memory.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/sched/job_part.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tine::mpi::detail {

/// At most `most` periods. If there are more, periods with short gaps between them become one, which remembers the time
/// without work in it.
class idle_periods {
 public:
  static constexpr std::size_t most = 1024;

  /// Adds a period that ends after all periods so far. Only the part counts that begins after them. Linear now and
  /// then, otherwise constant.
  void add(base::ticks begin, base::ticks end) {
    if (!all_.empty()) begin = std::max(begin, all_.back().end);
    if (begin >= end) return;
    append({begin, end, end - begin});
    while (all_.size() > most) {
      gap_ = std::max<base::ticks>(2 * gap_, 1);
      for (const sched::idle_period& p : std::exchange(all_, {})) append(p);
    }
  }

  const std::vector<sched::idle_period>& all() const noexcept { return all_; }

 private:
  void append(const sched::idle_period& p) {
    if (!all_.empty() && p.begin - all_.back().end <= gap_) {
      all_.back().end = p.end;
      all_.back().without_work += p.without_work;
    } else {
      all_.push_back(p);
    }
  }

  std::vector<sched::idle_period> all_;
  base::ticks gap_ = 0;  ///< gaps up to this length are closed
};

}  // namespace tine::mpi::detail
