// Emits sporks without records: stack maps describe the open sporks (managed/abi.h).
//
//     spork:  slot = null; if (limit is at most 1) poll        (rare)
//     spoin:  if (slot is not null) join                       (rare)
#include "ir/codegen/emitter.hpp"

#include <tine/managed/abi.h>

#include <algorithm>
#include <string_view>

namespace tine::spork {

void module_emitter::prepare_frame_of(llvm_value f) const {
  if (!uses_stack_maps()) return;
  LLVMSetSection(f, section().c_str());
  const auto add = [&](std::string_view name, std::string_view value) {
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context_, name.data(), static_cast<unsigned>(name.size()),
                                                      value.data(), static_cast<unsigned>(value.size())));
  };
  add("no-realign-stack", "");
  if (options_.arch == architecture::aarch64) add("frame-pointer", "all");
}

// Returns a name that is a C identifier: the linker then defines symbols for the section's begin and end.
std::string module_emitter::section() const { return "code_of_" + options_.entry; }

llvm_value module_emitter::frames() {
  if (frames_ == nullptr) {
    frames_ = LLVMAddGlobal(module_, LLVMArrayType2(ptr_, sizeof(tine_abi_frames) / sizeof(void*)),
                            (options_.entry + ".frames").c_str());
    LLVMSetVisibility(frames_, LLVMHiddenVisibility);  // its address is then a constant for this module's code
  }
  return frames_;
}

llvm_value module_emitter::number_of_kind(const invocation& spawn, sharing tokens) {
  const llvm_value kind = kind_of(spawn, tokens);
  const auto known = std::ranges::find(numbered_kinds_, kind);
  const auto at = known - numbered_kinds_.begin();
  if (known == numbered_kinds_.end()) numbered_kinds_.push_back(kind);
  return number(static_cast<std::uint64_t>(at));
}

// The mark emits no code, but puts this function into the maps: there are maps even if LLVM finds out that no function
// forks.
void module_emitter::open_frames(LLVMBuilderRef build) {
  const llvm_value mark = intrinsic("llvm.experimental.stackmap", {});
  llvm_value nothing[] = {number(0), LLVMConstInt(i32_, 0, 0)};
  LLVMBuildCall2(build, LLVMGlobalGetValueType(mark), mark, nothing, 2, "");
  llvm_type params[] = {ptr_};
  const llvm_type type = LLVMFunctionType(void_, params, 1, 0);
  llvm_value args[] = {frames()};
  LLVMBuildCall2(build, type, bridge("tine_abi_open_frames", type), args, 1, "");
}

// Completes the module's tine_abi_frames (abi.h).
void module_emitter::complete_frames() {
  if (frames_ == nullptr) return;
  const auto outside = [&](const std::string& name) { return LLVMAddGlobal(module_, i8_, name.c_str()); };
  const llvm_value list = LLVMConstArray2(ptr_, numbered_kinds_.data(), numbered_kinds_.size());
  const llvm_value kinds = LLVMAddGlobal(module_, LLVMTypeOf(list), "kinds");
  LLVMSetInitializer(kinds, list);
  LLVMSetGlobalConstant(kinds, 1);
  LLVMSetLinkage(kinds, LLVMInternalLinkage);
  const llvm_value fields[] = {outside("__LLVM_StackMaps"), kinds, outside("__start_" + section()),
                               outside("__stop_" + section()), LLVMConstNull(ptr_)};
  LLVMSetInitializer(frames_, LLVMConstArray2(ptr_, const_cast<llvm_value*>(fields), std::size(fields)));
}

llvm_value module_emitter::call_with_bundle(LLVMBuilderRef build, llvm_type type, llvm_value callee,
                                            std::vector<llvm_value> args, std::vector<llvm_value> groups) const {
  LLVMOperandBundleRef bundle =
      LLVMCreateOperandBundle("deopt", 5, groups.data(), static_cast<unsigned>(groups.size()));
  const llvm_value made = LLVMBuildCallWithOperandBundles(build, type, callee, args.data(),
                                                          static_cast<unsigned>(args.size()), &bundle, 1, "");
  LLVMDisposeOperandBundle(bundle);
  return made;
}

// LLVM turns a recursion into a loop only if its call carries no bundle. The call needs none if no spork is open here:
// a function that may poll and calls other functions has a map, by which the walk passes its frame.
bool function_emitter::needs_bundle(function_id callee, nesting_id open) const {
  if (!m_.may_poll(callee)) return false;
  return facts_[open].depth != 0 || m_.function_of(callee) != to_;
}

// Where LLVM inlines a call, it adds the caller's groups to the bundles of the callee's calls. A call without a bundle
// would hide the sporks of the function into which it is inlined. But only calls from a function to itself have no
// bundle, and LLVM does not inline functions with such calls.
llvm_value function_emitter::call_in_frame(function_id callee, std::vector<llvm_value> args, nesting_id open) {
  const llvm_value to = m_.function_of(callee);
  const llvm_value made = m_.call_with_bundle(build_, LLVMGlobalGetValueType(to), to, std::move(args), groups_of(open));
  return made;
}

// An argument cell is memory in the frame for an argument of a spork. The spork stores each argument that is not in the
// maps once, however many calls follow. The usual way from the spoin loads the arguments from their cells, so that they
// need no registers in between.
void function_emitter::make_argument_cells() {
  for (const block_id b : facts_.order()) {
    const auto* s = std::get_if<spork>(&f_.blocks[b].end.what);
    if (s == nullptr) continue;
    const std::uint32_t depth = facts_[facts_.nesting_of(b)].depth;
    argument_cells_.resize(std::max<std::size_t>(argument_cells_.size(), depth + 1));
    while (argument_cells_[depth].size() < s->spawn.args.size())
      argument_cells_[depth].push_back(LLVMBuildAlloca(build_, m_.i64(), "argument"));
  }
}

namespace {

// Returns true if a stack map holds the value of `a`. It does not hold addresses, which the linker chooses.
bool is_in_map(const atom& a) { return a.is_constant() && !a.is_address(); }

}  // namespace

void function_emitter::store_arguments(const spork& t, std::uint32_t depth) {
  for (std::size_t i = 0; i < t.spawn.args.size(); ++i) {
    if (!is_in_map(t.spawn.args[i])) LLVMBuildStore(build_, value_of(t.spawn.args[i]), argument_cells_[depth][i]);
  }
}

llvm_value function_emitter::load_argument(const atom& a, std::size_t number, std::uint32_t depth) {
  const llvm_value argument = LLVMBuildLoad2(build_, m_.type_of(f_.type_of(a)), argument_cells_[depth][number], "");
  LLVMSetVolatile(argument, 1);  // otherwise LLVM would remember the stored value
  return argument;
}

void function_emitter::add_group(std::vector<llvm_value>& groups, const invocation& spawn, sharing tokens,
                                 std::uint32_t depth) {
  groups.push_back(m_.number(spawn.args.size()));
  groups.push_back(m_.number_of_kind(spawn, tokens));
  groups.push_back(records_[depth]);
  for (std::size_t i = 0; i < spawn.args.size(); ++i) {
    const atom& a = spawn.args[i];
    groups.push_back(is_in_map(a) ? value_of(a) : argument_cells_[depth][i]);
  }
}

std::vector<llvm_value> function_emitter::groups_of(nesting_id open) {
  std::vector<llvm_value> groups;
  for (const nesting* n : facts_.list(open)) add_group(groups, n->spawn, n->tokens, n->depth - 1);
  return groups;
}

void function_emitter::open_in_frame(const spork& t, nesting_id open) {
  const std::uint32_t depth = facts_[open].depth;
  store_arguments(t, depth);
  LLVMSetVolatile(LLVMBuildStore(build_, LLVMConstNull(m_.ptr()), records_[depth]), 1);
  const LLVMBasicBlockRef slow = new_block("requested");
  m_.mark_first_way_rare(LLVMBuildCondBr(build_, m_.is_limit_reached(build_), slow, blocks_[t.body.block]));
  continue_in(slow);
  const slow_path poll = m_.slow_path_of("tine_abi_poll_frames", m_.nothing(), true);
  std::vector<llvm_value> groups = groups_of(open);
  add_group(groups, t.spawn, t.tokens, depth);
  module_emitter::keeping_registers(
      m_.call_with_bundle(build_, poll.type, poll.function, {m_.frames()}, std::move(groups)));
  LLVMBuildBr(build_, blocks_[t.body.block]);
}

void function_emitter::close_in_frame(const spoin& t, nesting_id open) {
  const auto slot = [&] {
    const llvm_value record = LLVMBuildLoad2(build_, m_.ptr(), records_[facts_[open].depth - 1], "");
    LLVMSetVolatile(record, 1);
    return record;
  };
  join_if(LLVMBuildICmp(build_, LLVMIntNE, slot(), LLVMConstNull(m_.ptr()), ""), t, open, [&] {
    const llvm_value record = slot();
    return joined_fork{m_.call_slow_path(build_, "tine_abi_join_frame", m_.i32(), record), record};
  });
}

}  // namespace tine::spork
