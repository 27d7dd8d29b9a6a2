// Drives LLVM's compilers: in this process (ORC), and to object files.
#include "ir/codegen/jit.hpp"

#include "ir/codegen/emit.hpp"
#include "ir/codegen/tail_calls.hpp"

#include <tine/managed/abi.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tine::spork {
namespace {

void require(LLVMErrorRef error) {
  if (error == nullptr) return;
  char* text = LLVMGetErrorMessage(error);
  std::string what = text;
  LLVMDisposeErrorMessage(text);
  throw std::runtime_error{"LLVM: " + what};
}

template <auto Dispose>
struct disposer {
  template <class T>
  void operator()(T* p) const {
    Dispose(p);
  }
};
using context_owner = std::unique_ptr<LLVMOpaqueContext, disposer<LLVMContextDispose>>;
using module_owner = std::unique_ptr<LLVMOpaqueModule, disposer<LLVMDisposeModule>>;
using machine_owner = std::unique_ptr<LLVMOpaqueTargetMachine, disposer<LLVMDisposeTargetMachine>>;
using text_owner = std::unique_ptr<char, disposer<LLVMDisposeMessage>>;

architecture architecture_of(std::string_view triple) {
  if (triple.starts_with("x86_64-")) return architecture::x86_64;
  return triple.starts_with("aarch64-") ? architecture::aarch64 : architecture::other;
}

// Ensures that stack maps are right. On x86-64 no arguments are pushed, so that a frame has at each of its calls the
// length that its map states. On aarch64 level 0 uses no GlobalISel, which leaves the maps out. Only options for all of
// LLVM can ensure this, and LLVM takes no option twice; LLVM for another processor need not know them.
void keep_stack_maps() {
  static const bool once = [] {
#if defined(__x86_64__)
    static constexpr std::array words{"tine", "-no-x86-call-frame-opt"};
    LLVMParseCommandLineOptions(words.size(), words.data(), nullptr);
#elif defined(__aarch64__)
    static constexpr std::array words{"tine", "-aarch64-enable-global-isel-at-O=-1"};
    LLVMParseCommandLineOptions(words.size(), words.data(), nullptr);
#endif
    return true;
  }();
  static_cast<void>(once);
}

machine_owner make_machine(const compile_options& o, LLVMRelocMode addresses = LLVMRelocPIC) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
  if (o.promotes == promotion_by::stack_map) keep_stack_maps();
  const text_owner triple{LLVMGetDefaultTargetTriple()}, cpu{LLVMGetHostCPUName()}, features{LLVMGetHostCPUFeatures()};
  const bool is_this = o.processor.empty();
  const bool is_arm = o.processor.starts_with("armv");
  // armv8.1-a is LLVM's feature v8.1a
  const std::string feature = is_arm ? "+" + o.processor.substr(3, o.processor.find('-') - 3) + "a" : "";
  LLVMTargetRef target = nullptr;
  char* error = nullptr;
  if (LLVMGetTargetFromTriple(triple.get(), &target, &error) != 0) throw std::runtime_error{text_owner{error}.get()};
  static constexpr std::array levels{LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                     LLVMCodeGenLevelAggressive};
  return machine_owner{LLVMCreateTargetMachine(target, triple.get(),
                                               is_this  ? cpu.get()
                                               : is_arm ? "generic"
                                                        : o.processor.c_str(),
                                               is_this ? features.get() : feature.c_str(), levels[o.level], addresses,
                                               LLVMCodeModelDefault)};
}

// A function of the convention tailcc pops its arguments. LLVM 19 for aarch64 forgets that at a return to which
// shrink-wrapping gives no epilogue. It shrink-wraps no function with the attribute of a sanitizer. The attribute is
// set after all passes, so that none instruments the function.
void keep_epilogues(LLVMModuleRef module) {
  static constexpr std::string_view name = "sanitize_thread";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
  const LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != nullptr; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFunctionCallConv(f) == tail_calls::convention)
      LLVMAddAttributeAtIndex(f, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex), attribute);
  }
}

// Returns the module of a program, optimised for that machine.
module_owner make_module(const program& p, LLVMContextRef context, LLVMTargetMachineRef machine, emit_options o,
                         const compile_options& given) {
  if (const std::string why = unfit_to_compile(p); !why.empty()) throw std::runtime_error{why};
  const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  o.layout = text_owner{LLVMCopyStringRepOfTargetData(layout)}.get();
  LLVMDisposeTargetData(layout);
  const text_owner triple{LLVMGetTargetMachineTriple(machine)};
  o.arch = architecture_of(triple.get());
  module_owner m{emit(p, context, o)};
  LLVMSetTarget(m.get(), triple.get());
  char* error = nullptr;
  if (LLVMVerifyModule(m.get(), LLVMReturnStatusAction, &error) != 0) {
    throw std::logic_error{"the code generator made a wrong module; please report this: " +
                           std::string{text_owner{error}.get()}};
  }
  LLVMDisposeMessage(error);
  const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetVerifyEach(options, given.verifies_each ? 1 : 0);
  LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
  const LLVMErrorRef failed =
      LLVMRunPasses(m.get(), ("default<O" + std::to_string(given.level) + ">").c_str(), machine, options);
  LLVMDisposePassBuilderOptions(options);
  require(failed);
  if (o.arch == architecture::aarch64) keep_epilogues(m.get());
  return m;
}

// Returns the machine code of a module, as an object in memory. ORC's compiler is not used, because it has one level
// for all programs.
LLVMMemoryBufferRef make_object(LLVMOpaqueModule& m, LLVMOpaqueTargetMachine& machine) {
  char* error = nullptr;
  LLVMMemoryBufferRef object = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(&machine, &m, LLVMObjectFile, &error, &object) != 0)
    throw std::runtime_error{"LLVM: " + std::string{text_owner{error}.get()}};
  return object;
}

emit_options in_this_process(const compile_options& given) {
  emit_options o;
  o.promotes = given.promotes;
  o.collects = given.collects;
  o.share = given.share;
  o.hot_offset = tine_abi_hot_offset();
  return o;
}

}  // namespace

const std::vector<std::string>& processor_levels() {
  static const std::vector<std::string> levels = [] {
    const text_owner triple{LLVMGetDefaultTargetTriple()};
    std::vector<std::string> all{"native"};
    switch (architecture_of(triple.get())) {
      case architecture::x86_64:
        all.insert(all.end(), {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"});
        break;
      case architecture::aarch64:
        all.insert(all.end(), {"armv8-a", "armv8.1-a", "armv8.2-a", "armv9-a"});
        break;
      case architecture::other:
        break;
    }
    return all;
  }();
  return levels;
}

const std::string& base_level() { return processor_levels()[processor_levels().size() > 1 ? 1 : 0]; }

std::string native_processor() { return text_owner{LLVMGetHostCPUName()}.get(); }

struct jit::inside {
  LLVMOrcLLJITRef compiler = nullptr;
  std::size_t programs = 0;
  std::vector<tine_abi_frames*> modules;  // those with stack maps
  std::string problems;                   // errors that LLVM reported besides those that it returns, in more detail

  static void report(void* self, LLVMErrorRef error) {
    char* text = LLVMGetErrorMessage(error);
    static_cast<inside*>(self)->problems += text;
    LLVMDisposeErrorMessage(text);
  }

  LLVMOrcJITDylibRef library() const { return LLVMOrcLLJITGetMainJITDylib(compiler); }

  void define(const char* name, LLVMOrcExecutorAddress f) const {
    LLVMOrcCSymbolMapPair pair{LLVMOrcLLJITMangleAndIntern(compiler, name),
                               {f, {LLVMJITSymbolGenericFlagsExported, 0}}};
    require(LLVMOrcJITDylibDefine(library(), LLVMOrcAbsoluteSymbols(&pair, 1)));
  }
};

jit::jit() : inside_{std::make_unique<inside>()} {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  require(LLVMOrcCreateLLJIT(&inside_->compiler, nullptr));
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(inside_->compiler), inside::report,
                                          inside_.get());
  inside_->define("tine_abi_poll", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_poll));
  inside_->define("tine_abi_join", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_join));
  inside_->define("tine_abi_open_frames", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_open_frames));
  inside_->define("tine_abi_poll_frames", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_poll_frames));
  inside_->define("tine_abi_join_frame", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_join_frame));
  inside_->define("tine_abi_alloc", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_alloc));
  inside_->define("tine_abi_personality", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_personality));
  inside_->define("tine_abi_trap", reinterpret_cast<LLVMOrcExecutorAddress>(&tine_abi_trap));
  LLVMOrcDefinitionGeneratorRef process = nullptr;
  require(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, LLVMOrcLLJITGetGlobalPrefix(inside_->compiler),
                                                               nullptr, nullptr));
  LLVMOrcJITDylibAddGenerator(inside_->library(), process);
}

jit::~jit() {
  for (tine_abi_frames* module : inside_->modules) tine_abi_close_frames(module);
  if (inside_->compiler != nullptr) LLVMConsumeError(LLVMOrcDisposeLLJIT(inside_->compiler));
}

void jit::define(const char* name, void (*function)()) {
  inside_->define(name, reinterpret_cast<LLVMOrcExecutorAddress>(function));
}

jit::entry jit::compile(const program& p, const compile_options& given) {
  emit_options o = in_this_process(given);
  o.entry = "tine_program_" + std::to_string(inside_->programs++);
  const context_owner context{LLVMContextCreate()};
  const machine_owner machine = make_machine(given);
  const module_owner m = make_module(p, context.get(), machine.get(), o, given);
  const bool has_maps = LLVMGetNamedGlobal(m.get(), (o.entry + ".frames").c_str()) != nullptr;
  require(LLVMOrcLLJITAddObjectFile(inside_->compiler, inside_->library(), make_object(*m, *machine)));
  LLVMOrcExecutorAddress found = 0;
  const LLVMErrorRef failed = LLVMOrcLLJITLookup(inside_->compiler, &found, o.entry.c_str());
  if (failed != nullptr && !inside_->problems.empty()) {
    LLVMConsumeError(failed);
    throw std::runtime_error{"LLVM: " + inside_->problems +
                             "; a function of C that is declared must be in a library that tine has"};
  }
  require(failed);
  if (has_maps) {
    LLVMOrcExecutorAddress frames = 0;
    require(LLVMOrcLLJITLookup(inside_->compiler, &frames, (o.entry + ".frames").c_str()));
    inside_->modules.push_back(reinterpret_cast<tine_abi_frames*>(frames));
  }
  return reinterpret_cast<entry>(found);
}

std::vector<value> run_compiled(jit::entry code, const program& p, unsigned workers) {
  return run_compiled(code, p, [=](jit::entry f, void* results) { tine_abi_run(f, results, workers); });
}

std::vector<value> run_compiled(jit::entry code, const program& p, const std::function<void(jit::entry, void*)>& call) {
  const std::vector<type>& types = p.functions[p.find("main")].results;
  std::vector<std::uint64_t> cells(types.size() + 1);
  call(code, cells.data());
  std::vector<value> results;
  for (std::size_t i = 0; i < types.size(); ++i) results.push_back(canonical({types[i], cells[i]}));
  return results;
}

std::string show_llvm(const program& p, const compile_options& o) {
  const context_owner context{LLVMContextCreate()};
  const machine_owner machine = make_machine(o);
  emit_options how = in_this_process(o);
  how.exports = has_exports(p);
  const module_owner m = make_module(p, context.get(), machine.get(), how, o);
  return text_owner{LLVMPrintModuleToString(m.get())}.get();
}

namespace {

void write_object(const program& p, const compile_options& given, const emit_options& o, LLVMRelocMode addresses,
                  const std::string& path) {
  const context_owner context{LLVMContextCreate()};
  const machine_owner machine = make_machine(given, addresses);
  const module_owner m = make_module(p, context.get(), machine.get(), o, given);
  char* error = nullptr;
  if (LLVMTargetMachineEmitToFile(machine.get(), m.get(), const_cast<char*>(path.c_str()), LLVMObjectFile, &error) !=
      0) {
    throw unwritable{path + " cannot be written: " + text_owner{error}.get()};
  }
}

}  // namespace

void write_program(const program& p, const compile_options& given, const std::string& path) {
  write_object(p, given,
               {.promotes = given.promotes,
                .share = given.share,
                .with_main = true,
                .collects = given.collects,
                .lines = given.lines},
               LLVMRelocStatic, path);
}

void write_exports(const program& p, const compile_options& given, const std::string& path) {
  if (given.promotes == promotion_by::stack_map) {
    throw std::runtime_error{
        "stack maps hold fixed addresses, and exported functions have none; use --promotion=record"};
  }
  write_object(p, given, {.share = given.share, .exports = true, .collects = given.collects, .lines = given.lines},
               LLVMRelocPIC, path);
}

}  // namespace tine::spork
