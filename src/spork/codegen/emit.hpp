// Program to LLVM: every function as LLVM's own SSA, every spork as a record on the shadow stack (managed/abi.h), or as something
// that stack maps tell of.
//
// LLVM's C interface: its headers cost a tenth of a second where those of C++ cost ten.
#pragma once

#include "spork/codegen/jit.hpp"
#include "spork/ir.hpp"

#include <llvm-c/Core.h>

#include <optional>
#include <string>

namespace tine::spork {

struct emit_options {
  promotion_by promotes = promotion_by::record;
  /// Where the hot words are in this process; nothing if only the linker will know.
  std::optional<std::int64_t> hot_offset;
  std::string entry = "tine_program";  ///< the name of void(void* results), the only thing that others can see
  bool with_main = false;              ///< and of a C main
  std::string layout;                  ///< LLVM's data layout of the target
};

/// The module of the well-formed program `p`. To be disposed of by the caller.
LLVMModuleRef emit(const program& p, LLVMContextRef context, const emit_options& o);

/// Why compiled code cannot have `p`: a spork with too many arguments or results for a record. Empty if it can.
std::string unfit_to_compile(const program& p);

}  // namespace tine::spork
