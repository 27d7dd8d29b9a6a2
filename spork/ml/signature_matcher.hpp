// Matching a structure against a signature.
#pragma once

#include "ml/diagnostic.hpp"
#include "ml/environment.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tine::ml {

/// Checks that a structure has what a signature specifies, and makes the environment that the signature shows.
class signature_matcher {
 public:
  /// `level` is that of the variables of the surroundings.
  signature_matcher(type_store& types, diagnostics& report_to, span where, unsigned level)
      : types_{types}, problems_{report_to}, where_{where}, level_{level} {}

  /// Adds the type of the structure for each open type constructor of the signature.
  void provide(const environment& specified, const environment& actual, const signature_entry& signature,
               const std::string& path, type_store::realisation& into);
  /// Returns what the structure shows through the signature, whose open types are replaced in `specified`.
  environment match(const environment& specified, const environment& actual, const std::string& path);
  /// Reports all faults that were found, as one error: they have one place, that of the structure.
  void report();

 private:
  void error(std::string text, span specified) { faults_.push_back({specified, std::move(text)}); }
  value_entry match_value(const value_entry& specified, const value_entry& actual, const std::string& name);
  value_entry match_exact(const value_entry& specified, const value_entry& actual, const std::string& name);
  void match_type(const type_entry& specified, const type_entry& actual, const std::string& name);
  std::vector<type*> rigid_for(const std::vector<type*>& parameters);
  static void bind(const std::vector<type*>& rigid);

  type_store& types_;
  diagnostics& problems_;
  std::vector<note> faults_;  // each where it is specified
  span where_;
  unsigned level_;
};

/// Copies what the entries of `shown` stand for from the entries with the same names.
void take_meanings(environment& shown, const environment& from);

}  // namespace tine::ml
