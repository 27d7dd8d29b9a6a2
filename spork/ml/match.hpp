// Exhaustiveness and redundancy of the rules of a match.
#pragma once

#include "ml/typed.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tine::ml {

struct match_report {
  std::string missing;                 ///< a pattern of values that no rule matches; empty if every value is matched
  std::vector<std::size_t> redundant;  ///< the rules whose values are all matched by the rules before
  bool is_partial = false;  ///< the rules are too entangled to be checked in bounded time; then nothing is reported
};

/// Checks the patterns of the rules, in their order. Open records in the patterns must be settled.
///
/// The algorithm is Maranget's ("Warnings for pattern matching", 2007): a pattern is useful behind the rows of a matrix
/// if a value exists that it matches and no row does.
match_report check_match(const std::vector<typed::pattern_ref>& patterns, const type_store& types);

}  // namespace tine::ml
