// The variables and exceptions that a function uses and does not bind.
#pragma once

#include "ml/typed.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tine::ml::lower {

/// A variable or an exception, by its address in the typed program.
using name = const void*;

/// The names that a function, a group of recursive functions, or an expression captures: those that it uses and does
/// not bind, without those of the top level, in the order of their first use. The result is computed once for each
/// node.
class free_names {
 public:
  /// Reads which names the top level binds.
  explicit free_names(const typed::program& p);

  const std::vector<name>& of(const typed::function& f);
  const std::vector<name>& of(const typed::recursive& group);
  const std::vector<name>& of(const typed::value& declaration);
  bool is_of_top_level(name n) const { return top_level_.contains(n); }

 private:
  std::unordered_set<name> top_level_;
  std::unordered_map<const void*, std::vector<name>> known_;
};

/// Returns the variables that the pattern binds, in the order of the text.
std::vector<const typed::variable*> variables_of(const typed::pattern& p);

}  // namespace tine::ml::lower
