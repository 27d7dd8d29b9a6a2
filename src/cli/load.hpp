// A profile with what it amounts to: what every subcommand begins with.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tine::cli {

struct loaded {
  trace::profile profile;
  report::summary summary;
};

/// Whether the source of sites is looked up, which takes a while.
enum class symbols : bool { leave, resolve };

/// Reads the profile `path`; `skip`: see report::resolve_sites. Throws what the reader throws.
loaded load(const std::string& path, symbols wanted, const std::vector<std::string>& skip = {});

/// Adds the option --skip to a subcommand that shows sites.
void add_skip(CLI::App& app, std::vector<std::string>& skip);

/// "fib (fib.cpp:12)"; "(no fork)" for what is below no site.
std::string label(const report::summary& s, std::uint32_t site);

}  // namespace tine::cli
