// The elaborated program: explicitly typed, names resolved, derived forms gone. Whole-program compilation works on it.
//
// Polymorphism is explicit. A declaration that generalises has a list of type parameters, which all variables of the
// declaration share; a use of such a variable has an argument for each. So a later stage specialises a declaration by
// copying it with the arguments for the parameters (`type_store::substitute`). Inside a recursive declaration its
// variables are used without arguments, for the same copy of the declaration.
//
// A type may contain variables that no declaration binds: nothing in the program depends on them, and a later stage
// takes unit for each. A type may also contain constructors of opaque signatures; `reveal` replaces them by what
// represents them.
//
// Nodes are owned by the program, and refer to each other by pointers that stay valid as long as it.
#pragma once

#include "ml/source.hpp"
#include "ml/syntax.hpp"
#include "ml/types.hpp"

#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace tine::ml::typed {

/// A variable of the program or, with an empty name, of the elaborator.
struct variable {
  unsigned id = 0;  ///< unique
  std::string name;
  scheme is;
  span where;
};

/// An exception's constructor. Each execution of its declaration makes a new exception.
struct exception {
  unsigned id = 0;  ///< unique
  std::string name;
  type* argument = nullptr;  ///< null if it has none
  span where;
  bool is_basic = false;  ///< of the initial basis: raised by primitives too
};

// --- patterns ---

struct pattern;
using pattern_ref = const pattern*;

struct any {};
struct bind {
  const variable* to;
};
/// An integer, a word, a character or a string; `of` of the pattern says which type. There are no patterns of reals.
struct equals {
  literal value;
};
struct built {
  const constructor* by;
  pattern_ref argument;  ///< null if the constructor has none
};
struct raised {
  const exception* by;
  pattern_ref argument;  ///< null if the exception has none
};
/// All fields of a record or a tuple, in the order of the labels.
struct fields {
  std::vector<pattern_ref> parts;
};
struct layered {
  const variable* to;
  pattern_ref of;
};
struct pattern {
  std::variant<any, bind, equals, built, raised, fields, layered> is;
  type* of = nullptr;
  span where;
};

// --- expressions ---

struct expression;
using expression_ref = const expression*;
struct declaration;
using declaration_ref = const declaration*;

struct constant {
  literal value;
};
struct use {
  const variable* of;
  std::vector<type*> arguments;  ///< for `of->is.parameters`; empty inside the recursive declaration of the variable
};
/// An operation that the compiler knows, as a function (or a value). Overloaded operators are primitives whose name
/// ("+", "<", …) does not say the type; the type of the expression does.
struct primitive {
  std::string name;
};
/// A value of a datatype. The type of the expression has the type arguments.
struct construct {
  const constructor* by;
  expression_ref argument;  ///< null if the constructor has none
};
struct make_exception {
  const exception* by;
  expression_ref argument;  ///< null if the exception has none
};
/// A record or a tuple, its fields in the order of the labels, evaluated in this order. Without parts, the unit.
struct tuple {
  std::vector<expression_ref> parts;
};
/// A list with one element or more, which are evaluated from the first.
struct list {
  std::vector<expression_ref> parts;
};
struct select {
  std::size_t index;
  expression_ref of;
};
/// The parts are evaluated from the left.
struct apply {
  expression_ref function, argument;
};
struct function {
  const variable* parameter;
  expression_ref body;
};
struct let {
  std::vector<declaration_ref> declarations;
  expression_ref body;
};
struct sequence {
  std::vector<expression_ref> steps;  ///< at least two
};
struct conditional {
  expression_ref condition, yes, no;
};
struct loop {
  expression_ref condition, body;
};
struct rule {
  pattern_ref when;
  expression_ref then;
};
/// The first rule that matches. If none does, the exception: Match, Bind, or in `handle` the exception that was raised.
struct match {
  expression_ref of;
  std::vector<rule> rules;
  enum class failure : std::uint8_t {
    none,
    match,
    bind
  } on_failure = failure::match;  ///< none: the rules are exhaustive
};
struct raise {
  expression_ref of;
};
/// Evaluates `of`; if it raises an exception, applies the first rule that matches it, or raises it again.
struct handle {
  expression_ref of;
  std::vector<rule> rules;
};

struct expression {
  std::variant<constant, use, primitive, construct, make_exception, tuple, list, select, apply, function, let, sequence,
               conditional, loop, match, raise, handle>
      is;
  type* of = nullptr;
  span where;
};

// --- declarations ---

/// Evaluates the expression and binds the variables of the pattern. If the pattern does not match: Bind. With
/// parameters, the expression has no effect (value restriction).
struct value {
  std::vector<type*> parameters;
  pattern_ref to;
  expression_ref from;
  bool can_fail = false;  ///< some value does not match the pattern
};
struct recursive_function {
  const variable* name;
  expression_ref is;  ///< a `function`
};
struct recursive {
  std::vector<type*> parameters;
  std::vector<recursive_function> functions;
};
/// Makes a new exception.
struct new_exception {
  const exception* made;
};
struct declaration {
  std::variant<value, recursive, new_exception> is;
  span where;
};

/// A whole program: the declarations of the basis and of the files, in the order of their evaluation. Structures are
/// dissolved.
class program {
 public:
  template <class Node>
  Node* add(Node n) {
    return &std::get<std::deque<Node>>(nodes_).emplace_back(std::move(n));
  }
  variable* new_variable(std::string name, scheme s, span where) {
    return &variables_.emplace_back(
        variable{static_cast<unsigned>(variables_.size()), std::move(name), std::move(s), where});
  }
  exception* new_exception(std::string name, type* argument, span where) {
    return &exceptions_.emplace_back(
        exception{static_cast<unsigned>(exceptions_.size()), std::move(name), argument, where});
  }
  std::size_t variable_count() const { return variables_.size(); }

  type_store types;
  std::vector<declaration_ref> declarations;

 private:
  std::tuple<std::deque<pattern>, std::deque<expression>, std::deque<declaration>> nodes_;
  std::deque<variable> variables_;
  std::deque<exception> exceptions_;
};

}  // namespace tine::ml::typed
