// Finds lines and columns.
#include "ml/source.hpp"

#include <algorithm>
#include <utility>

namespace tine::ml {

source::source(std::uint32_t number, std::string name, std::string text)
    : number_{number}, name_{std::move(name)}, text_{std::move(text)} {
  is_too_long_ = text_.size() > max_bytes;
  if (is_too_long_) text_ = {};
  line_begins_.push_back(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);  // a byte order mark has no column
  for (std::size_t at = 0; (at = text_.find('\n', at)) != std::string::npos;) {
    line_begins_.push_back(static_cast<std::uint32_t>(++at));
  }
}

source::position source::position_of(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  offset = std::max(offset, line_begins_[0]);
  const auto behind = std::ranges::upper_bound(line_begins_, offset);
  return {static_cast<std::uint32_t>(behind - line_begins_.begin()), offset - *(behind - 1) + 1};
}

std::string_view source::line(std::uint32_t number) const {
  if (number == 0 || number > lines()) return {};
  const std::string_view rest = text().substr(line_begins_[number - 1]);
  std::string_view found = rest.substr(0, std::min(rest.find('\n'), rest.size()));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

}  // namespace tine::ml
