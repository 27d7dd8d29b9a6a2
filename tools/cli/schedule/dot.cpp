// The strands of a schedule for Graphviz, with an edge from each strand to those that it led to, and a colour for each
// worker.
#include "cli/duration.hpp"
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/timeline.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tine::cli {

std::string schedule_dot(const schedule& s) {
  const timeline when{s};
  const paths where{s};
  std::string out =
      "digraph schedule {\n  node [fontname=\"sans-serif\", shape=box, style=filled, colorscheme=set312];\n";
  const auto to = std::back_inserter(out);
  constexpr int colours = 12;
  for (const timeline::strand& strand : when.strands()) {
    const schedule::segment& r = strand.run;
    fmt::format_to(to, "  s{} [fillcolor={}, label=\"{}\\nworker {}, {}\"];\n", r.stamp, r.owner % colours + 1,
                   describe(where, strand), r.owner, duration(static_cast<double>(r.end_ns - r.begin_ns)));
  }
  for (const timeline::arrow& a : when.arrows()) {
    const char* look = a.why == timeline::reason::forked   ? ""
                       : a.why == timeline::reason::joined ? " [style=dashed]"
                                                           : " [style=dotted]";
    fmt::format_to(to, "  s{} -> s{}{};\n", when.strands()[a.from].run.stamp, when.strands()[a.to].run.stamp, look);
  }
  return out + "}\n";
}

}  // namespace tine::cli
