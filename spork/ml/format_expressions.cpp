// Formats expressions that begin with a word of their own, and what stands in brackets.
#include "ml/formatter.hpp"

namespace tine::ml {

using enum token_kind;

formatter::piece formatter::open_ended() {
  if (at() == if_) return conditional();
  if (at() == while_) return loop();
  if (at() == case_) return match();
  if (at() == fn) return function();
  const part raised = word();
  const part before = gap(gap_kind::space);
  return {.is = out_.join({raised, before, out_.nest(2, expression().is)}), .may_hang = true};
}

formatter::piece formatter::conditional() {
  part all = document::nothing;
  for (;;) {
    const part first = word();
    const part before = gap(gap_kind::space);
    const part condition = out_.align(expression().is);
    const part then_word = word(gap_kind::space);
    const part before_yes = gap(gap_kind::line);
    const part yes = behind(before_yes, expression(), 2);
    const part otherwise = word(gap_kind::line, place::last);
    all = out_.join({all, first, before, condition, then_word, yes, otherwise});
    const part before_no = gap(gap_kind::line);
    if (at() == if_ && !out_.breaks(before_no)) {
      all = out_.join(all, out_.flat(before_no));
      continue;
    }
    return {.is = out_.group(out_.join(all, behind(before_no, expression(), 2)))};
  }
}

formatter::piece formatter::loop() {
  const part first = word();
  const part before = gap(gap_kind::space);
  const part condition = out_.align(expression().is);
  const part do_word = word(gap_kind::space);
  const part before_body = gap(gap_kind::line);
  return {.is = out_.join({first, before, condition, do_word, behind(before_body, expression(), 2)})};
}

// A pattern and what follows it, whose own lines are indented by `columns`.
document::part formatter::rule(std::uint32_t columns) {
  const part when = pattern_until({double_arrow});
  const part sign = word(gap_kind::space);
  const part before = gap(gap_kind::line);
  return out_.join({when, sign, behind(before, expression(), columns)});
}

// Takes the rules behind the first one. Their bars are indented by `bar`.
document::part formatter::more_rules(std::uint32_t bar) {
  part all = document::nothing;
  while (at() == token_kind::bar) {
    const part before = out_.nest(bar, gap(gap_kind::line, place::between));
    const part sign = word();
    const part space = gap(gap_kind::space);
    all = out_.join({all, before, sign, space, rule(bar + 4)});
  }
  return all;
}

formatter::piece formatter::match() {
  const part first = word();
  const part before = gap(gap_kind::space);
  const part of_what = out_.align(expression().is);
  const part of_word = word(gap_kind::space);
  const part before_rule = out_.nest(2, gap(gap_kind::line, place::first));
  const part one = rule(4);
  return {.is = out_.group(out_.join({first, before, of_what, of_word, before_rule, one, more_rules(0)}))};
}

formatter::piece formatter::function() {
  const part first = word();
  const part before = gap(gap_kind::space);
  const part when = pattern_until({double_arrow});
  const part head = out_.join({first, before, when, word(gap_kind::space)});
  const part before_body = gap(gap_kind::line);
  piece body = expression();
  body.head = document::nothing;  // many functions may be within each other, and their heads would make a long line
  if (at() != bar) {
    const part placed = behind(before_body, body, 2);
    return {.is = out_.join(head, placed), .may_hang = true, .is_lambda = false, .head = head, .body = placed};
  }
  const part placed = behind(before_body, body, 5);
  return {.is = out_.align(out_.group(out_.join({head, placed, more_rules(1)}))), .may_hang = true};
}

document::part formatter::handlers() {
  const part first = word();
  const part before = gap(gap_kind::space);
  const part one = rule(9);
  return out_.align(out_.group(out_.join({first, before, one, more_rules(5)})));
}

formatter::piece formatter::atom() {
  if (at() == left_brace) return bracket(&formatter::record_field);
  if (at_any({left_parenthesis, left_bracket})) return bracket(&formatter::expression);
  if (at() == token_kind::let) return let();
  part all = word();
  if (tokens_[at_ - 1].kind == hash) all = out_.join(all, word(at() == symbol ? gap_kind::space : gap_kind::none));
  if (tokens_[at_ - 1].kind == op) all = out_.join(all, word(gap_kind::space));
  return {.is = all, .may_hang = true};
}

formatter::piece formatter::record_field() {
  const part label = word();
  const part sign = word(gap_kind::space);
  const part before = gap(gap_kind::line);
  return {.is = out_.join({label, sign, behind(before, expression(), 2)}), .may_hang = true};
}

document::part formatter::sequence() {
  part all = expression().is;
  while (at() == semicolon) {
    const part sign = word(gap_kind::none);
    const part before = gap(gap_kind::line, place::between);
    all = out_.join({all, sign, before, expression().is});
  }
  return out_.group(all);
}

// A `let` has one line, or `let`, `in` and `end` begin lines of their own. If the writer put the declarations behind
// `let`, and `in` on the next line, they stay there, and what follows `in` if it fits.
formatter::piece formatter::let() {
  const fixity_scope::mark before = fixities_.here();
  const part first = word();
  part before_all = document::nothing, all = document::nothing;
  if (at() != in) {
    before_all = gap(gap_kind::line, place::first);
    all = declarations(gap_kind::line);
  }
  const part before_in = gap(gap_kind::line, place::last);
  const part in_word = word();
  const part before_body = gap(gap_kind::line, place::first);
  const part body = out_.nest(2, out_.join(before_body, sequence()));
  const part last = word(gap_kind::line, place::last);
  fixities_.leave(before);
  const part lower = out_.join({in_word, body, last});
  const part whole = out_.group(out_.join({first, out_.nest(2, out_.join(before_all, all)), before_in, lower}));
  const part upper = out_.join({first, before_all, all});
  if (!out_.is_break(before_in) || out_.breaks(upper)) return {.is = whole};
  return {.is = out_.choose(out_.join({out_.flat(upper), before_in, out_.group(lower)}), out_.width(upper), whole)};
}

}  // namespace tine::ml
