// Declarations, except of functions and of modules.
#include "ml/parser.hpp"

namespace tine::ml {

using enum token_kind;

namespace {

bool is_function(const expression* e) {
  while (const auto* t = std::get_if<typed_expression>(&e->is)) e = t->of;
  return std::holds_alternative<function_expression>(e->is) || std::holds_alternative<broken>(e->is);
}

}  // namespace

declaration_ref parser::values() {
  const token first = in_.take();
  value_declaration all{type_variables(), {}};
  bool is_recursive = false;
  do {
    while (in_.accept(rec)) is_recursive = true;
    const pattern_ref p = whole_pattern();
    in_.expect(equals, "'=' after the pattern of 'val'");
    const expression_ref e = whole_expression();
    if (is_recursive && !is_function(e)) {
      in_.report(e->where, "the value of 'val rec' is no function; it must be 'fn … => …'");
    }
    all.bindings.push_back({p, e, is_recursive});
  } while (in_.accept(and_));
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

declaration_ref parser::types() {
  const token first = in_.take();
  type_declaration all{type_bindings()};
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

std::vector<type_binding> parser::type_bindings() {
  std::vector<type_binding> all;
  do {
    type_binding b{type_variables(), {}, nullptr};
    b.name = type_name();
    in_.expect(equals, "'=' after the name of a type");
    b.is = type();
    all.push_back(std::move(b));
  } while (in_.accept(and_));
  return all;
}

defined_name parser::type_name() {
  if (in_.at("*")) in_.fail("the name of a type, which '*' cannot be");
  return new_name("the name of a type");
}

// Returns true if the next tokens are `t = datatype`.
bool parser::at_copy() const { return in_.at_name() && in_.peek(1).kind == equals && in_.peek(2).kind == datatype; }

datatype_copy parser::copied() {
  datatype_copy c{type_name(), {}};
  in_.take();
  in_.take();
  c.of = any_name("the name of the datatype to copy");
  return c;
}

declaration_ref parser::datatypes() {
  const token first = in_.take();
  if (at_copy()) {
    datatype_copy c = copied();
    return make<declaration>(std::move(c), in_.from(first));
  }
  datatype_declaration all{datatype_bindings(), {}};
  if (in_.accept(withtype)) all.with_types = type_bindings();
  const std::uint32_t below = deepest(all.bindings, all.with_types);
  return make<declaration>(std::move(all), in_.from(first), below);
}

std::vector<datatype_binding> parser::datatype_bindings() {
  std::vector<datatype_binding> all;
  do {
    datatype_binding b{type_variables(), {}, {}};
    b.name = type_name();
    in_.expect(equals, "'=' after the name of a datatype");
    do {
      in_.accept(op);
      constructor_binding c{new_name("the name of a constructor"), nullptr};
      if (in_.accept(of)) c.argument = type();
      b.constructors.push_back(std::move(c));
    } while (in_.accept(bar));
    all.push_back(std::move(b));
  } while (in_.accept(and_));
  return all;
}

declaration_ref parser::exceptions() {
  const token first = in_.take();
  exception_declaration all;
  do {
    in_.accept(op);
    exception_binding b;
    b.name = new_name("the name of an exception");
    if (in_.accept(of)) {
      b.argument = type();
    } else if (in_.accept(equals)) {
      in_.accept(op);
      b.is_copy = true;
      b.of = any_name("the name of the exception to copy");
    }
    all.bindings.push_back(std::move(b));
  } while (in_.accept(and_));
  const std::uint32_t below = deepest(all.bindings);
  return make<declaration>(std::move(all), in_.from(first), below);
}

declaration_ref parser::local_in(place where) {
  const token open = in_.take();
  const fixity_scope::mark before = fixities_.here();
  const place inside = where == place::top ? place::in_structure : where;
  return bracketed<declaration>(end, open.begin, [&] {
    local_declaration all{declarations(inside), {}};
    in_.close(in, open, "a declaration or 'in'");
    const fixity_scope::mark middle = fixities_.here();
    all.visible = declarations(inside);
    fixities_.forget_between(before, middle);
    in_.close(end, open, "a declaration or 'end'");
    const std::uint32_t below = deepest(all.hidden, all.visible);
    return make<declaration>(std::move(all), in_.from(open), below);
  });
}

declaration_ref parser::opened() {
  const token first = in_.take();
  open_declaration all;
  do all.structures.push_back(structure_name());
  while (in_.at_name() || in_.at(qualified));
  return make<declaration>(std::move(all), in_.from(first));
}

long_name parser::structure_name() {
  if (in_.at(symbol)) in_.fail("the name of a structure, which has letters and digits");
  return any_name("the name of a structure");
}

declaration_ref parser::fixities() {
  const token first = in_.take();
  fixity_declaration all;
  all.is = first.kind == infix    ? fixity_declaration::kind::infix
           : first.kind == infixr ? fixity_declaration::kind::infixr
                                  : fixity_declaration::kind::nonfix;
  if (first.kind != nonfix && in_.at(integer)) {
    const token digit = in_.take();
    const std::string_view text = in_.text(digit);
    if (text.size() == 1 && text[0] != '~') {
      all.precedence = static_cast<unsigned>(text[0] - '0');
    } else {
      in_.report(in_.where(digit), "the precedence " + quoted(text) + " is no digit; give one from 0 to 9");
    }
  }
  if (!in_.at_name() && !in_.at(equals)) in_.fail("a name whose fixity is declared");
  while (in_.at_name() || in_.at(equals)) {
    const token name = in_.peek();
    all.names.push_back(take_name());
    if (first.kind == nonfix) {
      fixities_.set(in_.text(name), std::nullopt);
    } else {
      fixities_.set(in_.text(name), fixity{all.precedence, first.kind == infixr});
    }
  }
  return make<declaration>(std::move(all), in_.from(first));
}

}  // namespace tine::ml
