// The environment of elaboration: the names of values, types, structures and signatures that are in scope.
#pragma once

#include "ml/source.hpp"
#include "ml/typed.hpp"
#include "ml/types.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

/// A name of a value. After a signature was matched, `is` may be less general than the variable's own scheme;
/// `arguments` are then those of the variable, in terms of the parameters of `is`.
struct value_entry {
  enum class kind : std::uint8_t { variable, constructor, exception, primitive };
  kind what = kind::variable;
  scheme is;
  const typed::variable* variable = nullptr;
  std::vector<type*> arguments;
  const ml::constructor* constructor = nullptr;
  const typed::exception* exception = nullptr;
  std::string primitive;
  std::uint8_t among = 0;      ///< primitive, overloaded: its only parameter is one of these types
  bool is_only_value = false;  ///< a constructor that a signature shows as a value: not for patterns
  span where;
};

struct named_constructor {
  std::string name;
  value_entry value;
};

/// A name of a type. The constructors are those that `datatype … = datatype` copies.
struct type_entry {
  type_function is;
  std::vector<named_constructor> constructors;
  span where;
};

struct environment;
using environment_ref = std::shared_ptr<const environment>;

/// A signature: the type constructors in `open` stand for types that a structure provides.
struct signature_entry {
  std::vector<type_constructor*> open;
  environment_ref is;
};

/// The bindings of one scope or of a structure.
struct environment {
  std::map<std::string, value_entry, std::less<>> values;
  std::map<std::string, type_entry, std::less<>> types;
  std::map<std::string, environment_ref, std::less<>> structures;
  std::map<std::string, signature_entry, std::less<>> signatures;

  /// Adds the bindings of another one, which hide those with the same name.
  void add(const environment& other);
};

/// The scopes around a place in the program, the innermost last.
class scopes {
 public:
  scopes() { push(); }
  void push() { all_.emplace_back(); }
  /// Ends the innermost scope and returns its bindings.
  environment pop();
  environment& top() { return all_.back(); }

  const value_entry* find_value(std::string_view name) const;
  const type_entry* find_type(std::string_view name) const;
  const environment_ref* find_structure(std::string_view name) const;
  const signature_entry* find_signature(std::string_view name) const;

  /// A name in scope that differs little from this one, or an empty string.
  std::string near_value(std::string_view name) const;
  std::string near_type(std::string_view name) const;
  std::string near_structure(std::string_view name) const;

 private:
  std::vector<environment> all_;
};

/// The key of the map that differs little from the name, or an empty string.
template <class Map>
std::string near_name(const Map& in, std::string_view name);

/// The number of characters to insert, remove, replace or swap to make one of the words the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Map>
std::string near_name(const Map& in, std::string_view name) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const auto& [key, entry] : in) {
    if (const std::size_t d = edit_distance(key, name); d < least && d < name.size() && key != name) {
      least = d;
      best = key;
    }
  }
  return best;
}

}  // namespace tine::ml
