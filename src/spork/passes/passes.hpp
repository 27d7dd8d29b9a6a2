// The passes. Each takes a well-formed program to a well-formed program that gives the same.
#pragma once

#include "spork/ir.hpp"

namespace tine::spork {

/// Puts small functions that do not call themselves in the place of their calls (Spork, Theorem 2.3).
void inline_calls(program& p);
/// Computes what is known: operations on constants, branches, copies, and parameters that are always the same.
void fold_constants(program& p);
/// Replaces parameters of functions that every call and every spawn gives the same constant.
void propagate_arguments(program& p);
/// Puts a block to which one goto leads at the end of the block that it comes from, and skips empty blocks.
void merge_blocks(program& p);
/// Moves pure operations in front of the loops in which nothing changes them.
void hoist(program& p);
/// Copies a block that returns for the promoted way to it, so that the usual way can end in a loop.
void split_promoted(program& p);
/// Takes out what nobody uses: values, parameters, functions.
void remove_dead_code(program& p);

}  // namespace tine::spork
