// Inner header of the parser: recursive descent, one function for each phrase class of the Definition.
//
// A function that meets an error reports it and throws `lost`. Brackets, `let` and `struct` catch it and continue
// behind their end; otherwise the declaration catches it, and the parser continues with the next declaration.
#pragma once

#include "ml/fixity.hpp"
#include "ml/syntax.hpp"
#include "ml/token_stream.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::ml {

class parser {
 public:
  parser(const source& of, diagnostics& wrong) : in_{of, wrong} {}

  syntax_tree run();

 private:
  /// Where declarations stand; it decides which are allowed.
  enum class place : std::uint8_t { top, in_structure, in_expression };

  // --- nodes ---
  template <class Node, class Is>
  const Node* make(Is is, span where, std::uint32_t below = 0) {
    if (below < max_depth) return tree_.add(Node{std::move(is), where, below + 1});
    report_too_deep(where);
    return tree_.add(Node{broken_of<Node>(), where});
  }
  template <class... Refs>
  static std::uint32_t deepest(const Refs&... refs) {
    std::uint32_t depth = 0;
    (include(depth, refs), ...);
    return depth;
  }
  template <class Node>
  static void include(std::uint32_t& depth, const Node* n) {
    if (n != nullptr) depth = std::max(depth, n->depth);
  }
  template <class Part>
  static void include(std::uint32_t& depth, const std::vector<Part>& all) {
    for (const Part& p : all) include(depth, p);
  }
  static void include(std::uint32_t& depth, const field_type& f) { include(depth, f.of); }
  static void include(std::uint32_t& depth, const field_pattern& f) { include(depth, f.of); }
  static void include(std::uint32_t& depth, const field_expression& f) { include(depth, f.of); }
  static void include(std::uint32_t& depth, const rule& r) { include(depth, r.when), include(depth, r.then); }
  static void include(std::uint32_t& depth, const value_binding& b) {
    include(depth, b.pattern), include(depth, b.value);
  }
  static void include(std::uint32_t& depth, const clause& c) {
    include(depth, c.parameters), include(depth, c.result), include(depth, c.body);
  }
  static void include(std::uint32_t& depth, const function_binding& b) { include(depth, b.clauses); }
  static void include(std::uint32_t& depth, const type_binding& b) { include(depth, b.is); }
  static void include(std::uint32_t& depth, const constructor_binding& b) { include(depth, b.argument); }
  static void include(std::uint32_t& depth, const datatype_binding& b) { include(depth, b.constructors); }
  static void include(std::uint32_t& depth, const exception_binding& b) { include(depth, b.argument); }
  static void include(std::uint32_t& depth, const structure_binding& b) {
    include(depth, b.signature), include(depth, b.is);
  }
  static void include(std::uint32_t& depth, const signature_binding& b) { include(depth, b.is); }
  static void include(std::uint32_t& depth, const specification& s);

  /// Counts the functions of the parser that are within each other.
  class nested {
   public:
    explicit nested(parser& p) : p_{p} {
      if (p.nesting_ == max_depth) {
        p.report_too_deep(p.in_.where(p.in_.peek()));
        p.in_.stop();  // the ends of a thousand phrases are not worth matching
        throw lost{};
      }
      ++p.nesting_;
    }
    ~nested() { --p_.nesting_; }
    nested(const nested&) = delete;
    nested& operator=(const nested&) = delete;

   private:
    parser& p_;
  };
  void report_too_deep(span where);

  /// Parses the inside of brackets up to `close`. After an error in it, skips the rest of it and returns a broken node.
  template <class Node, class Inside>
  const Node* bracketed(token_kind close, std::uint32_t begin, Inside inside) {
    try {
      return inside();
    } catch (const lost&) {
      if (!in_.skip_to_close(close)) {
        ++(close == token_kind::end ? abandoned_ends_ : abandoned_brackets_);
        throw;
      }
    }
    return tree_.add(Node{broken_of<Node>(), in_.from(begin)});
  }
  /// Returns what stands for a node that could not be parsed. Types have no node for that: it is the type `{}`.
  template <class Node>
  static auto broken_of() {
    if constexpr (std::same_as<Node, type_syntax>) {
      return record_type{};
    } else {
      return broken{};
    }
  }

  // --- names (parse_names.cpp) ---
  /// Returns the infix operator that the next token is. With `equals`, `=` is one.
  std::optional<fixity> next_operator(bool equals) const;
  defined_name take_name();
  /// Returns what should stand for the infix operator that comes next without a left operand; empty if it is no sign.
  std::string without_sign() const;
  /// Takes `op` and a name, or a name that is no infix operator; reports one that is.
  defined_name value_name(std::string_view wanted);
  defined_name new_name(std::string_view wanted);
  long_name any_name(std::string_view wanted);
  long_name long_of(const token& t) const;
  std::string label(std::string_view wanted);
  bool begins_label() const;
  std::vector<std::string> type_variables();
  /// Reports labels that occur twice. `labels` are in the order of the text, `places` has their spans.
  template <class Field>
  void check_labels(const std::vector<Field>& fields, const std::vector<span>& places);
  void check_twice(std::vector<std::pair<std::string_view, span>> all, std::string_view of_what);
  bool begins_literal() const;

  // --- types (parse_types.cpp) ---
  type_ref type();
  type_ref tuple_of_types();
  type_ref constructed_type();
  type_ref atomic_type(std::vector<type_ref>& arguments);
  type_ref record_of_types();

  // --- patterns (parse_patterns.cpp) ---
  pattern_ref whole_pattern();
  pattern_ref infix_pattern();
  pattern_ref applied_pattern();
  pattern_ref atomic_pattern();
  pattern_ref name_or_op_pattern();
  pattern_ref parenthesised_pattern();
  pattern_ref list_of_patterns();
  pattern_ref record_of_patterns();
  pattern_ref field_without_pattern(const token& label);
  pattern_ref layered(pattern_ref name, std::uint32_t begin);
  pattern_ref join(pattern_ref left, const token& op, pattern_ref right);
  bool begins_atomic_pattern() const;

  // --- expressions (parse_expressions.cpp, parse_atoms.cpp) ---
  expression_ref whole_expression();
  expression_ref disjunction();
  expression_ref conjunction();
  expression_ref typed();
  expression_ref infix_expression();
  expression_ref application();
  /// Parses an expression that begins with fn, if, case, while or raise and extends as far as possible; null if none
  /// begins here.
  expression_ref open_ended();
  expression_ref conditional();
  expression_ref atomic_expression();
  expression_ref name_or_op_expression();
  expression_ref parenthesised();
  expression_ref list_of_expressions();
  expression_ref record_of_expressions();
  expression_ref let_in();
  expression_ref selector();
  /// Parses expressions between semicolons, up to `close`, which is not taken.
  expression_ref sequence(expression_ref first);
  expression_ref join(expression_ref left, const token& op, expression_ref right);
  std::vector<rule> rules();
  bool begins_atomic_expression() const;
  bool begins_open_ended() const;

  // --- declarations (parse.cpp, parse_declarations.cpp, parse_functions.cpp) ---
  std::vector<declaration_ref> declarations(place where);
  bool take_abandoned();
  void misplaced_at_top();
  void declaration_or_skip(place where, std::vector<declaration_ref>& into);
  declaration_ref one_declaration(place where);
  declaration_ref expression_at_top();
  declaration_ref values();
  declaration_ref functions();
  function_binding one_function();
  clause one_clause(defined_name& name, bool& is_infix);
  bool infix_clause(clause& c, defined_name& name);
  void check_clauses(const function_binding& f, const std::vector<defined_name>& names);
  declaration_ref types();
  std::vector<type_binding> type_bindings();
  defined_name type_name();
  bool at_copy() const;
  datatype_copy copied();
  declaration_ref datatypes();
  std::vector<datatype_binding> datatype_bindings();
  declaration_ref exceptions();
  declaration_ref local_in(place where);
  declaration_ref opened();
  long_name structure_name();
  declaration_ref fixities();
  declaration_ref module(place where);
  declaration_ref unsupported(std::string_view instead);

  // --- structures and signatures (parse_structures.cpp, parse_signatures.cpp) ---
  declaration_ref structures();
  declaration_ref signatures();
  structure_ref whole_structure();
  structure_ref simple_structure();
  signature_ref ascribed(bool& is_opaque);
  signature_ref whole_signature();
  defined_name signature_name();
  signature_ref simple_signature();
  std::vector<specification> specifications();
  void one_specification(std::vector<specification>& into);
  void value_specifications(std::vector<specification>& into);
  void type_specifications(std::vector<specification>& into, bool has_equality);
  void datatype_specifications(std::vector<specification>& into, const token& first);
  void exception_specifications(std::vector<specification>& into);
  void structure_specifications(std::vector<specification>& into);
  void included(std::vector<specification>& into);
  void shared(std::vector<specification>& into, const token& first);

  token_stream in_;
  fixity_scope fixities_;
  syntax_tree tree_;
  std::size_t nesting_ = 0;
  bool is_too_deep_ = false;
  /// The numbers of phrases that were left without their ends after an error: as many ends may come later and are no
  /// further errors.
  std::size_t abandoned_brackets_ = 0, abandoned_ends_ = 0;
};

template <class Field>
void parser::check_labels(const std::vector<Field>& fields, const std::vector<span>& places) {
  std::vector<std::pair<std::string_view, span>> all;
  all.reserve(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) all.emplace_back(fields[i].label, places[i]);
  check_twice(std::move(all), "the label");
}

}  // namespace tine::ml
