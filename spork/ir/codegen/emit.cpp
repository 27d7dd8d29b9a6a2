// Emits modules: the parts that all functions of a program share, and the entries.
#include "ir/codegen/emit.hpp"

#include "ir/c_functions.hpp"
#include "ir/codegen/emitter.hpp"
#include "ir/successors.hpp"

#include <tine/managed/abi.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tine::spork {

module_emitter::module_emitter(const program& p, LLVMContextRef context, const emit_options& o)
    : p_{p},
      context_{context},
      options_{o},
      module_{LLVMModuleCreateWithNameInContext(p.name.c_str(), context)},
      lines_{module_, context, p, o.lines},
      i64_{LLVMInt64TypeInContext(context)},
      i32_{LLVMInt32TypeInContext(context)},
      i8_{LLVMInt8TypeInContext(context)},
      f64_{LLVMDoubleTypeInContext(context)},
      ptr_{LLVMPointerTypeInContext(context, 0)},
      void_{LLVMVoidTypeInContext(context)} {}

llvm_type module_emitter::type_of(type t) const { return t == type::f64 ? f64_ : t == type::ptr ? ptr_ : i64_; }

llvm_type module_emitter::result_type(const std::vector<type>& results) const {
  if (results.empty() || gives_in_memory(results)) return void_;
  if (results.size() == 1) return type_of(results[0]);
  std::vector<llvm_type> fields;
  for (const type t : results) fields.push_back(type_of(t));
  return LLVMStructTypeInContext(context_, fields.data(), static_cast<unsigned>(fields.size()), 0);
}

llvm_type module_emitter::function_type(const std::vector<type>& params, const std::vector<type>& results,
                                        bool takes_top) const {
  std::vector<llvm_type> all;
  for (const type t : params) all.push_back(type_of(t));
  if (gives_in_memory(results)) all.push_back(ptr_);
  if (takes_top) all.push_back(ptr_);
  return LLVMFunctionType(result_type(results), all.data(), static_cast<unsigned>(all.size()), 0);
}

llvm_value module_emitter::cell(LLVMBuilderRef build, llvm_value cells, std::size_t i) const {
  llvm_value index[] = {number(i)};
  return LLVMBuildGEP2(build, i64_, cells, index, 1, "");
}

// LLVM's time grows with the square of a function's blocks; 12,000 take minutes. It leaves larger functions alone.
constexpr std::size_t most_optimised_blocks = 4'000;

void module_emitter::declare(const function& f) {
  const llvm_type type =
      function_type(f.param_types, f.results, takes_top(static_cast<function_id>(functions_.size())));
  // the prefix keeps names of the program apart from C functions that it did not declare
  const std::string name = f.in_c ? f.name : "spork." + f.name;
  const llvm_value to = LLVMAddFunction(module_, name.c_str(), type);
  if (!f.in_c) LLVMSetLinkage(to, LLVMInternalLinkage), prepare_frame_of(to);
  if (tails_.has_convention(static_cast<function_id>(functions_.size())))
    LLVMSetFunctionCallConv(to, tail_calls::convention);
  const auto is = [&](std::string_view what) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(what.data(), what.size());
    LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context_, kind, 0));
  };
  is("nounwind");
  if (!f.in_c) add_unwind_table(to);
  if (f.in_c && (f.pure || find_c_function(f) != nullptr)) {
    for (const char* each : {"memory", "willreturn", "nosync", "nofree", "speculatable"}) is(each);  // memory(none)
  }
  if (f.blocks.size() > most_optimised_blocks) is("optnone");
  // A loop that is offered stays apart, so that the short loop that calls it is inlined.
  if (f.apart || f.blocks.size() > most_optimised_blocks || offers_rest_of_loop(f)) is("noinline");
  functions_.push_back(to);
}

// Debuggers and profilers walk over the frames of compiled code by its unwind tables. An exception of C++ must not do
// so.
void module_emitter::add_unwind_table(llvm_value f) {
  static constexpr std::string_view name = "uwtable";
  constexpr std::uint64_t at_each_instruction = 2;
  const unsigned kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
  LLVMAddAttributeAtIndex(f, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                          LLVMCreateEnumAttribute(context_, kind, at_each_instruction));
  LLVMSetPersonalityFn(f, bridge("tine_abi_personality", LLVMFunctionType(i32_, nullptr, 0, 1)));
}

llvm_value module_emitter::constant(const atom& a) const {
  if (a.is_address()) return is_of_function(a.bits) ? functions_[function_at(a.bits)] : data_[data_at(a.bits)];
  if (a.of_type == type::f64) return LLVMConstReal(f64_, std::bit_cast<double>(a.bits));
  return a.of_type == type::ptr ? LLVMConstNull(ptr_) : number(a.bits);
}

// Data may hold the addresses of data behind them, so the variables come first, and then their contents.
void module_emitter::add_data() {
  for (const datum& d : p_.data) {
    std::vector<llvm_type> cells;
    for (const atom& word : d.words) cells.push_back(type_of(word.of_type));
    const llvm_type type = LLVMStructTypeInContext(context_, cells.data(), static_cast<unsigned>(cells.size()), 0);
    const llvm_value to = LLVMAddGlobal(module_, type, ("data." + d.name).c_str());
    LLVMSetLinkage(to, LLVMInternalLinkage);
    LLVMSetGlobalConstant(to, d.is_constant);
    LLVMSetAlignment(to, 8);
    data_.push_back(to);
  }
  for (std::size_t i = 0; i < data_.size(); ++i) {
    std::vector<llvm_value> words;
    for (const atom& word : p_.data[i].words) words.push_back(constant(word));
    LLVMSetInitializer(data_[i],
                       LLVMConstStructInContext(context_, words.data(), static_cast<unsigned>(words.size()), 0));
  }
}

LLVMModuleRef module_emitter::run() {
  LLVMSetDataLayout(module_, options_.layout.c_str());  // first, because the layout aligns what is emitted
  find_forks();
  for (const function& f : p_.functions) declare(f);
  add_data();
  for (function_id f = 0; f < p_.functions.size(); ++f) {
    if (!p_.functions[f].in_c) function_emitter{*this, p_.functions[f], functions_[f]}.run();
  }
  if (options_.exports) {
    for (function_id f = 0; f < p_.functions.size(); ++f) {
      if (p_.functions[f].exported) make_export(f);
    }
  } else {
    make_entry();
  }
  keep_results();
  complete_frames();
  lines_.finish();
  return module_;
}

// LLVM's pass that removes dead results does not see that a promised tail call returns those of its callee (LLVM 19).
// It leaves functions alone that are used by something besides calls.
void module_emitter::keep_results() {
  std::vector<llvm_value> kept;
  for (function_id f = 0; f < functions_.size(); ++f) {
    if (tails_.has_convention(f)) kept.push_back(functions_[f]);
  }
  if (kept.empty()) return;
  const llvm_value all = LLVMConstArray2(ptr_, kept.data(), kept.size());
  const llvm_value used = LLVMAddGlobal(module_, LLVMTypeOf(all), "llvm.compiler.used");
  LLVMSetInitializer(used, all);
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
}

std::size_t module_emitter::record_bytes(const program& p, const invocation& spawn) {
  const function& f = p.functions[spawn.callee];
  return tine_abi_payload + 8 * std::max(f.param_types.size(), f.results.size());
}

static_assert(static_cast<int>(sharing::no_token) == 0 && static_cast<int>(sharing::all) == 2);  // as in tine_abi_kind

llvm_value module_emitter::kind_of(const invocation& spawn, sharing tokens) {
  tokens = options_.share.value_or(tokens);
  const auto [found, is_new] = kinds_.try_emplace({spawn.callee, tokens});
  if (!is_new) return found->second;
  const llvm_value fields[] = {make_runner(spawn.callee), LLVMConstInt(i32_, record_bytes(p_, spawn), 0),
                               LLVMConstInt(i8_, 0, 0), LLVMConstInt(i8_, static_cast<unsigned>(tokens), 0)};
  const llvm_value constant = LLVMConstStructInContext(context_, const_cast<llvm_value*>(fields), 4, 0);
  found->second = LLVMAddGlobal(module_, LLVMTypeOf(constant), "kind");
  LLVMSetInitializer(found->second, constant);
  LLVMSetGlobalConstant(found->second, 1);
  LLVMSetLinkage(found->second, LLVMInternalLinkage);
  return found->second;
}

// Puts bytes in front of a function that C++ calls by a pointer: UndefinedBehaviorSanitizer reads a function's type
// from the bytes before it, and these must exist.
void module_emitter::put_nothing_before(llvm_value f) const {
  const llvm_value nothing[] = {number(0), number(0)};
  LLVMSetPrefixData(f, LLVMConstStructInContext(context_, const_cast<llvm_value*>(nothing), 2, 0));
}

// Makes `uint8_t run(void* record)`, which a thief calls.
llvm_value module_emitter::make_runner(function_id callee) {
  const auto [found, is_new] = runners_.try_emplace(callee);
  if (!is_new) return found->second;
  const function& f = p_.functions[callee];
  llvm_type params[] = {ptr_};
  const llvm_value run = LLVMAddFunction(module_, ("run." + f.name).c_str(), LLVMFunctionType(i8_, params, 1, 0));
  LLVMSetLinkage(run, LLVMInternalLinkage);
  put_nothing_before(run);
  prepare_frame_of(run);
  add_unwind_table(run);
  const LLVMBuilderRef build = LLVMCreateBuilderInContext(context_);
  LLVMPositionBuilderAtEnd(build, LLVMAppendBasicBlockInContext(context_, run, "entry"));
  lines_.begin(build, run, f);
  static_assert(tine_abi_payload % 8 == 0);
  const llvm_value payload = cell(build, LLVMGetParam(run, 0), tine_abi_payload / 8);
  std::vector<llvm_value> args;
  for (std::size_t i = 0; i < f.param_types.size(); ++i)
    args.push_back(LLVMBuildLoad2(build, type_of(f.param_types[i]), cell(build, payload, i), ""));
  call_from_outside(build, callee, args, payload);
  LLVMBuildRet(build, LLVMConstInt(i8_, 0, 0));
  LLVMDisposeBuilder(build);
  return found->second = run;
}

// Makes `void entry(void* results)`, which runs main and writes its results into cells.
void module_emitter::make_entry() {
  const function_id main = p_.find("main");
  llvm_type params[] = {ptr_};
  const llvm_value entry = LLVMAddFunction(module_, options_.entry.c_str(), LLVMFunctionType(void_, params, 1, 0));
  put_nothing_before(entry);
  prepare_frame_of(entry);
  add_unwind_table(entry);
  const LLVMBuilderRef build = LLVMCreateBuilderInContext(context_);
  LLVMPositionBuilderAtEnd(build, LLVMAppendBasicBlockInContext(context_, entry, "entry"));
  lines_.begin(build, entry, p_.functions[main]);
  // also if main does not fork, but another function does: LLVM keeps the description of the frames even if it drops
  // that function
  if (uses_stack_maps() && std::ranges::count(forks_, true) != 0) open_frames(build);
  if (options_.collects && options_.hot_offset) add_roots(build);
  call_from_outside(build, main, {}, LLVMGetParam(entry, 0));
  LLVMBuildRetVoid(build);
  LLVMDisposeBuilder(build);
  if (options_.with_main) make_main(entry);
}

// Declares the globals of the program to the collector, which does not find them where the compiler in this process
// puts them. (It knows the data of executables and shared libraries.)
void module_emitter::add_roots(LLVMBuilderRef build) {
  llvm_type params[] = {ptr_, i64_};
  const llvm_type type = LLVMFunctionType(void_, params, 2, 0);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    if (p_.data[i].is_constant) continue;
    llvm_value args[] = {data_[i], number(p_.data[i].words.size())};
    LLVMBuildCall2(build, type, bridge("tine_ml_add_root", type), args, 2, "");
  }
}

// Makes the function of C that calls an exported function. It has that function's name, parameters and result; it
// stores further results where further parameters point.
void module_emitter::make_export(function_id callee) {
  const function& f = p_.functions[callee];
  std::vector<llvm_type> params;
  for (const type t : f.param_types) params.push_back(type_of(t));
  for (std::size_t i = 1; i < f.results.size(); ++i) params.push_back(ptr_);
  const llvm_type gives = f.results.empty() ? void_ : type_of(f.results[0]);
  const llvm_value to = LLVMAddFunction(
      module_, f.name.c_str(), LLVMFunctionType(gives, params.data(), static_cast<unsigned>(params.size()), 0));
  put_nothing_before(to);
  prepare_frame_of(to);
  add_unwind_table(to);
  const LLVMBuilderRef build = LLVMCreateBuilderInContext(context_);
  LLVMPositionBuilderAtEnd(build, LLVMAppendBasicBlockInContext(context_, to, "entry"));
  lines_.begin(build, to, f);
  std::vector<llvm_value> args(params.size());
  LLVMGetParams(to, args.data());
  const llvm_value results = LLVMBuildAlloca(build, LLVMArrayType2(i64_, f.results.size()), "");
  const auto result = [&](std::size_t i) {
    return LLVMBuildLoad2(build, type_of(f.results[i]), cell(build, results, i), "");
  };
  const std::vector<llvm_value> further(args.begin() + static_cast<std::ptrdiff_t>(f.params.size()), args.end());
  args.resize(f.params.size());
  call_from_outside(build, callee, args, results);
  for (std::size_t i = 0; i < further.size(); ++i) LLVMBuildStore(build, result(i + 1), further[i]);
  f.results.empty() ? LLVMBuildRetVoid(build) : LLVMBuildRet(build, result(0));
  LLVMDisposeBuilder(build);
}

// Makes `int main(int argc, char** argv)`, which returns tine_abi_main(entry, types), and starts the collector before.
void module_emitter::make_main(llvm_value entry) {
  std::string types;
  for (const type t : p_.functions[p_.find("main")].results) types += t == type::f64 ? 'f' : 'i';
  llvm_type params_of_main[] = {i32_, ptr_};
  const llvm_type type_of_main = LLVMFunctionType(i32_, params_of_main, 2, 0);
  const llvm_value main = LLVMAddFunction(module_, "main", type_of_main);
  const LLVMBuilderRef build = LLVMCreateBuilderInContext(context_);
  LLVMPositionBuilderAtEnd(build, LLVMAppendBasicBlockInContext(context_, main, "entry"));
  if (options_.collects) {
    const llvm_type begins = LLVMFunctionType(void_, params_of_main, 2, 0);
    llvm_value words[] = {LLVMGetParam(main, 0), LLVMGetParam(main, 1)};
    LLVMBuildCall2(build, begins, bridge("tine_ml_begin_main", begins), words, 2, "");
  }
  llvm_type params[] = {ptr_, ptr_};
  const llvm_type type = LLVMFunctionType(i32_, params, 2, 0);
  llvm_value args[] = {entry, text(types)};
  LLVMBuildRet(build, LLVMBuildCall2(build, type, bridge("tine_abi_main", type), args, 2, ""));
  LLVMDisposeBuilder(build);
}

llvm_value module_emitter::bridge(const char* name, llvm_type type) const {
  const llvm_value known = LLVMGetNamedFunction(module_, name);
  return known != nullptr ? known : LLVMAddFunction(module_, name, type);
}

// Finds the functions that fork, or call a function that does. An indirect call may reach each function with an
// address.
void module_emitter::find_forks() {
  const std::vector<bool> addressed = addressed_functions(p_);
  forks_.assign(p_.functions.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (function_id f = 0; f < p_.functions.size(); ++f) {
      for (const block& b : p_.functions[f].blocks) {
        const auto* c = std::get_if<call>(&b.end.what);
        const bool forks = std::holds_alternative<spork>(b.end.what) || (c != nullptr && forks_[c->what.callee]) ||
                           (indirect_calls_fork_ && std::holds_alternative<indirect_call>(b.end.what));
        if (!forks || forks_[f]) continue;
        forks_[f] = true;
        changed = true;
      }
      if (addressed[f] && forks_[f] != indirect_calls_fork_) {
        forks_[f] = indirect_calls_fork_ = true;
        changed = true;
      }
    }
  }
}

void module_emitter::call_from_outside(LLVMBuilderRef build, function_id callee, std::vector<llvm_value> args,
                                       llvm_value cells) const {
  const function& f = p_.functions[callee];
  const llvm_value to = functions_[callee];
  const llvm_type type = LLVMGlobalGetValueType(to);
  if (gives_in_memory(f.results)) args.push_back(cells);
  if (takes_top(callee)) args.push_back(load_top(build));
  const llvm_value made = may_poll(callee) ? call_with_bundle(build, type, to, std::move(args), {})
                                           : call_function(build, type, to, std::move(args));
  for (unsigned i = 0; i < f.results.size() && !gives_in_memory(f.results); ++i) {
    LLVMBuildStore(build, f.results.size() == 1 ? made : LLVMBuildExtractValue(build, made, i, ""),
                   cell(build, cells, i));
  }
}

llvm_value module_emitter::intrinsic(const char* name, std::vector<llvm_type> overloaded) {
  const unsigned id = LLVMLookupIntrinsicID(name, std::char_traits<char>::length(name));
  return LLVMGetIntrinsicDeclaration(module_, id, overloaded.data(), overloaded.size());
}

llvm_value module_emitter::call_function(LLVMBuilderRef build, llvm_type type, llvm_value callee,
                                         std::vector<llvm_value> args) const {
  const llvm_value made = LLVMBuildCall2(build, type, callee, args.data(), static_cast<unsigned>(args.size()), "");
  const bool is_known = LLVMIsAFunction(callee) != nullptr;
  if (is_known) LLVMSetInstructionCallConv(made, LLVMGetFunctionCallConv(callee));
  if (!is_known && tails_.addresses_have_convention()) LLVMSetInstructionCallConv(made, tail_calls::convention);
  return made;
}

llvm_value module_emitter::keeping_registers(llvm_value call) {
  LLVMSetInstructionCallConv(call, LLVMPreserveMostCallConv);
  return call;
}

// Makes `result keep.name(ptr at)`, which returns name(at), or name(at, returns).
slow_path module_emitter::slow_path_of(const char* name, llvm_type result, bool wants_return_address) {
  llvm_type params[] = {ptr_, ptr_};
  const llvm_type type = LLVMFunctionType(result, params, 1, 0);
  const std::string keeps = std::string{"keep."} + name;
  if (const llvm_value known = LLVMGetNamedFunction(module_, keeps.c_str())) return {known, type};
  const llvm_value keeper = LLVMAddFunction(module_, keeps.c_str(), type);
  LLVMSetLinkage(keeper, LLVMInternalLinkage);
  LLVMSetFunctionCallConv(keeper, LLVMPreserveMostCallConv);
  add_unwind_table(keeper);
  for (const std::string_view attribute : {"noinline", "cold", "nounwind"}) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(attribute.data(), attribute.size());
    LLVMAddAttributeAtIndex(keeper, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                            LLVMCreateEnumAttribute(context_, kind, 0));
  }
  const LLVMBuilderRef build = LLVMCreateBuilderInContext(context_);
  LLVMPositionBuilderAtEnd(build, LLVMAppendBasicBlockInContext(context_, keeper, "entry"));
  std::vector<llvm_value> args{LLVMGetParam(keeper, 0)};
  if (wants_return_address) {
    args.push_back(place_of_return_address(build));
  }
  const auto count = static_cast<unsigned>(args.size());
  const llvm_type called = LLVMFunctionType(result, params, count, 0);
  const llvm_value made = LLVMBuildCall2(build, called, bridge(name, called), args.data(), count, "");
  result == void_ ? LLVMBuildRetVoid(build) : LLVMBuildRet(build, made);
  LLVMDisposeBuilder(build);
  return {keeper, type};
}

// Emits what `tine_abi_poll_frames` calls `returns`.
llvm_value module_emitter::place_of_return_address(LLVMBuilderRef build) {
  const auto call = [&](const char* name, std::vector<llvm_type> overloaded, std::vector<llvm_value> args) {
    const llvm_value f = intrinsic(name, std::move(overloaded));
    return LLVMBuildCall2(build, LLVMGlobalGetValueType(f), f, args.data(), static_cast<unsigned>(args.size()), "");
  };
  if (options_.arch == architecture::x86_64) return call("llvm.addressofreturnaddress", {ptr_}, {});
  const llvm_value this_frame = LLVMConstInt(i32_, 0, 0);
  const llvm_value words = LLVMBuildAlloca(build, LLVMArrayType2(ptr_, 3), "");
  LLVMBuildStore(build, call("llvm.returnaddress", {}, {this_frame}), cell(build, words, 0));
  if (options_.arch != architecture::aarch64) return words;  // which has no stack maps
  LLVMBuildStore(build, call("llvm.sponentry", {ptr_}, {}), cell(build, words, 1));
  const llvm_value frame = call("llvm.frameaddress", {ptr_}, {this_frame});
  LLVMBuildStore(build, LLVMBuildLoad2(build, ptr_, frame, ""), cell(build, words, 2));
  return words;
}

llvm_value module_emitter::call_slow_path(LLVMBuilderRef build, const char* name, llvm_type result, llvm_value record,
                                          bool wants_return_address) {
  const slow_path to = slow_path_of(name, result, wants_return_address);
  return keeping_registers(LLVMBuildCall2(build, to.type, to.function, &record, 1, ""));
}

void module_emitter::mark_first_way_rare(llvm_value branch) const {
  const LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context_, "branch_weights", 14),
                                   LLVMValueAsMetadata(LLVMConstInt(i32_, 1, 0)),
                                   LLVMValueAsMetadata(LLVMConstInt(i32_, 2000, 0))};
  const LLVMMetadataRef node = LLVMMDNodeInContext2(context_, const_cast<LLVMMetadataRef*>(parts), 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context_, "prof", 4), LLVMMetadataAsValue(context_, node));
}

llvm_value module_emitter::text(const std::string& t) {
  const llvm_value constant = LLVMConstStringInContext2(context_, t.data(), t.size(), 0);
  const llvm_value global = LLVMAddGlobal(module_, LLVMTypeOf(constant), "text");
  LLVMSetInitializer(global, constant);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

LLVMModuleRef emit(const program& p, LLVMContextRef context, const emit_options& o) {
  return module_emitter{p, context, o}.run();
}

std::string unfit_to_compile(const program& p) {
  for (const function& f : p.functions) {
    for (const block& b : f.blocks) {
      const auto* s = std::get_if<spork>(&b.end.what);
      if (s != nullptr && module_emitter::record_bytes(p, s->spawn) > tine_abi_most_record) {
        return "the spork of '" + p.functions[s->spawn.callee].name +
               "' has more arguments or results than a record can hold; pass them in memory";
      }
    }
  }
  return {};
}

}  // namespace tine::spork
