// Accesses to hot words, for each architecture. A fiber may wake on another thread, whose hot words are at the same
// offset from its thread pointer: so no access may use a thread pointer from before a call.
//
// On x86-64 each access is one instruction with an address relative to fs, written as inline assembly, because LLVM
// emits a volatile load and its use as two instructions. On aarch64 an inline assembly reads the thread pointer and
// makes the access. Other architectures call the runtime.
#include "ir/codegen/emitter.hpp"

#include <tine/managed/abi.h>

#include <string_view>

namespace tine::spork {
namespace {

#ifdef TINE_PORTABLE
const std::string hot_symbol = "tine_portable_hot";
#else
const std::string hot_symbol = "tine_hot";
#endif

}  // namespace

// If the offset is not known, the linker completes the instruction. Code that may be linked with a shared tine, or be
// in a shared library, first loads the offset to r11.
std::string module_emitter::hot_word(int offset) const {
  if (options_.exports) return "%fs:" + std::to_string(offset) + "(%r11)";
  return options_.hot_offset ? "%fs:" + std::to_string(*options_.hot_offset + offset)
                             : "%fs:" + hot_symbol + "@tpoff+" + std::to_string(offset);
}

// Emits instructions with these operands. `$0` is the result, if there is one. The instructions are one inline
// assembly.
llvm_value module_emitter::hot_instruction(LLVMBuilderRef build, llvm_type result, std::string code,
                                           std::string constraints, std::vector<llvm_value> args) const {
  if (options_.exports && options_.arch == architecture::x86_64) {
    code = "movq " + hot_symbol + "@gottpoff(%rip), %r11\n" + code;
    constraints += ",~{r11}";
  }
  std::vector<llvm_type> params(args.size(), ptr_);
  const llvm_type type = LLVMFunctionType(result, params.data(), static_cast<unsigned>(params.size()), 0);
  const llvm_value instruction = LLVMGetInlineAsm(type, code.data(), code.size(), constraints.data(),
                                                  constraints.size(), 1, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(build, type, instruction, args.data(), static_cast<unsigned>(args.size()), "");
}

// Emits a comparison, and returns the flag that it sets, on which the next branch jumps.
llvm_value module_emitter::hot_flag(LLVMBuilderRef build, std::string code, const std::string& constraints,
                                    std::vector<llvm_value> args) const {
  const llvm_value flag =
      hot_instruction(build, i8_, std::move(code), constraints + ",~{dirflag},~{fpsr},~{flags}", std::move(args));
  return LLVMBuildTrunc(build, flag, LLVMInt1TypeInContext(context_), "");
}

// Returns the instructions of aarch64 that make an address in a register, and with `hot_operand` the operand of an
// access relative to it. With an offset that is known they are `mrs`, and `add` for offsets beyond the 32 KiB that an
// access can add.
std::string module_emitter::hot_base(const std::string& reg) const {
  const std::string thread = "mrs " + reg + ", tpidr_el0\n";
  if (options_.exports) {
    return "adrp " + reg + ", :gottprel:" + hot_symbol + "\nldr " + reg + ", [" + reg +
           ", #:gottprel_lo12:" + hot_symbol + "]\nmrs x16, tpidr_el0\nadd " + reg + ", " + reg + ", x16\n";
  }
  if (!options_.hot_offset)
    return thread + "add " + reg + ", " + reg + ", #:tprel_hi12:" + hot_symbol + ", lsl #12\n" + "add " + reg + ", " +
           reg + ", #:tprel_lo12_nc:" + hot_symbol + "\n";
  const std::int64_t pages = *options_.hot_offset >> 12;
  return pages == 0 ? thread : thread + "add " + reg + ", " + reg + ", #" + std::to_string(pages) + ", lsl #12\n";
}

std::string module_emitter::hot_operand(const std::string& reg, int offset) const {
  const std::int64_t inside = options_.exports || !options_.hot_offset ? 0 : *options_.hot_offset & 4095;
  return "[" + reg + ", #" + std::to_string(inside + offset) + "]";
}

// Emits a load of a hot word. With `stored` the code first stores it to the top, as a step of the fork protocol.
llvm_value module_emitter::load_hot(LLVMBuilderRef build, int offset, llvm_value stored) const {
  if (options_.arch == architecture::aarch64) {
    std::string code = hot_base("$0"), constraints = "=&r";
    std::vector<llvm_value> args;
    if (stored != nullptr) {
      code += "str $1, " + hot_operand("$0", tine_abi_top) + "\n";
      constraints += ",r";
      args.push_back(stored);
    }
    code += "ldr $0, " + hot_operand("$0", offset);
    if (options_.exports) constraints += ",~{x16}";
    return hot_instruction(build, ptr_, code, constraints + ",~{memory}", args);
  }
  if (options_.arch == architecture::x86_64)
    return hot_instruction(build, ptr_, "movq " + hot_word(offset) + ", $0", "=r", {});
  const llvm_type type = LLVMFunctionType(ptr_, nullptr, 0, 0);
  const llvm_value block = LLVMBuildCall2(build, type, bridge("tine_hot_block", type), nullptr, 0, "");
  const auto ordered = [](llvm_value access) {
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(access, sizeof(void*));
    return access;
  };
  const auto word = [&](int at) {
    llvm_value index = number(static_cast<std::uint64_t>(at));
    return LLVMBuildGEP2(build, i8_, block, &index, 1, "");
  };
  if (stored != nullptr) {
    ordered(LLVMBuildStore(build, stored, word(tine_abi_top)));
    finish_stores(build);
  }
  return ordered(LLVMBuildLoad2(build, ptr_, word(offset), ""));
}

llvm_value module_emitter::load_top(LLVMBuilderRef build) const { return load_hot(build, tine_abi_top); }

llvm_value module_emitter::is_limit_reached(LLVMBuilderRef build) const {
  if (options_.arch == architecture::x86_64)
    return hot_flag(build, "cmpq $$1, " + hot_word(tine_abi_limit), "={@ccbe}", {});
  const llvm_value limit = LLVMBuildPtrToInt(build, load_hot(build, tine_abi_limit), i64_, "");
  return LLVMBuildICmp(build, LLVMIntULE, limit, number(1), "");
}

// Emits a test that is true if an address is below the value of a hot word.
llvm_value module_emitter::is_below_hot(LLVMBuilderRef build, llvm_value at, int offset) const {
  return hot_flag(build, "cmpq " + hot_word(offset) + ", $1", "={@ccb},r", {at});
}

// Emits no instruction. The signal handler on this thread must find the stores in front of a store of the top in
// memory.
void module_emitter::finish_stores(LLVMBuilderRef build) const {
  LLVMBuildFence(build, LLVMAtomicOrderingSequentiallyConsistent, 1, "");
}

// The assembly computes the sum, too. Otherwise LLVM would compute it once for all forks of a loop, and save a register
// for it in calls that never fork.
module_emitter::pushed module_emitter::push_record(LLVMBuilderRef build, llvm_value record, std::size_t bytes) const {
  finish_stores(build);
  if (options_.arch == architecture::x86_64) {
    const std::string code = "leaq " + std::to_string(bytes) + "($1), $0\nmovq $0, " + hot_word(tine_abi_top);
    const llvm_value end = hot_instruction(build, ptr_, code, "=r,r,~{memory}", {record});
    return {end, LLVMBuildNot(build, is_below_hot(build, record, tine_abi_limit), "")};
  }
  llvm_value size = number(bytes);
  const llvm_value end = LLVMBuildGEP2(build, i8_, hidden(build, record), &size, 1, "");
  const llvm_value limit = load_hot(build, tine_abi_limit, end);
  return {end, LLVMBuildICmp(build, LLVMIntUGE, record, limit, "")};
}

llvm_value module_emitter::pop_record(LLVMBuilderRef build, llvm_value record) const {
  finish_stores(build);
  if (options_.arch == architecture::x86_64) {
    hot_instruction(build, void_, "movq $0, " + hot_word(tine_abi_top), "r,~{memory}", {record});
    return is_below_hot(build, record, tine_abi_bot);
  }
  return LLVMBuildICmp(build, LLVMIntULT, record, load_hot(build, tine_abi_bot, record), "");
}

llvm_value module_emitter::hidden(LLVMBuilderRef build, llvm_value v) const {
  llvm_type params[] = {LLVMTypeOf(v)};
  const llvm_type type = LLVMFunctionType(params[0], params, 1, 0);
  const std::string_view of_fractions = options_.arch == architecture::aarch64 ? "=w,0" : "=x,0";
  const std::string_view same = params[0] == f64_ ? of_fractions : "=r,0";
  const llvm_value nothing =
      LLVMGetInlineAsm(type, nullptr, 0, same.data(), same.size(), 0, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(build, type, nothing, &v, 1, "");
}

}  // namespace tine::spork
