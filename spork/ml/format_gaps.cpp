// Formats files, and what stands between tokens: blanks and comments.
#include "ml/format.hpp"
#include "ml/formatter.hpp"
#include "ml/lex.hpp"

#include <stdexcept>

namespace tine::ml {
namespace {

// Reads the comments in the gap in front of a token. `next` returns the next comment; it is empty behind the last one.
class gap_reader {
 public:
  explicit gap_reader(std::string_view gap) : gap_{gap} {}

  std::string_view next() {
    breaks = 0;
    while (at_ < gap_.size() && gap_[at_] != '(') breaks += gap_[at_++] == '\n' ? 1 : 0;
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < gap_.size()) {
      if (gap_.substr(at_, 2) == "(*") {
        ++depth, at_ += 2;
      } else if (gap_.substr(at_, 2) == "*)") {
        at_ += 2;
        if (--depth == 0) break;
      } else {
        ++at_;
      }
    }
    return gap_.substr(begin, at_ - begin);
  }
  std::size_t at() const { return at_; }

  std::size_t breaks = 0;  // line breaks in front of what `next` returned

 private:
  std::string_view gap_;
  std::size_t at_ = 0;
};

// Returns the text with \n as its only line end.
std::string with_plain_lines(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      plain += text[i];
    } else if (text.substr(i, 2) != "\r\n") {
      plain += '\n';
    }
  }
  return plain;
}

// All tokens and comments of a text, without the blanks at the begins of a comment's lines.
std::string essence(const source& of) {
  diagnostics wrong;
  std::string all;
  std::size_t end = 0;
  for (const token& t : lex(of, wrong).tokens) {
    gap_reader gap{of.text().substr(end, t.begin - end)};
    for (std::string_view c; !(c = gap.next()).empty();) {
      bool begins_line = false;
      for (const char letter : c) {
        if (!begins_line || letter != ' ') all += letter;
        begins_line = letter == '\n' || (begins_line && letter == ' ');
      }
      all += '\0';
    }
    all += of.text().substr(t.begin, t.end - t.begin);
    all += '\0';
    end = t.end;
  }
  return wrong.has_errors() ? std::string{} : all;
}

}  // namespace

std::string format(const source& of, std::size_t columns) {
  const source plain{0, of.name(), with_plain_lines(of.text())};
  diagnostics wrong;
  const lexed all = lex(plain, wrong);
  std::string formatted = formatter{plain, all.tokens}.run(columns);
  if (essence({0, of.name(), formatted}) != essence(plain)) {
    throw std::logic_error{of.name() +
                           ": the formatter has changed more than blanks; please report this. The file is as it was."};
  }
  return formatted;
}

std::string formatter::run(std::size_t columns) {
  const part begin = gap(gap_kind::none, place::first);
  part whole = out_.join(begin, declarations(gap_kind::hard));
  if (at() != token_kind::end_of_file)
    throw std::logic_error{"the formatter does not understand '" + std::string{text_of(at_)} + "'"};
  if (at_ != 0) whole = out_.join(whole, gap(gap_kind::none, place::between));
  if (whole == document::nothing) return {};
  return out_.layout(whole, columns) + "\n";
}

document::part formatter::word() {
  const part p = text(text_of(at_));
  ++at_;
  return p;
}

document::part formatter::separator(gap_kind kind, place where, std::size_t breaks) {
  if (kind == gap_kind::hard || (kind == gap_kind::line && breaks != 0))
    return out_.hard(where == place::between && breaks > 1);
  if (kind == gap_kind::line) return out_.line();
  if (kind == gap_kind::space) return text(" ");
  // A star next to a parenthesis would begin or end a comment, at least for a reader.
  const bool joins_star = at_ != 0 && ((text_of(at_ - 1) == "(" && text_of(at_).starts_with('*')) ||
                                       (text_of(at_ - 1).ends_with('*') && text_of(at_) == ")"));
  return joins_star ? text(" ") : document::nothing;
}

// A comment that begins or ends a line of the source does so in the layout. One in front of `end` or `in` is indented
// as what is before it.
document::part formatter::gap(gap_kind kind, place where) {
  const std::size_t begin = at_ == 0 ? 0 : tokens_[at_ - 1].end;
  const std::size_t skipped = at_ == 0 && text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::string_view blanks = text_.substr(begin + skipped, tokens_[at_].begin - begin - skipped);
  gap_reader gap{blanks};
  std::string_view comment = gap.next();
  if (comment.empty()) return separator(kind, where, gap.breaks);
  part all = document::nothing;
  for (bool is_first = true; !comment.empty(); is_first = false, comment = gap.next()) {
    const std::size_t offset = begin + skipped + gap.at() - comment.size();
    const bool begins_file = is_first && at_ == 0;
    if (!begins_file && gap.breaks != 0) {
      all =
          out_.join(all, out_.hard(gap.breaks > 1 && !(is_first && (where == place::first || where == place::inside))));
    } else if (!begins_file) {
      // Comments that end lines may stand below each other.
      const std::size_t code_end = text_.find_last_not_of(' ', offset - 1) + 1;
      const bool ends_line = text_.substr(offset + comment.size()).starts_with('\n');
      const bool opens =
          at_ != 0 && is_first && (text_of(at_ - 1) == "(" || text_of(at_ - 1) == "[" || text_of(at_ - 1) == "{");
      if (!opens)
        all = out_.join(all, text(ends_line && code_end < offset ? text_.substr(code_end, offset - code_end) : " "));
    }
    // Only a comment with several lines needs its column. Such a comment ends the line, so the search is linear for the
    // whole file.
    std::size_t column = 0;
    if (comment.find('\n') != std::string_view::npos) {
      const std::size_t line_begin = text_.substr(0, offset).rfind('\n') + 1;  // 0 if there is none
      column = characters(text_.substr(line_begin, offset - line_begin));
    }
    all = out_.join(all, out_.comment(comment, column));
  }
  if (where == place::last) all = out_.nest(2, all);
  if (at() == token_kind::end_of_file) return all;
  if (gap.breaks != 0)
    return out_.join(all, out_.hard(gap.breaks > 1 && where != place::last && where != place::inside));
  const bool closes = at_any({token_kind::right_parenthesis, token_kind::right_bracket, token_kind::right_brace,
                              token_kind::comma, token_kind::semicolon});
  if (kind == gap_kind::none && closes) return all;
  return out_.join(all, separator(kind == gap_kind::none ? gap_kind::space : kind, where, 0));
}

document::part formatter::behind(part gap, const piece& p, std::uint32_t columns) {
  if (out_.breaks(gap)) return out_.nest(columns, out_.join(gap, p.is));
  if (p.head != document::nothing) return out_.join({out_.flat(gap), p.head, out_.nest(columns - 2, p.body)});
  if (out_.breaks(p.is) && p.may_hang) return out_.join(out_.flat(gap), p.is);
  return out_.nest(columns, out_.group(out_.join(gap, p.is)));
}

}  // namespace tine::ml
