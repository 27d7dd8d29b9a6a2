// Atomic expressions: constants, names, and what stands in brackets.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

expression_ref parser::atomic_expression() {
  const token first = in_.peek();
  if (begins_literal()) {
    in_.take();
    return make<expression>(literal_expression{literal_of(first.kind, in_.text(first))}, in_.where(first));
  }
  if (in_.at(left_parenthesis)) return parenthesised();
  if (in_.at(left_bracket)) return list_of_expressions();
  if (in_.at(left_brace)) return record_of_expressions();
  if (in_.at(let)) return let_in();
  if (in_.at(hash)) return selector();
  if (!in_.accept(token_kind::wrong)) return name_or_op_expression();
  return make<expression>(broken{}, in_.where(first));
}

expression_ref parser::name_or_op_expression() {
  const token first = in_.peek();
  if (in_.accept(op)) {
    if (!in_.at_name() && !in_.at(qualified) && !in_.at(equals)) in_.fail("a name after 'op'");
    const token name = in_.take();
    return make<expression>(name_expression{long_of(name), true}, in_.from(first));
  }
  if (next_operator(true)) {
    const std::string right = without_sign();
    in_.report(
        in_.where(first),
        in_.shown() + " is an infix operator, and an operand is missing before it" +
            (right.empty() ? "; write 'op " + std::string{in_.text(first)} + "' for the function itself" : right));
    in_.take();
    return make<expression>(broken{}, in_.where(first));
  }
  return make<expression>(name_expression{any_name("an expression")}, in_.from(first));
}

expression_ref parser::selector() {
  const token first = in_.take();
  std::string name = label("a label after '#'");
  return make<expression>(selector_expression{std::move(name)}, in_.from(first));
}

expression_ref parser::sequence(expression_ref first) {
  sequence_expression all{{first}};
  while (in_.accept(semicolon)) all.steps.push_back(whole_expression());
  if (all.steps.size() == 1) return first;
  const std::uint32_t below = deepest(all.steps);
  return make<expression>(std::move(all), in_.from(first->where.begin), below);
}

expression_ref parser::parenthesised() {
  const token open = in_.take();
  return bracketed<expression>(right_parenthesis, open.begin, [&] {
    tuple_expression all;
    if (!in_.at(right_parenthesis)) all.parts.push_back(whole_expression());
    if (in_.at(semicolon) && !all.parts.empty()) {
      const expression_ref steps = sequence(all.parts[0]);
      in_.close(right_parenthesis, open, "';' or ')' after an expression");
      return steps;
    }
    while (in_.accept(comma)) all.parts.push_back(whole_expression());
    in_.close(right_parenthesis, open,
              all.parts.size() > 1 ? "',' or ')' after an expression" : "',', ';' or ')' after an expression");
    if (all.parts.size() == 1) return all.parts[0];
    const std::uint32_t below = deepest(all.parts);
    return make<expression>(std::move(all), in_.from(open), below);
  });
}

expression_ref parser::list_of_expressions() {
  const token open = in_.take();
  return bracketed<expression>(right_bracket, open.begin, [&] {
    list_expression all;
    if (!in_.at(right_bracket)) {
      do all.elements.push_back(whole_expression());
      while (in_.accept(comma));
    }
    in_.close(right_bracket, open, "',' or ']' after an expression");
    const std::uint32_t below = deepest(all.elements);
    return make<expression>(std::move(all), in_.from(open), below);
  });
}

expression_ref parser::record_of_expressions() {
  const token open = in_.take();
  return bracketed<expression>(right_brace, open.begin, [&] {
    record_expression all;
    std::vector<span> places;
    if (!in_.at(right_brace)) {
      do {
        const token first = in_.peek();
        places.push_back(in_.where(first));
        std::string name = label("a label");
        in_.expect(equals, "'=' after the label of a record");
        const expression_ref e = whole_expression();
        all.fields.push_back({std::move(name), e, in_.from(first)});
      } while (in_.accept(comma));
    }
    in_.close(right_brace, open, "',' or '}' after a field");
    check_labels(all.fields, places);
    const std::uint32_t below = deepest(all.fields);
    return make<expression>(std::move(all), in_.from(open), below);
  });
}

expression_ref parser::let_in() {
  const nested here{*this};
  const token open = in_.take();
  const fixity_scope::mark before = fixities_.here();
  const expression_ref whole = bracketed<expression>(end, open.begin, [&] {
    let_expression all{declarations(place::in_expression), nullptr};
    in_.close(in, open, "a declaration or 'in'");
    all.body = sequence(whole_expression());
    in_.close(end, open, "';' or 'end' after an expression");
    const std::uint32_t below = deepest(all.declarations, all.body);
    return make<expression>(std::move(all), in_.from(open), below);
  });
  fixities_.leave(before);
  return whole;
}

}  // namespace tine::ml
