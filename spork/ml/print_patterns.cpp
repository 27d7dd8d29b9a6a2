// Prints patterns.
#include "ml/printer.hpp"

#include <variant>

namespace tine::ml {

void printer::pattern_at(pattern_ref p, level wanted) {
  std::visit([&](const auto& is) { put(is, wanted); }, p->is);
}

void printer::put(const broken&, level) { add("_"); }

void printer::put(const wildcard_pattern&, level) { add("_"); }

void printer::put(const literal_pattern& p, level) { constant(p.value); }

void printer::put(const name_pattern& p, level) {
  if (p.has_op) add("op ");
  name(p.name);
}

void printer::operand(pattern_ref p, fixity op, bool is_right) {
  const auto* inner = std::get_if<constructed_pattern>(&p->is);
  bool fits = true;
  if (inner != nullptr && inner->is_infix) {
    const fixity is = fixities_.find(inner->constructor.last).value_or(fixity{});
    fits = is.precedence > op.precedence ||
           (is.precedence == op.precedence && is.is_right == is_right && op.is_right == is_right);
  }
  pattern_at(p, fits ? level::infix : level::applied);
}

void printer::put(const constructed_pattern& p, level wanted) {
  if (!p.is_infix) {
    return at(level::applied, wanted, [&] {
      // A constructor that is an infix operator has its argument behind it only with `op`.
      if (p.constructor.path.empty()) {
        alone(p.constructor.last);
      } else {
        name(p.constructor);
      }
      add(" ");
      pattern_at(p.argument, level::atomic);
    });
  }
  at(level::infix, wanted, [&] {
    const auto& pair = std::get<tuple_pattern>(p.argument->is).parts;
    const fixity is = fixities_.find(p.constructor.last).value_or(fixity{});
    operand(pair[0], is, false);
    add(" ");
    name(p.constructor);
    add(" ");
    operand(pair[1], is, true);
  });
}

void printer::put(const record_pattern& p, level) {
  add("{");
  list(p.fields, ", ", [&](const field_pattern& f) {
    add(f.label);
    add(" = ");
    pattern_at(f.of, level::whole);
  });
  if (p.is_open) add(p.fields.empty() ? "..." : ", ...");
  add("}");
}

void printer::put(const tuple_pattern& p, level) {
  add("(");
  list(p.parts, ", ", [&](pattern_ref part) { pattern_at(part, level::whole); });
  add(")");
}

void printer::put(const list_pattern& p, level) {
  add("[");
  list(p.elements, ", ", [&](pattern_ref element) { pattern_at(element, level::whole); });
  add("]");
}

void printer::put(const typed_pattern& p, level wanted) {
  at(level::typed, wanted, [&] {
    pattern_at(p.of, level::typed);
    add(" : ");
    type(p.type);
  });
}

void printer::put(const layered_pattern& p, level wanted) {
  at(level::whole, wanted, [&] {
    alone(p.name.text);
    if (p.type != nullptr) {
      add(" : ");
      type(p.type);
    }
    add(" as ");
    pattern_at(p.of, level::whole);
  });
}

}  // namespace tine::ml
