// Makes text safe to print.
#include "cli/printable.hpp"

#include "base/utf8.hpp"

#include <cstddef>
#include <string_view>

namespace tine::cli {

std::string printable(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view{text}.substr(at);
    const std::size_t length = base::is_utf8_control(rest) ? 0 : base::utf8_length(rest);
    if (length == 0) text[at] = '?';
    at += length == 0 ? 1 : length;
  }
  return text;
}

}  // namespace tine::cli
