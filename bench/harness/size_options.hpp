// The options that set the size of a problem with much data.
#pragma once

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace bench {

/// What a size may be.
struct size_limits {
  std::size_t least = 1;
  std::size_t most;
};

/// Adds `--n`, for `n` itself, and `--large`, for a size far beyond all caches.
void add_size_options(CLI::App& app, std::size_t& n, std::size_t large, size_limits limits, const std::string& what);

}  // namespace bench
