// Prints expressions.
#include "ml/printer.hpp"

#include <variant>

namespace tine::ml {

void printer::expression_at(expression_ref e, level wanted) {
  std::visit([&](const auto& is) { put(is, wanted); }, e->is);
}

void printer::put(const literal_expression& e, level) { constant(e.value); }

void printer::put(const name_expression& e, level) {
  if (e.has_op) add("op ");
  name(e.name);
}

void printer::put(const record_expression& e, level) {
  add("{");
  list(e.fields, ", ", [&](const field_expression& f) {
    add(f.label);
    add(" = ");
    expression_at(f.of, level::whole);
  });
  add("}");
}

void printer::put(const selector_expression& e, level) {
  const char first = e.label[0];
  const bool is_symbolic =
      !((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9'));
  add(is_symbolic ? "# " : "#");
  add(e.label);
}

void printer::put(const tuple_expression& e, level) {
  add("(");
  list(e.parts, ", ", [&](expression_ref part) { expression_at(part, level::whole); });
  add(")");
}

void printer::put(const list_expression& e, level) {
  add("[");
  list(e.elements, ", ", [&](expression_ref element) { expression_at(element, level::whole); });
  add("]");
}

void printer::put(const sequence_expression& e, level) {
  add("(");
  list(e.steps, "; ", [&](expression_ref step) { expression_at(step, level::whole); });
  add(")");
}

void printer::put(const let_expression& e, level) {
  const fixity_scope::mark before = fixities_.here();
  add("let");
  scope(e.declarations);
  add("in");
  indented([&] {
    if (const auto* steps = std::get_if<sequence_expression>(&e.body->is)) {
      for (std::size_t i = 0; i < steps->steps.size(); ++i) {
        if (i != 0) add(";"), new_line();
        expression_at(steps->steps[i], level::whole);
      }
    } else {
      expression_at(e.body, level::whole);
    }
  });
  new_line();
  add("end");
  fixities_.leave(before);
}

void printer::operand(expression_ref e, fixity op, bool is_right) {
  const auto* inner = std::get_if<apply_expression>(&e->is);
  bool fits = true;
  if (inner != nullptr && inner->is_infix) {
    const fixity is = fixities_.find(std::get<name_expression>(inner->function->is).name.last).value_or(fixity{});
    fits = is.precedence > op.precedence ||
           (is.precedence == op.precedence && is.is_right == is_right && op.is_right == is_right);
  }
  expression_at(e, fits ? level::infix : level::applied);
}

void printer::put(const apply_expression& e, level wanted) {
  if (!e.is_infix) {
    return at(level::applied, wanted, [&] {
      expression_at(e.function, level::applied);
      add(" ");
      expression_at(e.argument, level::atomic);
    });
  }
  at(level::infix, wanted, [&] {
    const auto& pair = std::get<tuple_expression>(e.argument->is).parts;
    const std::string& op = std::get<name_expression>(e.function->is).name.last;
    const fixity is = fixities_.find(op).value_or(fixity{});
    operand(pair[0], is, false);
    add(" ");
    add(op);
    add(" ");
    operand(pair[1], is, true);
  });
}

void printer::put(const typed_expression& e, level wanted) {
  at(level::typed, wanted, [&] {
    expression_at(e.of, level::typed);
    add(" : ");
    type(e.type);
  });
}

void printer::put(const and_also_expression& e, level wanted) {
  at(level::conjunct, wanted, [&] {
    expression_at(e.left, level::conjunct);
    add(" andalso ");
    expression_at(e.right, level::typed);
  });
}

void printer::put(const or_else_expression& e, level wanted) {
  at(level::alternative, wanted, [&] {
    expression_at(e.left, level::alternative);
    add(" orelse ");
    expression_at(e.right, level::conjunct);
  });
}

// A rule in front of another one must not end in rules of its own, which would take the next one.
void printer::rules(const std::vector<rule>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0) new_line(), add("| ");
    pattern_at(all[i].when, level::whole);
    add(" => ");
    expression_at(all[i].then, i + 1 == all.size() ? level::whole : level::alternative);
  }
}

void printer::put(const handle_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    expression_at(e.of, level::alternative);
    add(" handle ");
    rules(e.rules);
  });
}

void printer::put(const raise_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    add("raise ");
    expression_at(e.of, level::whole);
  });
}

void printer::put(const if_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    add("if ");
    expression_at(e.condition, level::whole);
    add(" then ");
    expression_at(e.yes, level::whole);
    add(" else ");
    expression_at(e.no, level::whole);
  });
}

void printer::put(const while_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    add("while ");
    expression_at(e.condition, level::whole);
    add(" do ");
    expression_at(e.body, level::whole);
  });
}

void printer::put(const case_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    add("case ");
    expression_at(e.of, level::whole);
    add(" of");
    indented([&] { rules(e.rules); });
  });
}

void printer::put(const function_expression& e, level wanted) {
  at(level::whole, wanted, [&] {
    add("fn ");
    rules(e.rules);
  });
}

}  // namespace tine::ml
