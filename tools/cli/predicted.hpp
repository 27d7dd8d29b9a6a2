// Predicted times, as `tine whatif` and the answer of a report show them.
#pragma once

#include "report/summary.hpp"

#include <string>

namespace tine::cli {

/// Returns true if times on so many workers are projections: predictions were compared with measured times on up to two
/// workers.
constexpr bool is_projected(unsigned workers) { return workers > 2; }

/// The time on some number of workers: between what no schedule undercuts and what a work-stealing scheduler is
/// expected to reach.
struct predicted {
  double low = 0, high = 0;

  double middle() const { return (low + high) / 2; }
};

predicted time_on(const report::extent& e, unsigned workers);

/// "1.20 ms–1.50 ms", or one time if both look the same.
std::string text_of(const predicted& t);

/// "-12.3 %", or "–" if there was nothing before.
std::string difference(double before, double after);

}  // namespace tine::cli
