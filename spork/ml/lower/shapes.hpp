// The forms of values at compile time: the cells that hold a value at run time, and what the compiler knows of it
// besides.
//
// A function that is known has no address: its value is what it captured, and a call of it is a call of its code. Where
// functions meet that differ (in data, at the join of two branches, in the result of a recursive function), each
// becomes the address of an object with the address of its code and what it captured. So only arrow types have several
// shapes.
#pragma once

#include "ir/operation.hpp"
#include "ml/lower/ground_types.hpp"
#include "ml/typed.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml::lower {

struct shape;
using shape_ref = const shape*;

struct shape {
  enum class kind : std::uint8_t {
    never,      ///< of an expression that does not return
    cell,       ///< one cell, of type `holds`
    tuple,      ///< the cells of `parts`
    closure,    ///< a known function; `parts` are what it captured
    family,     ///< a polymorphic function before it has type arguments; `parts` as of a closure
    delayed,    ///< a variable of a polymorphic declaration that is no function; each use evaluates it
    primitive,  ///< an operation as a function
  };
  kind is = kind::never;
  spork::type holds = spork::type::unknown;   ///< cell
  std::vector<shape_ref> parts = {};          ///< tuple, closure, family, delayed
  const typed::function* code = nullptr;      ///< closure, family
  const typed::recursive* group = nullptr;    ///< closure, family: the declaration of a recursive function, or null
  const typed::value* declaration = nullptr;  ///< delayed
  const typed::variable* variable = nullptr;  ///< delayed
  arguments_ref types = nullptr;              ///< closure, family, delayed: of the type parameters in scope
  std::string_view operation = {};            ///< primitive: its name,
  ground_ref of = nullptr;                    ///< and its type, an arrow
  std::vector<spork::type> cells = {};        ///< all of the value
  unsigned nodes = 1;                         ///< how many shapes it consists of

  bool is_cell(spork::type t) const { return is == kind::cell && holds == t; }
  bool operator<(const shape& o) const {
    return std::tie(is, holds, parts, code, group, declaration, variable, types, operation, of) <
           std::tie(o.is, o.holds, o.parts, o.code, o.group, o.declaration, o.variable, o.types, o.operation, o.of);
  }
};

/// The representation of a datatype's values.
enum class layout : std::uint8_t {
  number,       ///< all constructors are constants: an i64, the constructor's index
  transparent,  ///< one constructor, in whose argument the datatype does not occur directly: its argument
  block,        ///< one constructor: the address of its argument's cells
  nullable,     ///< a constant and a constructor with an argument: null, or the address of the argument's cells
  tagged,       ///< the address of the constructor's index, followed by the cells of its argument
};

/// Makes shapes and owns them, and decides how types are represented.
class shapes {
 public:
  explicit shapes(ground_types& types, const type_store& store) : types_{types}, store_{store} {}

  shape_ref never() { return intern({}); }
  shape_ref cell(spork::type holds) { return intern({.is = shape::kind::cell, .holds = holds}); }
  shape_ref tuple(std::vector<shape_ref> parts) {
    return intern({.is = shape::kind::tuple, .parts = std::move(parts)});
  }
  shape_ref intern(shape s);

  /// The shape of all values of a type where nothing is known of them: functions are addresses, and so are records of
  /// more than 24 cells.
  shape_ref of(ground_ref t);
  /// The shape of the parts of a record, whether its values are addresses or not; of another type, the shape of its
  /// values.
  shape_ref opened(ground_ref t);
  /// Returns that shape of values of the type, or the shape of all its values if it is a tuple of more than 24 cells.
  shape_ref limited(shape_ref s, ground_ref t);
  layout layout_of(ground_ref datatype);
  /// Returns true if functions can be found in a value of the type without following an address.
  bool shows_functions(ground_ref t);
  /// A shape to which values of both shapes, of type t, can be converted.
  shape_ref join(shape_ref a, shape_ref b, ground_ref t);
  /// The types of the parts of a value whose shape is a tuple.
  std::vector<ground_ref> parts_of(ground_ref t) { return inside(t)->parts; }
  /// The type whose representation the values of the type have: the argument of a transparent constructor, or the type
  /// itself.
  ground_ref inside(ground_ref t);
  /// The shape for an argument or a captured value: it has no function that captured a function of the same code, and
  /// is not larger than a bound, so that a program has finitely many shapes. `code`: of the function that captures the
  /// value, or null.
  shape_ref bounded(shape_ref s, ground_ref t, const typed::function* code);

 private:
  bool mentions(shape_ref s, const typed::function* code) const;

  ground_types& types_;
  const type_store& store_;
  std::set<shape> all_;
  std::map<ground_ref, layout> layouts_;
  std::map<ground_ref, shape_ref> records_;
  std::set<ground_ref> open_, recursive_;  // datatypes whose layout is being decided; those that occur in themselves
};

}  // namespace tine::ml::lower
