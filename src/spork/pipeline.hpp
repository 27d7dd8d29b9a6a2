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

/// Returns all passes, in the order in which `optimise` runs them. Some come twice.
std::span<const pass> pipeline();

/// Runs all passes over the well-formed program `p`, and verifies it after each. Calls `after` with each pass that has run. Throws
/// std::logic_error if a pass leaves an ill-formed program behind.
void optimise(program& p, const std::function<void(const pass&)>& after = {});

}  // namespace tine::spork
