// See table.hpp.
#include "cli/table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tine::cli {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_width = 8;  // of a column that shrinks

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Where the code point number `index` begins.
std::size_t byte_of(const std::string& text, std::size_t index) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_code_point(text[at]) && index-- == 0) break;
  }
  return at;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t w : widths) sum += w == 0 ? 0 : w + gap;
  return sum == 0 ? 0 : sum - gap;
}

std::string padded(const std::string& text, std::size_t width, table::side align) {
  const std::string fits = shortened(text, width);
  const std::string space(width - std::min(width, width_of(fits)), ' ');
  return align == table::side::left ? fits + space : space + fits;
}

}  // namespace

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

std::string shortened(const std::string& text, std::size_t width) {
  const std::size_t all = width_of(text);
  if (all <= width) return text;
  if (width < 3) return text.substr(0, byte_of(text, width));
  const std::size_t tail = (width - 1) / 2, head = width - 1 - tail;
  return text.substr(0, byte_of(text, head)) + "…" + text.substr(byte_of(text, all - tail));
}

std::vector<std::size_t> table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = width_of(columns_[c].name);
    for (const auto& row : rows_) widest = std::max(widest, width_of(row[c]));
    widths.push_back(widest);
  }
  return widths;
}

std::string table::text(std::size_t width) const {
  std::vector<std::size_t> fitted = widths();
  const auto widest_shrinking = [&] {
    std::size_t best = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].may_shrink && fitted[c] > least_width && (best == columns_.size() || fitted[c] > fitted[best]))
        best = c;
    }
    return best;
  };
  while (total(fitted) > width) {
    // Columns of text lose a third of their room at most before the least important column goes.
    const std::size_t c = widest_shrinking();
    const auto dropped = std::max_element(columns_.begin(), columns_.end(), [&](const column& a, const column& b) {
      const auto rank = [&](const column& x) {
        return fitted[static_cast<std::size_t>(&x - columns_.data())] == 0 ? 0 : x.rank;
      };
      return rank(a) < rank(b);
    });
    const auto d = static_cast<std::size_t>(dropped - columns_.begin());
    const bool can_drop = dropped->rank > 0 && fitted[d] != 0;
    if (c != columns_.size() && (fitted[c] > 3 * least_width || !can_drop)) {
      --fitted[c];
    } else if (can_drop) {
      fitted[d] = 0;
    } else {
      break;
    }
  }
  std::string out;
  const auto line = [&](const auto& text_of) {
    std::string one;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (fitted[c] != 0)
        one += (one.empty() ? "" : std::string(gap, ' ')) + padded(text_of(c), fitted[c], columns_[c].align);
    }
    out += one.substr(0, one.find_last_not_of(' ') + 1) + "\n";
  };
  line([&](std::size_t c) { return columns_[c].name; });
  for (const auto& row : rows_) line([&](std::size_t c) { return row[c]; });
  return out;
}

}  // namespace tine::cli
