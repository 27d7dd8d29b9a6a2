// Predicts the speed-up from work and span.
#include "report/summary.hpp"

#include <algorithm>

namespace tine::report {
namespace {

// Cilkview's factor for the cost of moving work, found by its authors' measurements.
constexpr double burden_factor = 1.7;

double over(std::uint64_t work, std::uint64_t span) {
  return work == 0 ? 1 : static_cast<double>(work) / static_cast<double>(std::max<std::uint64_t>(span, 1));
}

}  // namespace

interval extent::parallelism() const { return {over(work, span_high), over(work, span_low)}; }

double extent::burdened_parallelism() const { return over(work, std::max(burdened_span, span_high)); }

band speed_up(const extent& e, unsigned workers) {
  if (e.work == 0 || workers == 0) return {};
  const double share = 1.0 / workers;
  const auto without_outside = [&](std::uint64_t all) { return static_cast<double>(all - std::min(all, e.outside)); };
  const double work = without_outside(e.work);
  const double burdened = without_outside(std::max(e.burdened_span, e.span_high));
  const double time = static_cast<double>(e.outside) + work * share + burden_factor * (1 - share) * burdened;
  const double high = std::min<double>(workers, e.parallelism().high);
  return {std::min(static_cast<double>(e.work) / time, high), high};
}

}  // namespace tine::report
