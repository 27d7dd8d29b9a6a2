// Prints types and their declarations.
#include "ml/printer.hpp"

#include <variant>

namespace tine::ml {

void printer::type(type_ref t, type_level wanted) {
  const auto within = [&](type_level is, auto inside) {
    if (is < wanted) add("(");
    inside();
    if (is < wanted) add(")");
  };
  if (const auto* v = std::get_if<variable_type>(&t->is)) return add(v->name);
  if (const auto* a = std::get_if<arrow_type>(&t->is)) {
    return within(type_level::arrow, [&] {
      type(a->from, type_level::tuple);
      add(" -> ");
      type(a->to);
    });
  }
  if (const auto* p = std::get_if<tuple_type>(&t->is)) {
    return within(type_level::tuple,
                  [&] { list(p->parts, " * ", [&](type_ref part) { type(part, type_level::constructed); }); });
  }
  if (const auto* r = std::get_if<record_type>(&t->is)) {
    add("{");
    list(r->fields, ", ", [&](const field_type& f) {
      add(f.label);
      add(" : ");
      type(f.of);
    });
    return add("}");
  }
  const auto& n = std::get<named_type>(t->is);
  if (n.arguments.size() > 1) {
    add("(");
    list(n.arguments, ", ", [&](type_ref a) { type(a); });
    add(") ");
  } else if (n.arguments.size() == 1) {
    type(n.arguments[0], type_level::constructed);
    add(" ");
  }
  name(n.constructor);
}

void printer::types_of(const std::vector<type_binding>& all) {
  list(all, " and ", [&](const type_binding& b) {
    variables(b.variables);
    add(b.name.text);
    add(" = ");
    type(b.is);
  });
}

void printer::datatypes(const std::vector<datatype_binding>& all) {
  list(all, " and ", [&](const datatype_binding& b) {
    variables(b.variables);
    add(b.name.text);
    add(" = ");
    list(b.constructors, " | ", [&](const constructor_binding& c) {
      alone(c.name.text);
      if (c.argument == nullptr) return;
      add(" of ");
      type(c.argument);
    });
  });
}

}  // namespace tine::ml
