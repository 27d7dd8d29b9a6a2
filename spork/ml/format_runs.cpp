// Formats brackets, patterns and types.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

namespace {

bool opens(token_kind k) { return k == left_parenthesis || k == left_bracket || k == left_brace; }
bool closes(token_kind k) { return k == right_parenthesis || k == right_bracket || k == right_brace; }

constexpr std::uint32_t most_in_front = 70;  // columns of the arguments in front of a function whose body may hang
constexpr std::uint32_t most_behind = 40;    // and of those behind it

}  // namespace

formatter::piece formatter::bracket(piece (formatter::*one)()) {
  const part open = word();
  std::vector<element> all;
  bool is_sequence = false;
  while (!closes(at()) && at() != end_of_file) {
    const part before = gap(all.empty() ? gap_kind::none : gap_kind::line, all.empty() ? place::first : place::between);
    all.push_back({before, (this->*one)(), document::nothing});
    is_sequence = is_sequence || at() == semicolon;
    if (at_any({comma, semicolon})) all.back().separator = word(gap_kind::none);
  }
  const part close = word(gap_kind::none, place::last);
  if (!is_sequence) return filled(open, all, close);
  part inside = document::nothing;
  for (const element& e : all) inside = out_.join({inside, e.gap, e.is.is, e.separator});
  return {
      .is = out_.group(out_.join(open, out_.align(out_.join(inside, close)))), .may_hang = true, .is_bracket = true};
}

// Returns the place of a function whose body may hang: the only one, on one line with what is in front of it, and
// nothing long is behind it.
std::size_t formatter::hanging_function(const std::vector<element>& all) const {
  std::size_t found = all.size();
  std::uint32_t in_front = 0, behind_it = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_function = all[i].is.head != document::nothing;
    if ((is_function && found != all.size()) || (i != 0 && out_.breaks(all[i].gap))) return all.size();
    if (is_function) found = i;
    if (!is_function && out_.breaks(all[i].is.is)) return all.size();
    if (!is_function) (found == all.size() ? in_front : behind_it) += out_.width(all[i].is.is) + 2;
  }
  return in_front <= most_in_front && behind_it <= most_behind ? found : all.size();
}

// The elements fill lines that begin behind the bracket. The body of a hanging function is indented from the line where
// the bracket is.
formatter::piece formatter::filled(part open, const std::vector<element>& all, part close) {
  const std::size_t function = hanging_function(all);
  part inside = document::nothing;
  if (function != all.size()) {
    part rest = document::nothing;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const element& e = all[i];
      const part before = i == 0 ? e.gap : out_.flat(e.gap);
      part& into = i <= function ? inside : rest;
      into = out_.join({into, before, i == function ? e.is.head : out_.flat(e.is.is),
                        i == function ? document::nothing : e.separator});
    }
    const part body = out_.join(all[function].is.body, all[function].separator);
    return {.is = out_.join({open, out_.align(inside), body, rest, close}), .may_hang = true, .is_lambda = true};
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const element& e = all[i];
    const bool hangs = i != 0 && !out_.breaks(e.gap) && out_.breaks(e.is.is) && e.is.may_hang;
    const part placed = i == 0  ? out_.join(e.gap, e.is.is)
                        : hangs ? out_.join(out_.flat(e.gap), e.is.is)
                                : out_.group(out_.join(e.gap, e.is.is));
    inside = out_.join({inside, placed, e.separator});
  }
  return {.is = out_.join(open, out_.align(out_.join(inside, close))), .may_hang = true, .is_bracket = true};
}

formatter::piece formatter::pattern_element() {
  return {.is = pattern_until({comma, right_parenthesis, right_bracket, right_brace}), .may_hang = true};
}

// Patterns, types and the heads of functions are words and brackets, between which lines may break.
document::part formatter::pattern_until(std::initializer_list<token_kind> ends) {
  part all = document::nothing;
  const std::size_t begin = at_;
  while (!at_any(ends) && at() != end_of_file) {
    const part before = at_ == begin ? document::nothing : gap(gap_kind::line);
    part one = opens(at()) ? bracket(&formatter::pattern_element).is : document::nothing;
    if (one == document::nothing) {
      const bool has_op = at() == op;
      one = word();
      if (has_op) one = out_.join(one, word(gap_kind::space));
    }
    const bool hangs = !out_.breaks(before) && out_.breaks(one);
    all =
        out_.join(all, hangs && at_ != begin ? out_.join(out_.flat(before), one) : out_.group(out_.join(before, one)));
  }
  return out_.nest(4, all);
}

document::part formatter::type(std::initializer_list<token_kind> also) {
  part all = document::nothing;
  const std::size_t begin = at_;
  while (at_any({type_variable, name, symbol, qualified, arrow, left_parenthesis, left_brace}) || at_any(also)) {
    const bool may_break = at_ != begin && (tokens_[at_ - 1].kind == arrow || text_of(at_ - 1) == "*");
    const part before = at_ == begin ? document::nothing : gap(may_break ? gap_kind::line : gap_kind::space);
    part one = opens(at()) ? bracket(&formatter::pattern_element).is : document::nothing;
    if (one == document::nothing) one = word();
    all = out_.join(all, out_.group(out_.join(before, one)));
  }
  return out_.nest(2, all);
}

}  // namespace tine::ml
