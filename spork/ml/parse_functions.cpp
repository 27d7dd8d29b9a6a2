// Declarations with `fun`.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

declaration_ref parser::functions() {
  const token first = in_.take();
  function_declaration all{type_variables(), {}};
  do all.bindings.push_back(one_function());
  while (in_.accept(and_));
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

function_binding parser::one_function() {
  function_binding f;
  std::vector<defined_name> names;
  do {
    defined_name name;
    f.clauses.push_back(one_clause(name, f.is_infix));
    names.push_back(std::move(name));
  } while (in_.accept(bar));
  check_clauses(f, names);
  f.name = std::move(names[0]);
  return f;
}

void parser::check_clauses(const function_binding& f, const std::vector<defined_name>& names) {
  for (std::size_t i = 1; i < f.clauses.size(); ++i) {
    const std::size_t expected = f.clauses[0].parameters.size(), found = f.clauses[i].parameters.size();
    if (names[i].text != names[0].text) {
      in_.report(names[i].where,
                 "this clause is of " + quoted(names[i].text) + ", but the function is " + quoted(names[0].text) +
                     "; separate functions by 'fun' or 'and'",
                 {{names[0].where, "the first clause is here"}});
    } else if (found != expected) {
      in_.report(f.clauses[i].where,
                 "this clause of " + quoted(names[0].text) + " has " + std::to_string(found) + " parameter" +
                     (found == 1 ? "" : "s") + ", but the first one has " + std::to_string(expected),
                 {{names[0].where, "the first clause is here"}});
    }
  }
}

clause parser::one_clause(defined_name& name, bool& is_infix) {
  const token first = in_.peek();
  clause c;
  if (infix_clause(c, name)) {
    is_infix = true;
    while (c.parameters.size() > 1 || first.kind == left_parenthesis) {
      if (!begins_atomic_pattern()) break;
      c.parameters.push_back(atomic_pattern());
    }
  } else {
    while (begins_atomic_pattern()) c.parameters.push_back(atomic_pattern());
    if (c.parameters.empty()) in_.fail("a parameter; a value without parameters is declared by 'val'");
  }
  if (in_.accept(colon)) c.result = type();
  in_.expect(equals, "'=' or another parameter in the head of a function");
  c.where = in_.from(first);
  c.body = whole_expression();
  return c;
}

// Takes `p op q` or `(p op q)` and sets name and parameter, or takes only a name in front of parameters and returns
// false.
bool parser::infix_clause(clause& c, defined_name& name) {
  const token first = in_.peek();
  const bool is_name = in_.at(op) || (in_.at_name() && !next_operator(false));
  const auto is_operator = [&](std::size_t ahead) {
    return in_.at_name(ahead) && fixities_.find(in_.text(in_.peek(ahead)));
  };
  if (is_name && !is_operator(in_.at(op) ? 2 : 1)) {
    name = value_name("the name of a function");
    return false;
  }
  if (!begins_atomic_pattern()) {
    name = value_name("the name of a function");
    return false;
  }
  const pattern_ref left = atomic_pattern();
  if (next_operator(false)) {
    name = take_name();
    const pattern_ref right = atomic_pattern();
    c.parameters = {make<pattern>(tuple_pattern{{left, right}}, in_.from(first), deepest(left, right))};
    return true;
  }
  // `(p op q)` was parsed as a pattern: a constructor between two arguments.
  const auto* joined = std::get_if<constructed_pattern>(&left->is);
  if (first.kind == left_parenthesis && joined != nullptr && joined->is_infix) {
    name = {joined->constructor.last, joined->constructor.where};
    c.parameters = {joined->argument};
    return true;
  }
  if (std::holds_alternative<broken>(left->is)) throw lost{};
  in_.report(
      left->where,
      "a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns");
  throw lost{};
}

}  // namespace tine::ml
