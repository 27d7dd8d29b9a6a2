// Turns a program into an LLVM module: every function into LLVM's own SSA, every spork into a record on the shadow
// stack (managed/abi.h), or into locations that stack maps describe.
//
// The code uses LLVM's C interface, because the C headers cost a tenth of a second of compile time where the C++
// headers cost ten.
#pragma once

#include "ir/codegen/jit.hpp"
#include "ir/program.hpp"

#include <llvm-c/Core.h>

#include <optional>
#include <string>

namespace tine::spork {

/// The processors for which the code generator has its own accesses to hot words.
enum class architecture : unsigned char { x86_64, aarch64, other };

struct emit_options {
  promotion_by promotes = promotion_by::record;
  std::optional<sharing> share = {};  ///< of all sporks, in place of what the program says
  /// The offset of the hot words in this process; nothing if only the linker will know it.
  std::optional<std::int64_t> hot_offset = {};
  std::string entry = "tine_program";  ///< the name of void(void* results), the only visible function
  bool with_main = false;              ///< adds a C main, which is visible, too
  bool exports = false;   ///< no entry: the exported functions are visible, and any module may hold the code
  bool collects = false;  ///< allocations go to the collector, and main starts it
  architecture arch = architecture::other;
  std::string layout = {};  ///< LLVM's data layout of the target
  bool lines = false;       ///< the module describes the places of its code, as DWARF
};

/// Returns the module of the well-formed program `p`. The caller disposes of it.
LLVMModuleRef emit(const program& p, LLVMContextRef context, const emit_options& o);

/// Returns why `p` cannot be compiled: a spork has too many arguments or results for a record. Returns an empty string
/// if it can.
std::string unfit_to_compile(const program& p);

}  // namespace tine::spork
