// Prints declarations.
#include "ml/printer.hpp"

#include <variant>

namespace tine::ml {

void printer::declarations(const std::vector<declaration_ref>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != 0) {
      // An expression would continue the declaration before it.
      if (std::holds_alternative<expression_declaration>(all[i]->is) && !out_.ends_with(';')) add(";");
      new_line();
    }
    std::visit([&](const auto& d) { one(d); }, all[i]->is);
  }
}

// Adds the declarations, on lines of their own, and begins the next line.
void printer::scope(const std::vector<declaration_ref>& all) {
  if (!all.empty()) indented([&] { declarations(all); });
  new_line();
}

void printer::one(const broken&) { add("val _ = ()"); }

void printer::one(const value_declaration& d) {
  add("val ");
  variables(d.variables);
  bool is_recursive = false;
  list(d.bindings, " and ", [&](const value_binding& b) {
    if (b.is_recursive && !is_recursive) add("rec ");
    is_recursive = b.is_recursive;
    pattern_at(b.pattern, level::whole);
    add(" = ");
    expression_at(b.value, level::whole);
  });
}

void printer::head(const function_binding& f, const clause& c) {
  const auto* pair = std::get_if<tuple_pattern>(&c.parameters[0]->is);
  std::size_t from = 0;
  if (f.is_infix && pair != nullptr && pair->parts.size() == 2) {
    const bool has_more = c.parameters.size() > 1;
    if (has_more) add("(");
    pattern_at(pair->parts[0], level::atomic);
    add(" ");
    add(f.name.text);
    add(" ");
    pattern_at(pair->parts[1], level::atomic);
    if (has_more) add(")");
    from = 1;
  } else {
    alone(f.name.text);
  }
  for (std::size_t i = from; i < c.parameters.size(); ++i) {
    add(" ");
    pattern_at(c.parameters[i], level::atomic);
  }
  if (c.result == nullptr) return;
  add(" : ");
  type(c.result);
}

void printer::one(const function_declaration& d) {
  add("fun ");
  variables(d.variables);
  for (std::size_t b = 0; b < d.bindings.size(); ++b) {
    if (b != 0) new_line(), add("and ");
    const std::vector<clause>& clauses = d.bindings[b].clauses;
    for (std::size_t c = 0; c < clauses.size(); ++c) {
      if (c != 0) new_line(), add("  | ");
      head(d.bindings[b], clauses[c]);
      add(" = ");
      expression_at(clauses[c].body, c + 1 == clauses.size() ? level::whole : level::alternative);
    }
  }
}

void printer::one(const type_declaration& d) {
  add("type ");
  types_of(d.bindings);
}

void printer::one(const datatype_declaration& d) {
  add("datatype ");
  datatypes(d.bindings);
  if (d.with_types.empty()) return;
  add(" withtype ");
  types_of(d.with_types);
}

void printer::one(const datatype_copy& d) {
  add("datatype ");
  add(d.name.text);
  add(" = datatype ");
  name(d.of);
}

void printer::one(const exception_declaration& d) {
  add("exception ");
  list(d.bindings, " and ", [&](const exception_binding& b) {
    alone(b.name.text);
    if (b.is_copy) {
      add(" = ");
      if (b.of.path.empty()) return alone(b.of.last);
      name(b.of);
    } else if (b.argument != nullptr) {
      add(" of ");
      type(b.argument);
    }
  });
}

void printer::one(const local_declaration& d) {
  const fixity_scope::mark before = fixities_.here();
  add("local");
  scope(d.hidden);
  const fixity_scope::mark middle = fixities_.here();
  add("in");
  scope(d.visible);
  add("end");
  fixities_.forget_between(before, middle);
}

void printer::one(const open_declaration& d) {
  add("open");
  for (const long_name& n : d.structures) {
    add(" ");
    name(n);
  }
}

void printer::one(const fixity_declaration& d) {
  const bool is_infix = d.is != fixity_declaration::kind::nonfix;
  const bool is_right = d.is == fixity_declaration::kind::infixr;
  add(!is_infix ? "nonfix" : is_right ? "infixr " : "infix ");
  if (is_infix) add(std::to_string(d.precedence));
  for (const defined_name& n : d.names) {
    add(" ");
    add(n.text);
    fixities_.set(n.text, is_infix ? std::optional{fixity{d.precedence, is_right}} : std::nullopt);
  }
}

void printer::one(const structure_declaration& d) {
  add("structure ");
  list(d.bindings, " and ", [&](const structure_binding& b) {
    add(b.name.text);
    if (b.signature != nullptr) ascription(b.signature, b.is_opaque);
    add(" = ");
    structure(b.is);
  });
}

void printer::one(const signature_declaration& d) {
  add("signature ");
  list(d.bindings, " and ", [&](const signature_binding& b) {
    add(b.name.text);
    add(" = ");
    signature(b.is);
  });
}

void printer::one(const expression_declaration& d) {
  expression_at(d.value, level::whole);
  add(";");
}

}  // namespace tine::ml
