// The list of passes.
#pragma once

#include "spork/diagnostic.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace tine::spork {

struct pass {
  std::string_view name;
  void (*run)(program& p);
  std::string_view about;
};

/// All of them, in the order in which `optimise` runs them. Some come twice.
std::span<const pass> pipeline();

/// Runs them all over the well-formed program `p`, and verifies after each. `after` is told of each pass. Throws
/// std::logic_error if a pass leaves an ill-formed program behind.
void optimise(program& p, const std::function<void(const pass&)>& after = {});

}  // namespace tine::spork
