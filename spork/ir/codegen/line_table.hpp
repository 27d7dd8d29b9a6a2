// The places of a module's code, as debuggers and profilers read them: DWARF, with a compile unit, a subprogram for
// each function, and a line and column for each instruction.
#pragma once

#include "ir/program.hpp"

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

  /// The code of `to` is that of `f`, or calls it for other code. Instructions that `build` makes from now on belong to
  /// it.
  subprogram begin(LLVMBuilderRef build, LLVMValueRef to, const function& f);
  /// Instructions that `build` makes from now on, in `in`, whose code is that of `f`, are for this statement or
  /// transfer.
  template <class Code>
  void move_to(LLVMBuilderRef build, const subprogram& in, const function& f, const Code& code) {
    if (build_ != nullptr) LLVMSetCurrentDebugLocation2(build, location_of(in, f, code.where, code.inlined));
  }
  /// Completes the description, after the last function.
  void finish();

 private:
  LLVMMetadataRef file_of(place where);
  subprogram describe(const std::string& name, place where);
  LLVMMetadataRef location_of(const subprogram& in, const function& f, place where, inlined_id inlined);

  const program& p_;
  LLVMContextRef context_;
  LLVMDIBuilderRef build_ = nullptr;  // null: nothing is described
  LLVMMetadataRef type_ = nullptr;
  std::map<std::uint32_t, LLVMMetadataRef> files_;  // by source
  std::map<std::string, subprogram> inlined_;       // functions, by name, for code of theirs that was inlined
  std::map<std::pair<LLVMMetadataRef, std::uint32_t>, LLVMMetadataRef> scopes_;  // parts of a function in other sources
};

}  // namespace tine::spork
