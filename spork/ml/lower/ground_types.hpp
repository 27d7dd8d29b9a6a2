// Closed types: without variables, links and opaque names. Two of them are equal exactly if they are the same object.
#pragma once

#include "ml/types.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tine::ml::lower {

struct ground;
using ground_ref = const ground*;

struct ground {
  enum class kind : std::uint8_t { applied, record, arrow };
  kind is = kind::record;
  const type_constructor* head = nullptr;  ///< applied
  std::vector<ground_ref> parts;           ///< applied: the arguments; record: the fields; arrow: from, to

  bool operator<(const ground& o) const { return std::tie(is, head, parts) < std::tie(o.is, o.head, o.parts); }
};

/// Closed types for the type parameters that are in scope, sorted by parameter.
struct type_arguments {
  std::vector<std::pair<const type*, ground_ref>> given;
  bool operator<(const type_arguments& o) const { return given < o.given; }
};
using arguments_ref = const type_arguments*;

/// Makes closed types and owns them.
class ground_types {
 public:
  /// Returns the type with the arguments for its parameters. A variable without an argument becomes unit, because
  /// nothing in the program depends on it.
  ground_ref of(type* t, arguments_ref with);
  ground_ref record(std::vector<ground_ref> fields) {
    return intern({ground::kind::record, nullptr, std::move(fields)});
  }
  ground_ref unit() { return record({}); }
  /// The argument of a constructor of the datatype `of`. The constructor must have one.
  ground_ref argument(const constructor& c, ground_ref of);

  arguments_ref none() { return &*arguments_.insert(type_arguments{}).first; }
  /// Returns `base` and the closed types of `arguments`, which are read under `with`, for the parameters.
  arguments_ref extend(arguments_ref base, const std::vector<type*>& parameters, const std::vector<type*>& arguments,
                       arguments_ref with);

 private:
  ground_ref intern(ground g) { return &*types_.insert(std::move(g)).first; }
  ground_ref applied(const type& t, arguments_ref with);
  arguments_ref bind(arguments_ref base, const std::vector<type*>& parameters, const std::vector<ground_ref>& to);

  std::set<ground> types_;
  std::set<type_arguments> arguments_;
  std::map<std::pair<const type*, arguments_ref>, ground_ref> known_;
};

}  // namespace tine::ml::lower
