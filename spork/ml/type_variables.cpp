// A walk over all kinds of syntax.
#include "ml/type_variables.hpp"

#include <type_traits>
#include <variant>

namespace tine::ml {

namespace {

struct collector {
  std::set<std::string>& into;

  void each(const auto& all) {
    for (const auto* one : all) visit(one);
  }
  void visit(const auto* node) {
    if (node == nullptr) return;
    std::visit([&](const auto& is) { of(is); }, node->is);
  }

  void of(const broken&) {}
  void of(const variable_type& t) { into.insert(t.name); }
  void of(const named_type& t) { each(t.arguments); }
  void of(const record_type& t) {
    for (const field_type& f : t.fields) visit(f.of);
  }
  void of(const tuple_type& t) { each(t.parts); }
  void of(const arrow_type& t) {
    visit(t.from);
    visit(t.to);
  }

  void of(const wildcard_pattern&) {}
  void of(const literal_pattern&) {}
  void of(const name_pattern&) {}
  void of(const constructed_pattern& p) { visit(p.argument); }
  void of(const record_pattern& p) {
    for (const field_pattern& f : p.fields) visit(f.of);
  }
  void of(const tuple_pattern& p) { each(p.parts); }
  void of(const list_pattern& p) { each(p.elements); }
  void of(const typed_pattern& p) {
    visit(p.of);
    visit(p.type);
  }
  void of(const layered_pattern& p) {
    visit(p.type);
    visit(p.of);
  }

  void rules(const std::vector<rule>& all) {
    for (const rule& r : all) {
      visit(r.when);
      visit(r.then);
    }
  }
  void of(const literal_expression&) {}
  void of(const name_expression&) {}
  void of(const record_expression& e) {
    for (const field_expression& f : e.fields) visit(f.of);
  }
  void of(const selector_expression&) {}
  void of(const tuple_expression& e) { each(e.parts); }
  void of(const list_expression& e) { each(e.elements); }
  void of(const sequence_expression& e) { each(e.steps); }
  void of(const let_expression& e) {
    each(e.declarations);
    visit(e.body);
  }
  void of(const apply_expression& e) {
    visit(e.function);
    visit(e.argument);
  }
  void of(const typed_expression& e) {
    visit(e.of);
    visit(e.type);
  }
  void of(const and_also_expression& e) {
    visit(e.left);
    visit(e.right);
  }
  void of(const or_else_expression& e) {
    visit(e.left);
    visit(e.right);
  }
  void of(const handle_expression& e) {
    visit(e.of);
    rules(e.rules);
  }
  void of(const raise_expression& e) { visit(e.of); }
  void of(const if_expression& e) {
    visit(e.condition);
    visit(e.yes);
    visit(e.no);
  }
  void of(const while_expression& e) {
    visit(e.condition);
    visit(e.body);
  }
  void of(const case_expression& e) {
    visit(e.of);
    rules(e.rules);
  }
  void of(const function_expression& e) { rules(e.rules); }

  void of(const exception_declaration& d) {
    for (const exception_binding& b : d.bindings) visit(b.argument);
  }
  void of(const local_declaration& d) {
    each(d.hidden);
    each(d.visible);
  }
  /// All others bind the variables that occur in them.
  template <class Declaration>
    requires std::is_constructible_v<decltype(declaration::is), Declaration>
  void of(const Declaration&) {}
};

}  // namespace

void type_variables(type_ref t, std::set<std::string>& into) { collector{into}.visit(t); }
void type_variables(declaration_ref d, std::set<std::string>& into) { collector{into}.visit(d); }
void type_variables(expression_ref e, std::set<std::string>& into) { collector{into}.visit(e); }

void type_variables(const value_declaration& d, std::set<std::string>& into) {
  collector c{into};
  for (const value_binding& b : d.bindings) {
    c.visit(b.pattern);
    c.visit(b.value);
  }
}

void type_variables(const function_declaration& d, std::set<std::string>& into) {
  collector c{into};
  for (const function_binding& f : d.bindings) {
    for (const clause& one : f.clauses) {
      c.each(one.parameters);
      c.visit(one.result);
      c.visit(one.body);
    }
  }
}

}  // namespace tine::ml
