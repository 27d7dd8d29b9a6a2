// Writes every member of a syntax tree, except places, as a text with brackets, so that tests can compare trees. It
// shares no code with the printer: no precedence, no layout.
#pragma once

#include "ml/syntax.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace tine::ml {

class tree_text {
 public:
  static std::string of(const syntax_tree& t) {
    tree_text all;
    all.put(t.declarations);
    return all.out_;
  }

 private:
  template <class... Parts>
  void node(const char* name, const Parts&... parts) {
    out_.append("(").append(name);
    (..., (out_ += ' ', put(parts)));
    out_ += ')';
  }
  template <class T>
  void put(const std::vector<T>& all) {
    out_ += '[';
    for (const T& one : all) put(one), out_ += ' ';
    out_ += ']';
  }
  template <class Node>
    requires requires(const Node& n) { n.depth; }
  void put(const Node* n) {
    if (n == nullptr) {
      out_ += '-';
    } else {
      std::visit([&](const auto& is) { put(is); }, n->is);
    }
  }
  void put(bool b) { out_ += b ? "yes" : "no"; }
  void put(unsigned n) { out_ += std::to_string(n); }
  void put(const std::string& s) { out_ += s; }
  void put(const defined_name& n) { out_ += n.text; }
  void put(const long_name& n) {
    for (const std::string& p : n.path) out_ += p + ".";
    out_ += n.last;
  }
  void put(const literal& l) {
    char real[64];
    std::snprintf(real, sizeof real, "%a", l.fraction);
    std::string hex;
    for (const char c : l.bytes) hex += std::to_string(static_cast<unsigned char>(c)) + ",";
    node("literal", static_cast<unsigned>(l.is), l.is_negative, std::to_string(l.whole), l.is_too_large,
         std::string{real}, hex);
  }
  void put(const variable_type& t) { node("variable", t.name); }
  void put(const named_type& t) { node("named", t.arguments, t.constructor); }
  void put(const field_type& f) { node("field", f.label, f.of); }
  void put(const record_type& t) { node("record", t.fields); }
  void put(const tuple_type& t) { node("tuple", t.parts); }
  void put(const arrow_type& t) { node("arrow", t.from, t.to); }

  void put(const broken&) { node("broken"); }
  void put(const wildcard_pattern&) { node("wildcard"); }
  void put(const literal_pattern& p) { put(p.value); }
  void put(const name_pattern& p) { node("name", p.name, p.has_op); }
  void put(const constructed_pattern& p) { node("constructed", p.constructor, p.argument, p.is_infix); }
  void put(const field_pattern& f) { node("field", f.label, f.of); }
  void put(const record_pattern& p) { node("record", p.fields, p.is_open); }
  void put(const tuple_pattern& p) { node("tuple", p.parts); }
  void put(const list_pattern& p) { node("list", p.elements); }
  void put(const typed_pattern& p) { node("typed", p.of, p.type); }
  void put(const layered_pattern& p) { node("layered", p.name, p.type, p.of); }

  void put(const literal_expression& e) { put(e.value); }
  void put(const name_expression& e) { node("name", e.name, e.has_op); }
  void put(const field_expression& f) { node("field", f.label, f.of); }
  void put(const record_expression& e) { node("record", e.fields); }
  void put(const selector_expression& e) { node("selector", e.label); }
  void put(const tuple_expression& e) { node("tuple", e.parts); }
  void put(const list_expression& e) { node("list", e.elements); }
  void put(const sequence_expression& e) { node("sequence", e.steps); }
  void put(const let_expression& e) { node("let", e.declarations, e.body); }
  void put(const apply_expression& e) { node("apply", e.function, e.argument, e.is_infix); }
  void put(const typed_expression& e) { node("typed", e.of, e.type); }
  void put(const and_also_expression& e) { node("andalso", e.left, e.right); }
  void put(const or_else_expression& e) { node("orelse", e.left, e.right); }
  void put(const rule& r) { node("rule", r.when, r.then); }
  void put(const handle_expression& e) { node("handle", e.of, e.rules); }
  void put(const raise_expression& e) { node("raise", e.of); }
  void put(const if_expression& e) { node("if", e.condition, e.yes, e.no); }
  void put(const while_expression& e) { node("while", e.condition, e.body); }
  void put(const case_expression& e) { node("case", e.of, e.rules); }
  void put(const function_expression& e) { node("fn", e.rules); }

  void put(const value_binding& b) { node("binding", b.pattern, b.value, b.is_recursive); }
  void put(const value_declaration& d) { node("val", d.variables, d.bindings); }
  void put(const clause& c) { node("clause", c.parameters, c.result, c.body); }
  void put(const function_binding& b) { node("function", b.name, b.clauses, b.is_infix); }
  void put(const function_declaration& d) { node("fun", d.variables, d.bindings); }
  void put(const type_binding& b) { node("binding", b.variables, b.name, b.is); }
  void put(const type_declaration& d) { node("type", d.bindings); }
  void put(const constructor_binding& b) { node("constructor", b.name, b.argument); }
  void put(const datatype_binding& b) { node("binding", b.variables, b.name, b.constructors); }
  void put(const datatype_declaration& d) { node("datatype", d.bindings, d.with_types); }
  void put(const datatype_copy& d) { node("copy", d.name, d.of); }
  void put(const exception_binding& b) { node("binding", b.name, b.argument, b.is_copy, b.of); }
  void put(const exception_declaration& d) { node("exception", d.bindings); }
  void put(const local_declaration& d) { node("local", d.hidden, d.visible); }
  void put(const open_declaration& d) { node("open", d.structures); }
  void put(const fixity_declaration& d) { node("fixity", static_cast<unsigned>(d.is), d.precedence, d.names); }
  void put(const structure_binding& b) { node("binding", b.name, b.signature, b.is_opaque, b.is); }
  void put(const structure_declaration& d) { node("structure", d.bindings); }
  void put(const signature_binding& b) { node("binding", b.name, b.is); }
  void put(const signature_declaration& d) { node("signature", d.bindings); }
  void put(const expression_declaration& d) { node("expression", d.value); }

  void put(const plain_structure& s) { node("struct", s.declarations); }
  void put(const named_structure& s) { node("named", s.name); }
  void put(const constrained_structure& s) { node("constrained", s.of, s.signature, s.is_opaque); }
  void put(const let_structure& s) { node("let", s.declarations, s.body); }
  void put(const specification& s) {
    std::visit([&](const auto& is) { put(is); }, s.is);
  }
  void put(const value_specification& s) { node("val", s.name, s.type); }
  void put(const type_specification& s) { node("type", s.variables, s.name, s.has_equality, s.is); }
  void put(const datatype_specification& s) { node("datatype", s.bindings); }
  void put(const exception_specification& s) { node("exception", s.name, s.argument); }
  void put(const structure_specification& s) { node("structure", s.name, s.signature); }
  void put(const include_specification& s) { node("include", s.signature); }
  void put(const sharing_specification& s) { node("sharing", s.types); }
  void put(const plain_signature& s) { node("sig", s.specifications); }
  void put(const named_signature& s) { node("named", s.name); }
  void put(const refined_signature& s) { node("where", s.of, s.variables, s.name, s.type); }

  std::string out_;
};

}  // namespace tine::ml
