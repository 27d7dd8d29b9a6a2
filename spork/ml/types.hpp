// Types of Parallel ML during and after inference, and their unification.
//
// A type is a graph of `type` nodes, owned by a `type_store`. Inference works on the graph in place: a variable that is
// solved links to its solution, and `resolve` follows the links. Variables have levels: the variables of a declaration
// have a higher level than the variables of the environment around it, so the declaration generalises exactly the
// variables above the level of its surroundings.
#pragma once

#include "ml/source.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tine::ml {

struct type;
struct constructor;

/// Sorted labels: numbers in their order before words.
using label_list = std::vector<std::string>;

/// A function from types to a type: `type ('a, 'b) t = …`. A type constructor is the function that applies it to the
/// parameters.
struct type_function {
  std::vector<type*> parameters;
  type* body = nullptr;
};

/// Values of an applied type constructor have an equality: never, if all arguments have one, or always (references and
/// arrays).
enum class equality : std::uint8_t { none, of_arguments, always };

/// The name of a type that differs from all others: built in, a datatype, the type of an opaque signature, or of a
/// specification.
struct type_constructor {
  std::string name;
  std::size_t arity = 0;
  equality has = equality::none;
  unsigned id = 0;  ///< unique
  span where;
  std::vector<constructor*> constructors;  ///< of a datatype, in the order of their definition
  type_function hidden;  ///< behind an opaque signature: the type that represents it; else the body is null
};

/// A constructor of a datatype. Its scheme is ∀ parameters of the datatype. argument → result.
struct constructor {
  std::string name;
  unsigned index = 0;  ///< its position among `datatype->constructors`
  type_constructor* datatype = nullptr;
  std::vector<type*> parameters;
  type* argument = nullptr;  ///< null if it has none
  type* result = nullptr;
};

/// The types among which an overloaded operator or constant chooses.
namespace overload {
inline constexpr std::uint8_t int_ = 1, word = 2, word8 = 4, real = 8, character = 16, string = 32;
inline constexpr std::uint8_t words = word | word8, word_or_int = words | int_, number = word_or_int | real,
                              number_or_text = number | character | string;
}  // namespace overload

inline constexpr unsigned generic_level = ~0U;  ///< the level of variables that a scheme binds

struct type {
  /// `rigid`: a variable of the program ('a), which equals nothing but itself. `broken`: of a part with an error; it
  /// equals every type.
  enum class kind : std::uint8_t { variable, rigid, applied, record, arrow, broken };
  kind is = kind::variable;
  bool wants_equality = false;         ///< variable, rigid
  std::uint8_t among = 0;              ///< variable: a set of `overload`, or 0 if it is not overloaded
  unsigned level = 0;                  ///< variable, rigid
  type* link = nullptr;                ///< variable: its solution
  type_constructor* head = nullptr;    ///< applied
  const label_list* labels = nullptr;  ///< record: all; variable: the known labels of an open record, or null
  std::vector<type*> parts;            ///< applied: the arguments; record, open record: the fields; arrow: from, to
  std::string name;                    ///< rigid: as it is written
  std::uint64_t stamp = 0;             ///< the last walk that met this node,
  std::size_t size = 0, depth = 0;     ///< and what it found
};

/// ∀ parameters. body
struct scheme {
  std::vector<type*> parameters;
  type* body = nullptr;
};

/// The reason why two types differ.
enum class difference : std::uint8_t {
  none,
  shape,
  circular,
  no_equality,
  not_overloaded,
  rigid,
  escapes,
  missing_label,
  too_large
};

struct mismatch {
  difference why = difference::none;
  type* left = nullptr;  ///< the parts that differ
  type* right = nullptr;
  std::string label;  ///< of `missing_label`
  explicit operator bool() const { return why != difference::none; }
};

/// Follows the links of solved variables.
type* resolve(type* t);

class type_store {
 public:
  /// A type may have this many nodes, written as a tree, and be this deep. Programs can build types of exponential
  /// size.
  static constexpr std::size_t max_size = 10'000, max_depth = 1'000;
  /// All types of a program may have this many nodes. Uses of polymorphic values copy their types.
  static constexpr std::size_t max_nodes = 10'000'000;

  type_store();
  type_store(const type_store&) = delete;
  type_store& operator=(const type_store&) = delete;

  type* variable(unsigned level, bool wants_equality = false, std::uint8_t among = 0);
  type* rigid(std::string name, unsigned level);
  type* apply(type_constructor* head, std::vector<type*> arguments = {});
  type* arrow(type* from, type* to);
  type* tuple(std::vector<type*> parts);
  /// The labels must be sorted (`sort_labels`) and different.
  type* record(const label_list* labels, std::vector<type*> fields);
  /// A record that has at least these fields.
  type* open_record(const label_list* labels, std::vector<type*> fields, unsigned level);
  type* broken() { return &broken_; }
  const label_list* labels(label_list sorted);
  const label_list* tuple_labels(std::size_t n);

  type_constructor* add_constructor(std::string name, std::size_t arity, equality has, span where);
  constructor* add(constructor c);
  /// The function that applies the constructor.
  type_function function_of(type_constructor* head);

  /// Makes the types equal if that is possible. On failure, parts of them may be equal already.
  mismatch unify(type* left, type* right);
  /// Requires that values of the type can be compared with `=`.
  mismatch require_equality(type* t);
  /// Returns true if values of the type have an equality. Free variables count as having one if `variables` is true.
  bool admits_equality(type* t, bool variables);
  /// Limits the variables in the type to the level, and checks the size. `variable`, if any, must not occur.
  mismatch limit(type* t, unsigned level, const type* variable = nullptr);

  using substitution = std::unordered_map<const type*, type*>;
  /// Copies a type with replaced variables. Parts without any stay shared.
  type* substitute(type* t, substitution& with);
  /// A scheme's body with the arguments for its parameters.
  type* instantiate(const scheme& s, const std::vector<type*>& arguments);
  /// Several types with the arguments for the parameters.
  std::vector<type*> instantiate(const std::vector<type*>& parameters, const std::vector<type*>& all,
                                 const std::vector<type*>& arguments);
  std::vector<type*> fresh_arguments(const scheme& s, unsigned level);
  type* apply(const type_function& f, const std::vector<type*>& arguments);
  using realisation = std::unordered_map<const type_constructor*, type_function>;
  /// Copies a type with replaced type constructors.
  type* realise(type* t, const realisation& by);

  /// Returns the variables above the level in all types, in the order of their occurrence, each once.
  std::vector<type*> variables_above(const std::vector<type*>& all, unsigned level);
  std::size_t node_count() const { return types_.size(); }

  type *int_, *word, *word8, *real, *character, *string, *unit, *boolean, *exception;
  type_constructor *list, *reference, *array, *vector;
  constructor *nil, *cons, *true_, *false_, *ref;

 private:
  type* make(type::kind is);
  /// Makes a type that differs from `t` in its parts only.
  type* copy(const type& t, std::vector<type*> parts);
  mismatch bind(type* variable, type* to, unsigned& fuel);
  mismatch unify(type* left, type* right, unsigned& fuel);
  mismatch unify_open(type* open, type* other, unsigned& fuel);
  mismatch restrict(type* variable, type* to);
  mismatch walk(type* t, unsigned level, const type* variable, std::size_t depth);
  type* realise(type* t, const realisation& by, substitution& done);
  void collect(type* t, unsigned level, std::vector<type*>& into, std::size_t depth);
  std::uint8_t overload_of(const type* t) const;
  type* of_overload(std::uint8_t one) const;
  void add_datatypes();

  std::deque<type> types_;
  std::deque<type_constructor> constructors_;
  std::deque<constructor> value_constructors_;
  std::set<label_list> labels_;
  type broken_;
  std::uint64_t stamp_ = 0;
};

/// True if the label `a` comes before `b`.
bool label_before(const std::string& a, const std::string& b);

/// Replaces the constructors of opaque signatures at the root of the type by what represents them, until there is none.
type* reveal(type_store& store, type* t);

/// Prints types with the names 'a, 'b, … for variables; one printer gives one variable the same name each time.
class type_printer {
 public:
  std::string operator()(type* t);

 private:
  void print(type* t, int precedence, std::size_t depth);
  void print_record(const type& t, int precedence, std::size_t depth);
  std::string name_of(const type* variable);

  std::string text_;
  std::unordered_map<const type*, std::string> names_;
  std::set<std::string> taken_;
  unsigned next_ = 0;
};

}  // namespace tine::ml
