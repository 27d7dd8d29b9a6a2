// Turns bands of speed-ups into times.
#include "cli/predicted.hpp"

#include "cli/duration.hpp"

#include <fmt/format.h>

namespace tine::cli {

predicted time_on(const report::extent& e, unsigned workers) {
  const report::band b = report::speed_up(e, workers);
  return {static_cast<double>(e.work) / b.high, static_cast<double>(e.work) / b.low};
}

std::string text_of(const predicted& t) {
  const std::string low = duration(t.low), high = duration(t.high);
  return low == high ? low : low + "–" + high;
}

std::string difference(double before, double after) {
  return before <= 0 ? "–" : fmt::format("{:+.1f} %", 100 * (after - before) / before);
}

}  // namespace tine::cli
