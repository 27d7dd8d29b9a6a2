// See printable.hpp.
#include "cli/printable.hpp"

#include <cstddef>
#include <string_view>

namespace tine::cli {
namespace {

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// Returns the number of bytes of the character at the front of `text`; 0 if no printable character stands there. The ranges are
// those of RFC 3629, which excludes overlong forms, surrogates and code points beyond U+10FFFF.
std::size_t character(std::string_view text) {
  const unsigned first = byte(text, 0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF5 || first < 0xC2 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (length == 0 || text.size() < length) return 0;
  const unsigned low = first == 0xE0   ? 0xA0
                       : first == 0xF0 ? 0x90
                       : first == 0xC2 ? 0xA0
                                       : 0x80;  // C2 80 to 9F are controls
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(text, 1) < low || byte(text, 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(text, i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(std::string_view{text}.substr(at));
    if (length == 0) text[at] = '?';
    at += length == 0 ? 1 : length;
  }
  return text;
}

}  // namespace tine::cli
