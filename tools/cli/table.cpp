// Lays out text tables, and shortens texts so that they stay different.
#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tine::cli {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_width = 8;  // of a column that shrinks

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Returns the byte at which the code point number `index` begins.
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

namespace {

std::string part(const std::string& text, std::size_t from, std::size_t count) {
  const std::size_t begin = byte_of(text, from);
  return text.substr(begin, byte_of(text, from + count) - begin);
}

// Returns the number of code points, at most `most`, that all texts have in common at their start, or at their end.
std::size_t shared(const std::set<std::string>& texts, bool at_end, std::size_t most) {
  const std::string& first = *texts.begin();
  std::size_t n = 0;
  for (; n < most; ++n) {
    const auto point = [&](const std::string& t) { return part(t, at_end ? width_of(t) - 1 - n : n, 1); };
    if (!std::ranges::all_of(texts, [&](const std::string& t) { return point(t) == point(first); })) break;
  }
  return n;
}

// Returns where the bracket at `open` is closed, or npos.
std::size_t closed(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(') ++depth;
    if ((text[i] == '>' || text[i] == ')') && --depth == 0) return i;
  }
  return text.npos;
}

// Replaces template arguments, and the parameters of a function that another one is inside of, by … . A name with an
// operator may have other angle brackets and stays unchanged.
std::string without_arguments(const std::string& text) {
  if (text.find("operator<") != text.npos || text.find("->") != text.npos || text.find("operator>") != text.npos)
    return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '<' && text[i] != '(') continue;
    const std::size_t end = closed(text, i);
    if (end == text.npos) return text;
    const bool parameters = text[i] == '(' && end > i + 1 && text.compare(end + 1, 2, "::") == 0 &&
                            text.compare(i, end + 1 - i, "(anonymous namespace)") != 0;
    if (text[i] == '(' && !parameters) continue;
    out += "…";
    i = end - 1;
  }
  return out;
}

// Removes arguments from the texts that are too wide, where the arguments do not distinguish two texts.
std::vector<std::string> simplified(std::vector<std::string> texts, std::size_t width) {
  std::map<std::string, std::set<std::string>> originals;
  for (const std::string& t : texts) originals[without_arguments(t)].insert(t);
  for (std::string& t : texts) {
    std::string simple = without_arguments(t);
    if (width_of(t) > width && originals[simple].size() == 1) t = std::move(simple);
  }
  return texts;
}

// Shortens `text` to `width` so that it differs from the others of `group`, which begin and end like it: the shared
// parts lose as much as there is no space for. Where the parts that differ are too long themselves, their arguments are
// left out, and a number tells them apart.
std::string told_apart(const std::string& text, const std::set<std::string>& group, std::size_t width) {
  const std::size_t all = width_of(text);
  std::size_t shortest = all;
  for (const std::string& other : group) shortest = std::min(shortest, width_of(other));
  const std::size_t before = shared(group, false, shortest), after = shared(group, true, shortest - before);
  const std::size_t own = all - before - after;
  if (own + 2 >= width) {
    const std::string number = " #" + std::to_string(std::distance(group.begin(), group.find(text)) + 1);
    if (number.size() + 3 > width) return shortened(part(text, before, own), width);
    return shortened(without_arguments(text), width - number.size()) + number;
  }
  const std::size_t rest = width - own - 2;
  std::size_t tail = std::min(after, rest / 2), head = std::min(before, rest - tail);
  tail = std::min(after, rest - head);
  return part(text, 0, head) + (head < before ? "…" : "") + part(text, before, own) + (tail < after ? "…" : "") +
         part(text, all - tail, tail);
}

}  // namespace

std::vector<std::string> shortened_apart(const std::vector<std::string>& given, std::size_t width) {
  const std::vector<std::string> texts = simplified(given, width);
  std::map<std::string, std::set<std::string>> alike;
  for (const std::string& t : texts) alike[shortened(t, width)].insert(t);
  std::vector<std::string> all;
  for (const std::string& t : texts) {
    const std::string simple = shortened(t, width);
    const std::set<std::string>& group = alike[simple];
    all.push_back(group.size() < 2 || width < 3 ? simple : told_apart(t, group, width));
  }
  return all;
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

std::string table::text(std::size_t width, const palette& paint) const {
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
    // Columns of text shrink to three times their least width before the least important column is dropped.
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
  const auto line = [&](emphasis why, const auto& text_of) {
    std::string one;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (fitted[c] != 0)
        one += (one.empty() ? "" : std::string(gap, ' ')) + padded(text_of(c), fitted[c], columns_[c].align);
    }
    out += paint(why, one.substr(0, one.find_last_not_of(' ') + 1)) + "\n";
  };
  line(emphasis::heading, [&](std::size_t c) { return columns_[c].name; });
  std::vector<std::vector<std::string>> cells(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto& row : rows_) cells[c].push_back(row[c]);
    if (columns_[c].may_shrink && fitted[c] != 0) cells[c] = shortened_apart(cells[c], fitted[c]);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) line(emphases_[r], [&](std::size_t c) { return cells[c][r]; });
  return out;
}

std::string labelled(std::string_view word, const std::string& text) {
  return fmt::format("  {:<12} {}\n", word, text);
}

}  // namespace tine::cli
