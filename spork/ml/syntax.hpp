// The abstract syntax of a Parallel ML program, as the parser makes it: names are not resolved yet, but infix operators
// are.
//
// Nodes are owned by a `syntax_tree` and refer to each other by pointers that stay valid as long as the tree. The depth
// of a tree is at most `max_depth`, which the parser checks, so later stages may recurse.
#pragma once

#include "ml/source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace tine::ml {

/// Each node's `depth` counts the nodes on the longest way from it to a leaf, both included.
inline constexpr std::size_t max_depth = 1000;

/// A name with the structures that lead to it: `List.map` has the path {"List"} and the name "map".
struct long_name {
  std::vector<std::string> path;
  std::string last;
  span where;
};

/// A name at its definition.
struct defined_name {
  std::string text;
  span where;
};

/// The constants of the language. The value of an integer or a word is not limited here; the elaborator reports one
/// that its type cannot hold.
struct literal {
  enum class kind : std::uint8_t { integer, word, real, character, string };
  kind is = kind::integer;
  bool is_negative = false;   ///< integer, real
  std::uint64_t whole = 0;    ///< integer: the absolute value; word: the value; character: the code
  bool is_too_large = false;  ///< integer, word: the value does not fit into `whole`
  double fraction = 0;        ///< real: the value, with its sign
  std::string bytes;          ///< string
};

// --- types ---

struct type_syntax;
using type_ref = const type_syntax*;

struct variable_type {
  std::string name;  ///< with the prime or primes: 'a, ''a
};
struct named_type {
  std::vector<type_ref> arguments;
  long_name constructor;
};
struct field_type {
  std::string label;
  type_ref of;
};
struct record_type {
  std::vector<field_type> fields;
};
struct tuple_type {
  std::vector<type_ref> parts;
};
struct arrow_type {
  type_ref from, to;
};
struct type_syntax {
  std::variant<variable_type, named_type, record_type, tuple_type, arrow_type> is;
  span where;
  std::uint32_t depth = 1;
};

// --- patterns ---

struct pattern;
using pattern_ref = const pattern*;

struct wildcard_pattern {};
struct literal_pattern {
  literal value;
};
/// A variable, or a constructor without argument: the elaborator decides.
struct name_pattern {
  long_name name;
  bool has_op = false;
};
struct constructed_pattern {
  long_name constructor;
  pattern_ref argument;
  bool is_infix = false;  ///< written between the parts of `argument`, which is a tuple of two
};
struct field_pattern {
  std::string label;
  pattern_ref of;
  span where;
};
struct record_pattern {
  std::vector<field_pattern> fields;
  bool is_open = false;  ///< has `...`
};
struct tuple_pattern {
  std::vector<pattern_ref> parts;  ///< none: the unit
};
struct list_pattern {
  std::vector<pattern_ref> elements;
};
struct typed_pattern {
  pattern_ref of;
  type_ref type;
};
struct layered_pattern {
  defined_name name;
  type_ref type = nullptr;  ///< of `name : type as pattern`, else null
  pattern_ref of;
};
/// Stands for a part that could not be parsed; its error is reported already.
struct broken {};

struct pattern {
  std::variant<broken, wildcard_pattern, literal_pattern, name_pattern, constructed_pattern, record_pattern,
               tuple_pattern, list_pattern, typed_pattern, layered_pattern>
      is;
  span where;
  std::uint32_t depth = 1;
};

// --- expressions ---

struct expression;
using expression_ref = const expression*;
struct declaration;
using declaration_ref = const declaration*;

struct literal_expression {
  literal value;
};
struct name_expression {
  long_name name;
  bool has_op = false;
};
struct field_expression {
  std::string label;
  expression_ref of;
  span where;
};
struct record_expression {
  std::vector<field_expression> fields;
};
/// The function `#label`.
struct selector_expression {
  std::string label;  ///< of a tuple, "1", "2", …
};
struct tuple_expression {
  std::vector<expression_ref> parts;  ///< none: the unit
};
struct list_expression {
  std::vector<expression_ref> elements;
};
struct sequence_expression {
  std::vector<expression_ref> steps;  ///< at least two; the value is the last one's
};
struct let_expression {
  std::vector<declaration_ref> declarations;
  expression_ref body;  ///< a sequence if there are several
};
struct apply_expression {
  expression_ref function, argument;
  bool is_infix = false;  ///< written between the parts of `argument`, which is a tuple of two
};
struct typed_expression {
  expression_ref of;
  type_ref type;
};
struct and_also_expression {
  expression_ref left, right;
};
struct or_else_expression {
  expression_ref left, right;
};
struct rule {
  pattern_ref when;
  expression_ref then;
};
struct handle_expression {
  expression_ref of;
  std::vector<rule> rules;
};
struct raise_expression {
  expression_ref of;
};
struct if_expression {
  expression_ref condition, yes, no;
};
struct while_expression {
  expression_ref condition, body;
};
struct case_expression {
  expression_ref of;
  std::vector<rule> rules;
};
struct function_expression {
  std::vector<rule> rules;
};
struct expression {
  std::variant<broken, literal_expression, name_expression, record_expression, selector_expression, tuple_expression,
               list_expression, sequence_expression, let_expression, apply_expression, typed_expression,
               and_also_expression, or_else_expression, handle_expression, raise_expression, if_expression,
               while_expression, case_expression, function_expression>
      is;
  span where;
  std::uint32_t depth = 1;
};

// --- declarations ---

struct value_binding {
  pattern_ref pattern;
  expression_ref value;
  bool is_recursive = false;  ///< from the `rec` on, all bindings of a declaration are
};
struct value_declaration {
  std::vector<std::string> variables;  ///< type variables bound here: `val 'a x = …`
  std::vector<value_binding> bindings;
};
/// `f p₁ p₂ : t = e`. An infix function's clause `p₁ op p₂` has one parameter, the pair.
struct clause {
  std::vector<pattern_ref> parameters;
  type_ref result = nullptr;  ///< null if it is not written
  expression_ref body;
  span where;
};
struct function_binding {
  defined_name name;
  std::vector<clause> clauses;  ///< at least one, all with the same name and number of parameters
  bool is_infix = false;
};
struct function_declaration {
  std::vector<std::string> variables;
  std::vector<function_binding> bindings;
};
struct type_binding {
  std::vector<std::string> variables;
  defined_name name;
  type_ref is;
};
struct type_declaration {
  std::vector<type_binding> bindings;
};
struct constructor_binding {
  defined_name name;
  type_ref argument = nullptr;  ///< null if it has none
};
struct datatype_binding {
  std::vector<std::string> variables;
  defined_name name;
  std::vector<constructor_binding> constructors;
};
struct datatype_declaration {
  std::vector<datatype_binding> bindings;
  std::vector<type_binding> with_types;
};
/// `datatype name = datatype of`.
struct datatype_copy {
  defined_name name;
  long_name of;
};
struct exception_binding {
  defined_name name;
  type_ref argument = nullptr;  ///< of `exception E of t`
  bool is_copy = false;         ///< `exception E = F`
  long_name of;                 ///< F
};
struct exception_declaration {
  std::vector<exception_binding> bindings;
};
struct local_declaration {
  std::vector<declaration_ref> hidden, visible;
};
struct open_declaration {
  std::vector<long_name> structures;
};
struct fixity_declaration {
  enum class kind : std::uint8_t { infix, infixr, nonfix };
  kind is = kind::infix;
  unsigned precedence = 0;
  std::vector<defined_name> names;
};

struct structure_expression;
using structure_ref = const structure_expression*;
struct signature_expression;
using signature_ref = const signature_expression*;

struct structure_binding {
  defined_name name;
  signature_ref signature = nullptr;  ///< null if there is none
  bool is_opaque = false;             ///< `:>`
  structure_ref is;
};
struct structure_declaration {
  std::vector<structure_binding> bindings;
};
struct signature_binding {
  defined_name name;
  signature_ref is;
};
struct signature_declaration {
  std::vector<signature_binding> bindings;
};
/// An expression at the top level: `e;` stands for `val it = e`.
struct expression_declaration {
  expression_ref value;
};
struct declaration {
  std::variant<broken, value_declaration, function_declaration, type_declaration, datatype_declaration, datatype_copy,
               exception_declaration, local_declaration, open_declaration, fixity_declaration, structure_declaration,
               signature_declaration, expression_declaration>
      is;
  span where;
  std::uint32_t depth = 1;
};

// --- structures and signatures ---

struct plain_structure {
  std::vector<declaration_ref> declarations;
};
struct named_structure {
  long_name name;
};
struct constrained_structure {
  structure_ref of;
  signature_ref signature;
  bool is_opaque = false;
};
struct let_structure {
  std::vector<declaration_ref> declarations;
  structure_ref body;
};
struct structure_expression {
  std::variant<broken, plain_structure, named_structure, constrained_structure, let_structure> is;
  span where;
  std::uint32_t depth = 1;
};

struct value_specification {
  defined_name name;
  type_ref type;
};
struct type_specification {
  std::vector<std::string> variables;
  defined_name name;
  bool has_equality = false;  ///< `eqtype`
  type_ref is = nullptr;      ///< of `type t = …`, else null
};
struct datatype_specification {
  std::vector<datatype_binding> bindings;
};
struct exception_specification {
  defined_name name;
  type_ref argument = nullptr;
};
struct structure_specification {
  defined_name name;
  signature_ref signature;
};
struct include_specification {
  signature_ref signature;
};
/// `sharing type a = b = …`.
struct sharing_specification {
  std::vector<long_name> types;
};
struct specification {
  std::variant<value_specification, type_specification, datatype_specification, datatype_copy, exception_specification,
               structure_specification, include_specification, sharing_specification>
      is;
  span where;
};
struct plain_signature {
  std::vector<specification> specifications;
};
struct named_signature {
  defined_name name;
};
/// `signature where type (variables) name = type`.
struct refined_signature {
  signature_ref of;
  std::vector<std::string> variables;
  long_name name;
  type_ref type;
};
struct signature_expression {
  std::variant<broken, plain_signature, named_signature, refined_signature> is;
  span where;
  std::uint32_t depth = 1;
};

/// A file's declarations, and all nodes below them.
class syntax_tree {
 public:
  template <class Node>
  const Node* add(Node n) {
    return &std::get<std::deque<Node>>(nodes_).emplace_back(std::move(n));
  }

  std::vector<declaration_ref> declarations;

 private:
  std::tuple<std::deque<type_syntax>, std::deque<pattern>, std::deque<expression>, std::deque<declaration>,
             std::deque<structure_expression>, std::deque<signature_expression>>
      nodes_;
};

}  // namespace tine::ml
