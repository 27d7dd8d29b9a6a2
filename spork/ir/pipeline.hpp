// The passes, and the order in which the compiler runs them. Each pass turns a well-formed program into a well-formed
// program with the same results.
#pragma once

#include "ir/program.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace tine::spork {

/// Inlines small functions that do not call themselves (Spork, Theorem 2.3).
void inline_calls(program& p);
/// Computes operations on constants, and removes known branches, copies, and parameters that are always the same.
void fold_constants(program& p);
/// Replaces parameters of functions to which every call and every spawn gives the same constant.
void propagate_arguments(program& p);
/// Appends a block to which only one goto leads to the block of this goto, and skips empty blocks.
void merge_blocks(program& p);
/// Moves pure operations in front of the loops in which their operands do not change.
void hoist(program& p);
/// Gives the promoted way its own copy of a block that returns, so that LLVM can turn the usual way's last call into a
/// loop.
void split_promoted(program& p);
/// Removes unused values, parameters and functions.
void remove_dead_code(program& p);

/// A pass: its name, its function, and one line about it.
struct pass {
  std::string_view name;
  void (*run)(program& p);
  std::string_view about;
};

/// Returns all passes, in the order in which `optimise` runs them. Some come twice.
std::span<const pass> pipeline();

/// Runs all passes over the well-formed program `p`, and verifies it after each. Calls `after` with each pass that has
/// run. Throws std::logic_error if a pass leaves an ill-formed program behind.
void optimise(program& p, const std::function<void(const pass&)>& after = {});

}  // namespace tine::spork
