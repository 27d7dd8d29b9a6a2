// See value.hpp.
#include "harness/value.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <type_traits>

namespace bench {

std::string format_values(std::string_view text, const std::vector<value>& values) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const value& v : values) {
    std::visit(
        [&](const auto& x) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::vector<double>>) {
            arguments.push_back(fmt::format("{}", fmt::join(x, ", ")));
          } else {
            arguments.push_back(x);
          }
        },
        static_cast<const value::variant&>(v));
  }
  return fmt::vformat(text, arguments);
}

}  // namespace bench
