// From the typed program to Spork IR, by monomorphisation: a function is compiled once for each list of type arguments,
// for each shape of what it captured, and for each shape of its argument. Functions are compiled when a call of them
// is; so what is never called costs nothing.
#pragma once

#include "ir/program.hpp"
#include "ml/lower/free_names.hpp"
#include "ml/lower/ground_types.hpp"
#include "ml/lower/shapes.hpp"
#include "ml/lower/value.hpp"
#include "ml/source.hpp"
#include "ml/typed.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tine::ml::lower {

/// A function of the result. Its parameters are the cells of the argument and those of what it captured, its
/// results those of the value.
struct instance {
  spork::function_id id = spork::none;
  shape_ref closure = nullptr, argument = nullptr;
  shape_ref result = nullptr;  ///< null as long as it is not known
};

class lowering {
 public:
  lowering(typed::program& p, const source_files& files, std::string name);
  lowering(const lowering&) = delete;
  lowering& operator=(const lowering&) = delete;

  /// Compiles the whole program. To be called once.
  spork::program run();

  // --- functions ---

  /// Returns the shape in which a call of a closure gives its argument: that shape, or if there are many instances of
  /// the function already, the shape of all values of the type.
  shape_ref affordable(shape_ref closure, shape_ref argument, ground_ref type);
  /// Returns the function for a call of a closure, with a known result.
  const instance& instance_of(shape_ref closure, shape_ref argument);
  /// Returns the address of the function that a generic closure of this shape and type contains. It takes the closure's
  /// address and the argument's cells in the shape of its type.
  spork::atom generic_entry(shape_ref closure, ground_ref arrow);
  /// Returns a function that calls a function which is no closure. It takes the cells of the argument, in the shape of
  /// its type, and those of the callee.
  spork::function_id caller_of(shape_ref callee, ground_ref arrow);
  /// Returns a function that compares two values of a type that has an address, for equality.
  spork::function_id equality_of(ground_ref t);
  /// Returns a function of C.
  spork::function_id c_function(std::string_view name, const std::vector<spork::type>& takes,
                                const std::vector<spork::type>& gives);
  /// Returns a function of the text in runtime.cpp.
  spork::function_id helper(std::string_view name);
  spork::function_id add_function(std::string name);

  // --- data ---

  spork::atom text(const std::string& bytes);  ///< a string
  spork::atom constant_block(const std::vector<spork::atom>& cells);
  /// The identity of an exception of the top level, and the value of one without argument.
  spork::atom identity_of(const typed::exception& e);
  const typed::exception& basic_exception(std::string_view name) const;
  /// A function of the basis outside of structures.
  const typed::variable& basis_function(std::string_view name) const;

  // --- variables of the top level ---

  struct global {
    shape_ref has = nullptr;
    std::size_t first = 0;              ///< of its cells
    std::vector<spork::atom> constant;  ///< its cells, if all of them are constants
  };
  /// Notes a variable and its value in `main`; `first` is the first of its cells among the globals.
  void add_global(name n, const value& v, std::size_t first);
  std::size_t reserve_globals(const std::vector<spork::type>& cells);
  const global* find_global(name n) const;
  spork::atom globals_address();

  spork::place place_of(span s) const;
  /// Returns true for places in the text of the basis.
  bool is_in_basis(spork::place p) const;

  ground_types types;
  shapes forms;
  free_names names;
  typed::program& source;
  spork::program out;

 private:
  void finish_globals();

  const source_files& files_;
  std::map<std::pair<shape_ref, shape_ref>, std::unique_ptr<instance>> instances_;
  std::map<std::pair<const typed::function*, arguments_ref>, std::size_t> specialised_;  // for the argument's functions
  std::deque<std::function<void()>> later_;
  std::map<std::pair<shape_ref, ground_ref>, spork::function_id> entries_, callers_;
  std::map<ground_ref, spork::function_id> equalities_;
  std::map<std::string, spork::function_id, std::less<>> c_functions_;
  std::map<std::string, spork::atom> texts_;
  std::map<std::vector<std::uint64_t>, spork::atom> blocks_;
  std::map<const typed::exception*, spork::atom> identities_;
  std::map<std::string_view, const typed::exception*> basic_;
  std::map<name, global> globals_;
  std::vector<spork::type> global_cells_;
  spork::data_id globals_datum_ = spork::none;
};

}  // namespace tine::ml::lower
