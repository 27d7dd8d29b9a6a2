// A profile with what it amounts to: what every subcommand begins with.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <string>

namespace tine::cli {

struct loaded {
  trace::profile profile;
  report::summary summary;
};

/// Whether the source of sites is looked up, which takes a while.
enum class symbols : bool { leave, resolve };

/// Reads the profile `path`. Throws what the reader throws.
loaded load(const std::string& path, symbols wanted);

/// "fib (fib.cpp:12)"; "(no fork)" for what is below no site.
std::string label(const report::summary& s, std::uint32_t site);

}  // namespace tine::cli
