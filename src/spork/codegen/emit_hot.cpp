// Accesses to hot words. Each access is one instruction with an address relative to fs, written as inline assembly, because a fiber
// may wake on another thread, and because LLVM emits a volatile load and its use as two instructions.
#include "spork/codegen/emitter.hpp"

#include <tine/managed/abi.h>

#include <string_view>

namespace tine::spork {

// If the offset is not known, the linker completes the instruction. Code that may be linked with a shared tine, or be in a shared
// library, first loads the offset to r11.
std::string module_emitter::hot_word(int offset) const {
  if (options_.exports) return "%fs:" + std::to_string(offset) + "(%r11)";
  return options_.hot_offset ? "%fs:" + std::to_string(*options_.hot_offset + offset)
                             : "%fs:tine_hot@tpoff+" + std::to_string(offset);
}

// Emits instructions with these operands. `$0` is the result, if there is one. The instructions are one inline assembly, because a fiber
// may wake on another thread, whose hot words, however, are at the same offset.
llvm_value module_emitter::hot_instruction(LLVMBuilderRef build, llvm_type type, std::string code,
                                           std::string constraints, std::vector<llvm_value> args) const {
  if (options_.exports) {
    code = "movq tine_hot@gottpoff(%rip), %r11\n" + code;
    constraints += ",~{r11}";
  }
  const llvm_value instruction = LLVMGetInlineAsm(type, code.data(), code.size(), constraints.data(),
                                                  constraints.size(), 1, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(build, type, instruction, args.data(), static_cast<unsigned>(args.size()), "");
}

// Emits a comparison, and returns the flag that it sets, on which the next branch jumps.
llvm_value module_emitter::hot_flag(LLVMBuilderRef build, std::string code, const std::string& constraints,
                                    std::vector<llvm_value> args) const {
  std::vector<llvm_type> params(args.size(), ptr_);
  const llvm_type type = LLVMFunctionType(i8_, params.data(), static_cast<unsigned>(params.size()), 0);
  const llvm_value flag =
      hot_instruction(build, type, std::move(code), constraints + ",~{dirflag},~{fpsr},~{flags}", std::move(args));
  return LLVMBuildTrunc(build, flag, LLVMInt1TypeInContext(context_), "");
}

llvm_value module_emitter::load_top(LLVMBuilderRef build) const {
  return hot_instruction(build, LLVMFunctionType(ptr_, nullptr, 0, 0), "movq " + hot_word(tine_abi_top) + ", $0", "=r",
                         {});
}

llvm_value module_emitter::is_limit_reached(LLVMBuilderRef build) const {
  return hot_flag(build, "cmpq $$1, " + hot_word(tine_abi_limit), "={@ccbe}", {});
}

// Emits a test that is true if an address is below the value of a hot word.
llvm_value module_emitter::is_below_hot(LLVMBuilderRef build, llvm_value at, int offset) const {
  return hot_flag(build, "cmpq " + hot_word(offset) + ", $1", "={@ccb},r", {at});
}

// Emits no instruction. The signal handler on this thread must find the stores in front of a store of the top in memory.
void module_emitter::finish_stores(LLVMBuilderRef build) const {
  LLVMBuildFence(build, LLVMAtomicOrderingSequentiallyConsistent, 1, "");
}

// The assembly computes the sum, too. Otherwise LLVM would compute it once for all forks of a loop, and save a register for it in
// calls that never fork.
module_emitter::pushed module_emitter::push_record(LLVMBuilderRef build, llvm_value record, std::size_t bytes) const {
  finish_stores(build);
  llvm_type params[] = {ptr_};
  const std::string code = "leaq " + std::to_string(bytes) + "($1), $0\nmovq $0, " + hot_word(tine_abi_top);
  const llvm_value end = hot_instruction(build, LLVMFunctionType(ptr_, params, 1, 0), code, "=r,r,~{memory}", {record});
  return {end, LLVMBuildNot(build, is_below_hot(build, record, tine_abi_limit), "")};
}

llvm_value module_emitter::pop_record(LLVMBuilderRef build, llvm_value record) const {
  finish_stores(build);
  llvm_type params[] = {ptr_};
  hot_instruction(build, LLVMFunctionType(void_, params, 1, 0), "movq $0, " + hot_word(tine_abi_top), "r,~{memory}",
                  {record});
  return is_below_hot(build, record, tine_abi_bot);
}

llvm_value module_emitter::hidden(LLVMBuilderRef build, llvm_value v) const {
  llvm_type params[] = {LLVMTypeOf(v)};
  const llvm_type type = LLVMFunctionType(params[0], params, 1, 0);
  const std::string_view same = params[0] == f64_ ? "=x,0" : "=r,0";
  const llvm_value nothing =
      LLVMGetInlineAsm(type, nullptr, 0, same.data(), same.size(), 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(build, type, nothing, &v, 1, "");
}

}  // namespace tine::spork
