// See size_options.hpp.
#include "harness/size_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bench {

void add_size_options(CLI::App& app, std::size_t& n, std::size_t large, size_limits limits, const std::string& what) {
  auto* size = app.add_option("--n", n, what)->check(CLI::Range(limits.least, limits.most))->capture_default_str();
  app.add_flag_callback(
         "--large", [&n, large] { n = large; }, fmt::format("The same as --n {}", large))
      ->excludes(size);
}

}  // namespace bench
