// Inner header of the printer: one function for each class of nodes. All recurse, which the depth of trees allows.
#pragma once

#include "ml/fixity.hpp"
#include "ml/syntax.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::ml {

class printer {
 public:
  std::string print(const syntax_tree& t);

 private:
  /// How tightly a phrase binds, loosest first. A phrase in a place that wants a tighter one gets parentheses.
  enum class level : std::uint8_t { whole, alternative, conjunct, typed, infix, applied, atomic };

  // --- text (print.cpp) ---
  /// Adds a text that stands for itself. A star behind a parenthesis would begin a comment.
  void add(std::string_view text) {
    if (text.starts_with('*') && out_.ends_with('(')) out_ += ' ';
    out_ += text;
  }
  void new_line();
  /// Calls `one` for each element, with `between` between them.
  template <class All, class One>
  void list(const All& all, std::string_view between, One one) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != 0) add(between);
      one(all[i]);
    }
  }
  template <class Inside>
  void indented(Inside inside) {
    ++indent_;
    new_line();
    inside();
    --indent_;
  }
  /// Calls `inside`, in parentheses if a phrase of the level `is` does not fit where `wanted` is.
  template <class Inside>
  void at(level is, level wanted, Inside inside) {
    if (is < wanted) add("(");
    inside();
    if (is < wanted) add(")");
  }
  void name(const long_name& n);
  /// Adds a name at its definition or alone, with `op` if it is an infix operator.
  void alone(std::string_view name);
  void variables(const std::vector<std::string>& names);
  void constant(const literal& l);
  void characters(std::string_view bytes);

  // --- types (print_types.cpp) ---
  enum class type_level : std::uint8_t { arrow, tuple, constructed };
  void type(type_ref t, type_level wanted = type_level::arrow);
  void types_of(const std::vector<type_binding>& all);
  void datatypes(const std::vector<datatype_binding>& all);

  // --- patterns (print_patterns.cpp) ---
  void pattern_at(pattern_ref p, level wanted);
  void put(const broken& p, level wanted);
  void put(const wildcard_pattern& p, level wanted);
  void put(const literal_pattern& p, level wanted);
  void put(const name_pattern& p, level wanted);
  void put(const constructed_pattern& p, level wanted);
  void put(const record_pattern& p, level wanted);
  void put(const tuple_pattern& p, level wanted);
  void put(const list_pattern& p, level wanted);
  void put(const typed_pattern& p, level wanted);
  void put(const layered_pattern& p, level wanted);
  /// Adds an operand of the operator `op`; an operand that is an infix phrase gets parentheses unless it groups so
  /// without them.
  void operand(pattern_ref p, fixity op, bool is_right);

  // --- expressions (print_expressions.cpp) ---
  void expression_at(expression_ref e, level wanted);
  void put(const literal_expression& e, level wanted);
  void put(const name_expression& e, level wanted);
  void put(const record_expression& e, level wanted);
  void put(const selector_expression& e, level wanted);
  void put(const tuple_expression& e, level wanted);
  void put(const list_expression& e, level wanted);
  void put(const sequence_expression& e, level wanted);
  void put(const let_expression& e, level wanted);
  void put(const apply_expression& e, level wanted);
  void put(const typed_expression& e, level wanted);
  void put(const and_also_expression& e, level wanted);
  void put(const or_else_expression& e, level wanted);
  void put(const handle_expression& e, level wanted);
  void put(const raise_expression& e, level wanted);
  void put(const if_expression& e, level wanted);
  void put(const while_expression& e, level wanted);
  void put(const case_expression& e, level wanted);
  void put(const function_expression& e, level wanted);
  void operand(expression_ref e, fixity op, bool is_right);
  void rules(const std::vector<rule>& all);

  // --- declarations (print_declarations.cpp) ---
  void declarations(const std::vector<declaration_ref>& all);
  void scope(const std::vector<declaration_ref>& all);
  void one(const broken& d);
  void one(const value_declaration& d);
  void one(const function_declaration& d);
  void one(const type_declaration& d);
  void one(const datatype_declaration& d);
  void one(const datatype_copy& d);
  void one(const exception_declaration& d);
  void one(const local_declaration& d);
  void one(const open_declaration& d);
  void one(const fixity_declaration& d);
  void one(const structure_declaration& d);
  void one(const signature_declaration& d);
  void one(const expression_declaration& d);
  void head(const function_binding& f, const clause& c);

  // --- structures and signatures (print_structures.cpp) ---
  void structure(structure_ref s);
  void signature(signature_ref s);
  void ascription(signature_ref s, bool is_opaque);
  void specify(const specification& s);

  std::string out_;
  std::size_t indent_ = 0;
  fixity_scope fixities_;
};

}  // namespace tine::ml
