// The places of a module's code, as debuggers and profilers read them: DWARF, with a compile unit, a subprogram for each function, and
// a line and column for each instruction.
#pragma once

#include "spork/program.hpp"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tine::spork {

class line_table {
 public:
  /// A table that is not `wanted` describes nothing; then all functions do nothing.
  line_table(LLVMModuleRef module, LLVMContextRef context, const program& p, bool wanted);
  line_table(const line_table&) = delete;
  line_table& operator=(const line_table&) = delete;
  ~line_table();

  /// The description of one function of the module.
  struct subprogram {
    LLVMMetadataRef described = nullptr;
    std::uint32_t source = 0;
  };

  /// The code of `to` is that of `f`, or calls it for other code. Instructions that `build` makes from now on belong to it.
  subprogram begin(LLVMBuilderRef build, LLVMValueRef to, const function& f);
  /// Instructions that `build` makes from now on, in that function, are for this place.
  void move_to(LLVMBuilderRef build, const subprogram& in, place where);
  /// Completes the description, after the last function.
  void finish();

 private:
  LLVMMetadataRef file_of(place where);

  const program& p_;
  LLVMContextRef context_;
  LLVMDIBuilderRef build_ = nullptr;  // null: nothing is described
  LLVMMetadataRef type_ = nullptr;
  std::map<std::uint32_t, LLVMMetadataRef> files_;                               // by source
  std::map<std::pair<LLVMMetadataRef, std::uint32_t>, LLVMMetadataRef> scopes_;  // parts of a function in other sources
};

}  // namespace tine::spork
