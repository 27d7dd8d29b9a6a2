// The table that programs built with OpenCilk's -fcilktool=cilkscale print: a row for each tagged region, and a last
// one without a tag for the whole program (OpenCilk, Cilkscale reference, "Analysis report file"). Times are seconds.
#include "cli/formats/formats.hpp"

#include <fmt/format.h>

namespace tine::cli {
namespace {

std::string row(const std::string& tag, const report::extent& e) {
  return fmt::format("{},{:.9g},{:.9g},{:.6g},{:.9g},{:.6g}\n", tag, static_cast<double>(e.work) * 1e-9,
                     static_cast<double>(e.span_high) * 1e-9, e.parallelism().low,
                     static_cast<double>(e.burdened_span) * 1e-9, e.burdened_parallelism());
}

}  // namespace

std::string to_cilkscale_csv(const loaded& l) {
  std::string out = "tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism\n";
  for (std::size_t i = 0; i < l.profile.roots.size(); ++i) {
    const trace::totals& all = l.profile.roots[i].all;
    out += row(fmt::format("root {}", i), {all.work, all.span_low, all.span_high, all.burdened_span});
  }
  return out + row("", l.summary.process);
}

}  // namespace tine::cli
