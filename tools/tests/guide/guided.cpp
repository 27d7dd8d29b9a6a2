// tine with the analysis that docs/internals/adding-an-analysis.md adds: a program to profile, and the parts of the
// command that report on it.
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/report_json.hpp"
#include "cli/report_text.hpp"
#include "cli/run_profiled.hpp"
#include "report/page.hpp"
#include "trace/proto.hpp"

#include <tine/managed/par.hpp>
#include <tine/managed/par_for.hpp>
#include <tine/tine.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

namespace {

/// Nests `levels` forks, and a loop in the innermost one.
void nest(int levels) {
  if (levels == 0) return tine::par_for(0, 4, [](int) {});
  tine::par([] {}, [&] { nest(levels - 1); });
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int run(std::string_view what, const std::string& argument) {
  using namespace tine;
  if (what == "run") {
    tine::run([&] { nest(std::stoi(argument)); });
    return 0;
  }
  if (what == "proto") {
    print(trace::proto_text());
    return 0;
  }
  if (what == "profile") {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    return cli::run_profiled({self, "run", "5"}, argument, "profiled.profile").exit_code;
  }
  const cli::loaded l = cli::load(argument, cli::symbols::leave);
  if (what == "text") print(cli::report_text(l, 120, 5, {}));
  if (what == "json") print(cli::report_json(l, argument, 5));
  if (what == "page") print(report::page(l.profile, l.summary));
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  return run(count > 1 ? arguments[1] : "", count > 2 ? arguments[2] : "");
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
