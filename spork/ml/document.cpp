// The layout of documents.
#include "ml/document.hpp"

#include <algorithm>

namespace tine::ml {

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

document::part document::text(std::string_view t) {
  if (t.empty()) return nothing;
  const bool has_lines = t.find('\n') != std::string_view::npos;
  const auto width =
      has_lines ? infinite : static_cast<std::uint32_t>(std::min<std::size_t>(characters(t), infinite - 1));
  return add({.is = kind::text, .width = width, .text = t});
}

document::part document::comment(std::string_view t, std::size_t column) {
  const part p = text(t);
  parts_[p].is = kind::comment;
  parts_[p].number = static_cast<std::uint32_t>(column);
  return p;
}

document::part document::join(part a, part b) {
  if (a == nothing || b == nothing) return a + b;
  return add({.is = kind::join, .width = std::min(parts_[a].width + parts_[b].width, infinite), .a = a, .b = b});
}

document::part document::join(std::initializer_list<part> all) {
  part whole = nothing;
  for (const part p : all) whole = join(whole, p);
  return whole;
}

document::part document::wrap(kind is, part inside, std::uint32_t number) {
  if (inside == nothing) return nothing;
  return add({.is = is, .width = parts_[inside].width, .a = inside, .number = number});
}

document::part document::choose(part lines, std::uint32_t first, part otherwise) {
  return add({.is = kind::choose, .width = infinite, .a = lines, .b = otherwise, .number = first});
}

// Writes a document. The parts that are still to be written are on a stack of its own, so documents may be deep.
class document_layout {
 public:
  document_layout(const document& of, std::size_t columns) : of_{of}, columns_{columns} {}

  std::string run(document::part whole) {
    rest_.push_back({whole, 0, false});
    while (!rest_.empty()) {
      const entry e = rest_.back();
      rest_.pop_back();
      write(e);
    }
    return std::move(out_);
  }

 private:
  using kind = document::kind;
  struct entry {
    document::part is;
    std::size_t indent;
    bool is_flat;
  };

  void write(const entry& e) {
    const document::node& n = of_.parts_[e.is];
    const auto inside = [&](std::size_t indent, bool is_flat) { rest_.push_back({n.a, indent, is_flat}); };
    switch (n.is) {
      case kind::text:
        return put(n.text);
      case kind::comment:
        return put_comment(n.text, n.number);
      case kind::line:
        return e.is_flat ? put(" ") : new_line(1, e.indent);
      case kind::hard:
        return new_line(n.number, e.indent);
      case kind::join:
        rest_.push_back({n.b, e.indent, e.is_flat});
        return inside(e.indent, e.is_flat);
      case kind::nest:
        return inside(e.indent + n.number, e.is_flat);
      case kind::align:
        return inside(column_, e.is_flat);
      case kind::flat:
        return inside(e.indent, true);
      case kind::group:
        return inside(e.indent, e.is_flat || fits(n.width));
      case kind::choose:
        rest_.push_back({column_ + n.number <= columns_ ? n.a : n.b, e.indent, false});
    }
  }

  void put(std::string_view text) {
    out_ += text;
    const std::size_t last = text.rfind('\n');
    column_ = last == std::string_view::npos ? column_ + characters(text) : characters(text.substr(last + 1));
  }

  void put_comment(std::string_view text, std::size_t stood) {
    const std::size_t begin = std::min(column_, columns_);
    stood = std::min(stood, columns_);
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
      put(text.substr(0, end));
      text.remove_prefix(end + 1);
      new_line(1, 0);
      std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
      if (blanks == text.size() || text[blanks] == '\n') continue;
      text.remove_prefix(blanks);
      blanks = begin > stood ? blanks + (begin - stood) : blanks - std::min(blanks, stood - begin);
      out_.append(blanks, ' ');
      column_ = blanks;
    }
    put(text);
  }

  // Lines of hostile programs would be as long as these are deep, so lines begin in the last column at most.
  void new_line(std::size_t count, std::size_t indent) {
    indent = std::min(indent, columns_);
    out_.append(count, '\n');
    out_.append(indent, ' ');
    column_ = indent;
  }

  // Returns true if this many columns fit on the line, and behind them what follows up to the next place for a line
  // break.
  bool fits(std::size_t width) {
    if (column_ + width > columns_) return false;
    std::size_t space = columns_ - column_ - width;
    for (std::size_t i = rest_.size(); i-- != 0;) {
      ahead_.assign(1, rest_[i]);
      while (!ahead_.empty()) {
        const entry e = ahead_.back();
        ahead_.pop_back();
        const document::node& n = of_.parts_[e.is];
        if (n.is == kind::hard || (n.is == kind::line && !e.is_flat)) return true;
        if (n.is == kind::join) {
          ahead_.push_back({n.b, 0, e.is_flat});
          ahead_.push_back({n.a, 0, e.is_flat});
        } else if (n.is == kind::choose) {
          ahead_.push_back({n.a, 0, false});
        } else if (n.a != document::nothing) {
          ahead_.push_back({n.a, 0, e.is_flat || n.is == kind::flat});
        } else {
          const std::string_view first = n.text.substr(0, n.text.find('\n'));
          const std::size_t taken = n.is == kind::line ? 1 : characters(first);
          if (taken > space) return false;
          if (first.size() != n.text.size()) return true;
          space -= taken;
        }
      }
    }
    return true;
  }

  const document& of_;
  std::size_t columns_, column_ = 0;
  std::string out_;
  std::vector<entry> rest_, ahead_;
};

std::string document::layout(part whole, std::size_t columns) const {
  return document_layout{*this, columns}.run(whole);
}

}  // namespace tine::ml
