// Formats brackets, patterns and types.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

namespace {

bool opens(token_kind k) { return k == left_parenthesis || k == left_bracket || k == left_brace; }
bool closes(token_kind k) { return k == right_parenthesis || k == right_bracket || k == right_brace; }

constexpr std::uint32_t most_in_front = 70;  // columns of the arguments in front of a function whose body may hang

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
  return {.is = out_.group(out_.join(open, out_.align(out_.join(inside, close)))), .may_hang = true, .is_bracket = true};
}

// The elements fill lines that begin behind the bracket. If the last one is a function, its body is indented from the line where the bracket is.
formatter::piece formatter::filled(part open, const std::vector<element>& all, part close) {
  part inside = document::nothing, in_front = document::nothing;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const element& e = all[i];
    const bool hangs = i != 0 && !out_.breaks(e.gap) && out_.breaks(e.is.is) && e.is.may_hang;
    const bool is_last_function = i + 1 == all.size() && e.is.head != document::nothing && !out_.breaks(e.gap) &&
                                  !out_.breaks(in_front) && out_.width(in_front) <= most_in_front;
    if (is_last_function) {
      const part before = out_.join({out_.flat(in_front), out_.flat(e.gap), e.is.head});
      return {.is = out_.join({open, out_.align(before), e.is.body, close}), .may_hang = true, .is_lambda = true};
    }
    in_front = out_.join({in_front, e.gap, e.is.is, e.separator});
    const part placed = i == 0    ? out_.join(e.gap, e.is.is)
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
    all = out_.join(all, hangs && at_ != begin ? out_.join(out_.flat(before), one) : out_.group(out_.join(before, one)));
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
