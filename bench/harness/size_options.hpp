// The options that set the size of a problem with much data.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace bench {

/// Adds `--n`, for `n` itself, and `--large`, for a size far beyond all caches.
inline void add_size_options(CLI::App& app, std::size_t& n, std::size_t large, std::size_t most,
                             const std::string& what) {
  auto* size = app.add_option("--n", n, what)->check(CLI::Range(std::size_t{1}, most))->capture_default_str();
  app.add_flag_callback(
         "--large", [&n, large] { n = large; }, fmt::format("The same as --n {}", large))
      ->excludes(size);
}

}  // namespace bench
