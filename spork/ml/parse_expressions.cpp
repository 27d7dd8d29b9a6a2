// Expressions, from `handle`, which binds least, to application.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

expression_ref parser::whole_expression() {
  const nested here{*this};
  const token first = in_.peek();
  expression_ref e = disjunction();
  while (in_.accept(handle)) {
    handle_expression all{e, rules()};
    const std::uint32_t below = deepest(e, all.rules);
    e = make<expression>(std::move(all), in_.from(first), below);
  }
  return e;
}

expression_ref parser::disjunction() {
  const token first = in_.peek();
  expression_ref e = conjunction();
  while (in_.accept(orelse)) {
    const expression_ref right = conjunction();
    e = make<expression>(or_else_expression{e, right}, in_.from(first), deepest(e, right));
  }
  return e;
}

expression_ref parser::conjunction() {
  const token first = in_.peek();
  expression_ref e = typed();
  while (in_.accept(andalso)) {
    const expression_ref right = typed();
    e = make<expression>(and_also_expression{e, right}, in_.from(first), deepest(e, right));
  }
  return e;
}

expression_ref parser::typed() {
  const token first = in_.peek();
  expression_ref e = begins_open_ended() ? open_ended() : infix_expression();
  while (in_.accept(colon)) {
    const type_ref t = type();
    e = make<expression>(typed_expression{e, t}, in_.from(first), deepest(e, t));
  }
  return e;
}

bool parser::begins_open_ended() const {
  return in_.at(fn) || in_.at(if_) || in_.at(case_) || in_.at(while_) || in_.at(raise);
}

expression_ref parser::open_ended() {
  const token first = in_.peek();
  if (in_.at(if_)) return conditional();
  in_.take();
  if (first.kind == fn) {
    function_expression all{rules()};
    const std::uint32_t below = deepest(all.rules);
    return make<expression>(std::move(all), in_.from(first), below);
  }
  const expression_ref of_what = whole_expression();
  if (first.kind == raise) return make<expression>(raise_expression{of_what}, in_.from(first), deepest(of_what));
  if (first.kind == while_) {
    in_.expect(do_, "'do' after the condition of 'while'");
    const expression_ref body = whole_expression();
    return make<expression>(while_expression{of_what, body}, in_.from(first), deepest(of_what, body));
  }
  in_.expect(of, "'of' after the expression of 'case'");
  case_expression all{of_what, rules()};
  const std::uint32_t below = deepest(of_what, all.rules);
  return make<expression>(std::move(all), in_.from(first), below);
}

expression_ref parser::conditional() {
  // `else if` chains may be long in the text, but are as deep in the tree.
  const token first = in_.take();
  const expression_ref condition = whole_expression();
  in_.expect(then, "'then' after the condition of 'if'");
  const expression_ref yes = whole_expression();
  if (!in_.at(else_)) in_.fail("'else'; every 'if' has one", {{in_.where(first), "this is the 'if'"}});
  in_.take();
  const expression_ref no = whole_expression();
  return make<expression>(if_expression{condition, yes, no}, in_.from(first), deepest(condition, yes, no));
}

std::vector<rule> parser::rules() {
  std::vector<rule> all;
  do {
    const pattern_ref when = whole_pattern();
    if (in_.at(equals) && !all.empty()) {
      in_.fail(
          "'=>' after the pattern of a rule",
          {{all.front().when->where,
            "the rules begin here; put them in parentheses, with the word in front of them, if a clause of a function follows"}});
    }
    in_.expect(double_arrow, "'=>' after the pattern of a rule");
    all.push_back({when, whole_expression()});
  } while (in_.accept(bar));
  return all;
}

expression_ref parser::join(expression_ref left, const token& op, expression_ref right) {
  const span where{left->where.file, left->where.begin, right->where.end};
  const expression_ref pair = make<expression>(tuple_expression{{left, right}}, where, deepest(left, right));
  const expression_ref function = make<expression>(name_expression{long_of(op)}, in_.where(op));
  return make<expression>(apply_expression{function, pair, true}, where, deepest(function, pair));
}

expression_ref parser::infix_expression() {
  const expression_ref first = application();
  if (!next_operator(true)) return first;
  operator_stack<expression_ref, token> stack{first};
  const auto joined = [&](expression_ref l, const token& o, expression_ref r) { return join(l, o, r); };
  while (const auto is = next_operator(true)) {
    stack.add(
        in_.take(), *is, [&] { return application(); }, joined,
        [&](const token& before, const token& now) {
          in_.report(in_.where(now), quoted(in_.text(now)) + " and " + quoted(in_.text(before)) +
                                         " have the same precedence, but group to different sides; add parentheses");
        });
  }
  return stack.finish(joined);
}

bool parser::begins_atomic_expression() const {
  if (begins_literal() || in_.at(op) || in_.at(qualified) || in_.at(hash) || in_.at(let) || in_.at(token_kind::wrong))
    return true;
  if (in_.at(left_parenthesis) || in_.at(left_bracket) || in_.at(left_brace)) return true;
  return in_.at_name() && !next_operator(true);
}

// A function with its arguments, one after the other; or an operand alone.
expression_ref parser::application() {
  const token first = in_.peek();
  const auto open_ended_operand = [&] {
    in_.report(in_.where(in_.peek()), in_.shown() + " begins an operand; put the whole operand in parentheses");
    return open_ended();
  };
  if (begins_open_ended()) return open_ended_operand();
  expression_ref e = atomic_expression();
  for (;;) {
    const bool is_open_ended = begins_open_ended();
    if (!is_open_ended && !begins_atomic_expression()) return e;
    const expression_ref argument = is_open_ended ? open_ended_operand() : atomic_expression();
    e = make<expression>(apply_expression{e, argument}, in_.from(first), deepest(e, argument));
  }
}

}  // namespace tine::ml
