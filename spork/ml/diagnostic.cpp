// Keeps and renders diagnostics.
#include "ml/diagnostic.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tine::ml {
namespace {

constexpr std::size_t shown_before = 60, shown_behind = 60;  // bytes of a line around the place
constexpr std::size_t most_quoted = 40;

// Appends the characters of `text`, each of which takes one column; returns the number of columns. A tab becomes a
// space.
std::size_t append_safely(std::string& to, std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::size_t length = base::utf8_length(text);
    if (text[0] == '\t') {
      to += ' ';
    } else if (length == 0 || base::is_utf8_control(text)) {
      to += '?';
    } else {
      to.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
    ++columns;
  }
  return columns;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Moves a cut forward, at most three bytes, to where a character begins.
std::size_t at_character(std::string_view text, std::size_t at) {
  for (int i = 0; i < 3 && at < text.size() && continues_character(text[at]); ++i) ++at;
  return std::min(at, text.size());
}

// Appends the line of `where` with a mark below the place. Only the part around the place is shown of a long line.
void append_excerpt(std::string& to, const source& file, span where) {
  const source::position place = file.position_of(where.begin);
  const std::string_view line = file.line(place.line);
  const std::size_t begin = std::min<std::size_t>(place.column - 1, line.size());
  const std::size_t end = std::clamp<std::size_t>(begin + (where.end - where.begin), begin, line.size());
  const std::size_t from = begin > shown_before ? at_character(line, begin - shown_before) : 0;
  const std::size_t upto = line.size() - begin > shown_behind ? at_character(line, begin + shown_behind) : line.size();

  const std::string number = std::to_string(place.line);
  std::string shown, mark;
  if (from != 0) shown += "…";
  const std::size_t blank = append_safely(shown, line.substr(from, begin - from)) + (from != 0 ? 1 : 0);
  const std::size_t marked = append_safely(shown, line.substr(begin, std::min(end, upto) - begin));
  append_safely(shown, line.substr(std::min(end, upto), upto - std::min(end, upto)));
  if (upto != line.size()) shown += "…";
  mark.append(blank, ' ').append("^").append(marked > 1 ? marked - 1 : 0, '~');
  to.append("  ").append(number).append(" | ").append(shown).append("\n");
  to.append("  ").append(number.size(), ' ').append(" | ").append(mark).append("\n");
}

void append(std::string& to, const source_files& files, span where, std::string_view kind, std::string_view message) {
  const source& file = files.at(where.file);
  const source::position place = file.position_of(where.begin);
  append_safely(to, file.name());
  to.append(":").append(std::to_string(place.line)).append(":").append(std::to_string(place.column));
  to.append(": ").append(kind).append(": ").append(message).append("\n");
  append_excerpt(to, file, where);
}

}  // namespace

void diagnostics::error(span where, std::string message, std::vector<note> notes) {
  if (errors_++ < most_) all_.push_back({diagnostic::severity::error, where, std::move(message), std::move(notes)});
}

void diagnostics::warn(span where, std::string message, std::vector<note> notes) {
  if (warnings_++ < most_) all_.push_back({diagnostic::severity::warning, where, std::move(message), std::move(notes)});
}

void diagnostics::sort() {
  const auto key = [&](std::size_t i) { return std::tuple{all_[i].where.file, all_[i].where.begin, all_[i].is}; };
  std::vector<std::size_t> order(all_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple{key(i), i}; });
  std::vector<diagnostic> sorted;
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n == 0 || key(order[n]) != key(order[n - 1])) continue;
    --(all_[order[n]].is == diagnostic::severity::error ? errors_ : warnings_);
  }
  const auto twice = std::ranges::unique(order, {}, key);
  order.erase(twice.begin(), twice.end());
  for (const std::size_t i : order) sorted.push_back(std::move(all_[i]));
  all_ = std::move(sorted);
}

std::string render(const diagnostics& all, const source_files& files) {
  std::string text;
  for (const diagnostic& d : all.all()) {
    append(text, files, d.where, d.is == diagnostic::severity::error ? "error" : "warning", d.message);
    for (const note& n : d.notes) append(text, files, n.where, "note", n.message);
  }
  const std::size_t hidden = all.errors() + all.warnings() - all.all().size();
  if (hidden != 0) text += "… and " + std::to_string(hidden) + " more\n";
  return text;
}

std::string quoted(std::string_view text) {
  std::string shown = "'";
  append_safely(shown, text.substr(0, text.size() > most_quoted ? at_character(text, most_quoted) : text.size()));
  return shown + (text.size() > most_quoted ? "…'" : "'");
}

}  // namespace tine::ml
