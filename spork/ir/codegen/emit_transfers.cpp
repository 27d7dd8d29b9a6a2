// Emits transfers. A spork and its spoin follow the limit rule of the shadow stack, as the runtime's own forks do:
//
//     spork:  record = top; write kind and arguments; top = record + size; if (record >= limit) poll      (rare)
//     spoin:  top = record; if (record < bot) join                                                        (rare)
//
// The top is the same before a call and after it, so these functions do not read it: the caller passes the top to each
// function that may fork.
#include "ir/codegen/emitter.hpp"
#include "ir/passes/substitution.hpp"

#include <tine/managed/abi.h>

#include <algorithm>

namespace tine::spork {

void function_emitter::transfer_of(const transfer& t, nesting_id open) {
  std::visit([&](const auto& each) { emit(each, open); }, t.what);
}

void function_emitter::go_to(const label& l, const std::vector<llvm_value>& given) {
  LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(build_)};
  const std::vector<temp_id>& params = f_.blocks[l.block].params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    llvm_value v[] = {given[i]};
    LLVMAddIncoming(phis_[params[i]], v, from, 1);
  }
  LLVMBuildBr(build_, blocks_[l.block]);
}

void function_emitter::emit(const jump& t, nesting_id) { go_to(t.to, values_of(t.args)); }

void function_emitter::emit(const branch& t, nesting_id) {
  const llvm_value condition = LLVMBuildICmp(build_, LLVMIntNE, value_of(t.condition), m_.number(0), "");
  LLVMBuildCondBr(build_, condition, blocks_[t.yes.block], blocks_[t.no.block]);
}

void function_emitter::emit(const switch_on& t, nesting_id) {
  const llvm_value chosen =
      LLVMBuildSwitch(build_, value_of(t.condition), blocks_[t.otherwise.block], static_cast<unsigned>(t.ways.size()));
  for (const switch_on::way& each : t.ways)
    LLVMAddCase(chosen, m_.number(static_cast<std::uint64_t>(each.value)), blocks_[each.to.block]);
}

llvm_value function_emitter::call_of(const invocation& i, nesting_id open) {
  std::vector<llvm_value> args = values_of(i.args);
  const llvm_value callee = m_.function_of(i.callee);
  if (m_.gives_in_memory(m_.code().functions[i.callee].results)) args.push_back(results_);
  if (needs_bundle(i.callee, open)) return call_in_frame(i.callee, std::move(args), open);
  if (m_.takes_top(i.callee)) args.push_back(top_at(open));
  return m_.call_function(build_, LLVMGlobalGetValueType(callee), callee, std::move(args));
}

llvm_value function_emitter::top_at(nesting_id open) {
  return LLVMBuildLoad2(build_, m_.ptr(), records_[facts_[open].depth], "");
}

// Makes one array for all calls of the function, because the results of a call are read at once.
void function_emitter::make_space_for_results() {
  std::size_t most = 0;
  for (const block& b : f_.blocks) {
    std::vector<type> results;
    if (const auto* c = std::get_if<call>(&b.end.what)) results = m_.code().functions[c->what.callee].results;
    if (const auto* c = std::get_if<indirect_call>(&b.end.what)) results = types_of_params(f_, c->then.block);
    if (m_.gives_in_memory(results)) most = std::max(most, results.size());
  }
  if (most != 0) results_ = LLVMBuildAlloca(build_, LLVMArrayType2(m_.i64(), most), "results");
}

void function_emitter::emit(const call& t, nesting_id open) {
  if (is_self(&t) && only_returns(f_, t.then.block)) return jump_to_beginning(values_of(t.what.args));
  go_to_with_results(t.then, call_of(t.what, open), m_.code().functions[t.what.callee].results);
}

void function_emitter::emit(const indirect_call& t, nesting_id open) {
  std::vector<type> params;
  for (const atom& a : t.args) params.push_back(f_.type_of(a));
  const std::vector<type> results = types_of_params(f_, t.then.block);
  const bool forks = m_.indirect_calls_fork();
  const llvm_type type = m_.function_type(params, results, forks && !m_.uses_stack_maps());
  std::vector<llvm_value> args = values_of(t.args);
  if (m_.gives_in_memory(results)) args.push_back(results_);
  if (forks && !m_.uses_stack_maps()) args.push_back(top_at(open));
  const llvm_value callee = value_of(t.callee);
  const llvm_value made = forks && m_.uses_stack_maps()
                              ? m_.call_with_bundle(build_, type, callee, std::move(args), groups_of(open))
                              : m_.call_function(build_, type, callee, std::move(args));
  go_to_with_results(t.then, made, results);
}

// A call of the function itself in tail position is a jump to its beginning. A call of another function is one if LLVM
// promises it. LLVM adds what a recursion adds up to the value of every return, also to that of a promised call, so it
// must leave functions with such calls alone.
void function_emitter::find_tail_calls() {
  for (const block& b : f_.blocks) {
    const auto* c = std::get_if<call>(&b.end.what);
    calls_itself_ |= is_self(c) && only_returns(f_, c->then.block);
  }
  promises_tail_calls_ = m_.tails().promised_in(static_cast<function_id>(&f_ - m_.code().functions.data()));
  if (promises_tail_calls_) LLVMAddTargetDependentFunctionAttr(to_, "disable-tail-calls", "true");
}

bool function_emitter::is_self(const call* c) const { return c != nullptr && m_.function_of(c->what.callee) == to_; }

// Makes the block to which a call of the function itself jumps, with new values for the parameters.
void function_emitter::begin_again() {
  if (!calls_itself_) return;
  const LLVMBasicBlockRef from = LLVMGetInsertBlock(build_);
  again_ = new_block("again");
  LLVMBuildBr(build_, again_);
  continue_in(again_);
  for (const temp_id p : f_.params) {
    const llvm_value first = values_[p];
    values_[p] = phis_[p] = LLVMBuildPhi(build_, LLVMTypeOf(first), f_.temporaries[p].name.c_str());
    LLVMBasicBlockRef block = from;
    llvm_value value = first;
    LLVMAddIncoming(phis_[p], &value, &block, 1);
  }
}

void function_emitter::jump_to_beginning(const std::vector<llvm_value>& args) {
  LLVMBasicBlockRef from = LLVMGetInsertBlock(build_);
  for (std::size_t i = 0; i < args.size(); ++i) {
    llvm_value value = args[i];
    LLVMAddIncoming(phis_[f_.params[i]], &value, &from, 1);
  }
  LLVMBuildBr(build_, again_);
}

void function_emitter::go_to_with_results(const label& l, llvm_value made, const std::vector<type>& types) {
  if (promises_tail_calls_ && only_returns(f_, l.block) && LLVMGetInstructionCallConv(made) == tail_calls::convention) {
    LLVMSetTailCallKind(made, LLVMTailCallKindMustTail);
    types.empty() ? LLVMBuildRetVoid(build_) : LLVMBuildRet(build_, made);
    return;
  }
  std::vector<llvm_value> given;
  for (unsigned i = 0; i < types.size(); ++i) {
    given.push_back(m_.gives_in_memory(types)
                        ? LLVMBuildLoad2(build_, m_.type_of(types[i]), m_.cell(build_, results_, i), "")
                    : types.size() == 1 ? made
                                        : LLVMBuildExtractValue(build_, made, i, ""));
  }
  go_to(l, given);
}

void function_emitter::emit(const give_back& t, nesting_id) {
  std::vector<llvm_value> values = values_of(t.values);
  if (m_.gives_in_memory(f_.results)) {
    const llvm_value cells = LLVMGetParam(to_, static_cast<unsigned>(f_.params.size()));
    for (std::size_t i = 0; i < values.size(); ++i) LLVMBuildStore(build_, values[i], m_.cell(build_, cells, i));
    values.clear();
  }
  if (values.empty()) {
    LLVMBuildRetVoid(build_);
  } else if (values.size() == 1) {
    LLVMBuildRet(build_, values[0]);
  } else {
    LLVMBuildAggregateRet(build_, values.data(), static_cast<unsigned>(values.size()));
  }
}

namespace {

llvm_value behind(LLVMBuilderRef build, LLVMContextRef context, llvm_value record, std::uint64_t bytes) {
  llvm_value offset[] = {LLVMConstInt(LLVMInt64TypeInContext(context), bytes, 0)};
  return LLVMBuildGEP2(build, LLVMInt8TypeInContext(context), record, offset, 1, "");
}

}  // namespace

void function_emitter::emit(const spork& t, nesting_id open) {
  if (m_.uses_stack_maps()) return open_in_frame(t, open);
  const llvm_value record = LLVMBuildLoad2(build_, m_.ptr(), records_[facts_[open].depth], "");
  LLVMBuildStore(build_, m_.kind_of(t.spawn, t.tokens), behind(build_, m_.context(), record, tine_abi_kind_of_record));
  for (std::size_t i = 0; i < t.spawn.args.size(); ++i) {
    LLVMBuildStore(build_, value_of(t.spawn.args[i]), behind(build_, m_.context(), record, tine_abi_payload + 8 * i));
  }
  const auto [end, requested] = m_.push_record(build_, record, module_emitter::record_bytes(m_.code(), t.spawn));
  const llvm_value inner_top = records_[facts_[open].depth + 1];
  LLVMBuildStore(build_, end, inner_top);
  const LLVMBasicBlockRef slow = new_block("requested");
  m_.mark_first_way_rare(LLVMBuildCondBr(build_, requested, slow, blocks_[t.body.block]));
  continue_in(slow);
  LLVMBuildStore(build_, m_.call_slow_path(build_, "tine_abi_poll", m_.ptr(), record, true),
                 records_[facts_[open].depth]);
  LLVMBuildStore(build_, m_.load_top(build_), inner_top);
  LLVMBuildBr(build_, blocks_[t.body.block]);
}

void function_emitter::emit(const spoin& t, nesting_id open) {
  if (m_.uses_stack_maps()) return close_in_frame(t, open);
  const llvm_value record = LLVMBuildLoad2(build_, m_.ptr(), records_[facts_[open].depth - 1], "");
  join_if(m_.pop_record(build_, record), t, open, [&] {
    const llvm_value joined = m_.call_slow_path(build_, "tine_abi_join", m_.i32(), record);
    const llvm_value top = m_.load_top(build_);
    LLVMBuildStore(build_, top, records_[facts_[open].depth - 1]);  // on an instrumented strand, `record` is no address
    return joined_fork{joined, top};
  });
}

void function_emitter::find_usual_ways() {
  const std::vector<unsigned> ways_in = count_ways_in(f_);
  for (const block_id b : facts_.order()) {
    const auto* t = std::get_if<spoin>(&f_.blocks[b].end.what);
    if (t != nullptr && ways_in[t->unpromoted.block] == 1) usual_ways_[t->unpromoted.block] = facts_.nesting_of(b);
  }
}

// The usual way needs only the arguments. LLVM must not know how they were computed, or it would keep the operands of
// that computation, too, and compute the arguments again. Returns the previous values of the temporaries, which the
// caller restores after this block.
std::vector<std::pair<temp_id, llvm_value>> function_emitter::take_arguments_anew(block_id b) {
  std::vector<std::pair<temp_id, llvm_value>> before;
  const auto found = usual_ways_.find(b);
  if (found == usual_ways_.end()) return before;
  const nesting& open = facts_[found->second];
  for (std::size_t i = 0; i < open.spawn.args.size(); ++i) {
    const atom& a = open.spawn.args[i];
    if (a.is_constant()) continue;
    before.emplace_back(a.temporary(), value_of(a));
    values_[a.temporary()] =
        m_.uses_stack_maps() ? load_argument(a, i, open.depth - 1) : m_.hidden(build_, value_of(a));
  }
  std::ranges::reverse(before);  // in reverse order, because a temporary may occur twice
  return before;
}

void function_emitter::join_if(llvm_value promoted, const spoin& t, nesting_id open,
                               const std::function<joined_fork()>& join) {
  const LLVMBasicBlockRef slow = new_block("promoted"), stolen = new_block("stolen"), back = new_block("reclaimed");
  const LLVMBasicBlockRef alone = new_block("unpromoted");
  m_.mark_first_way_rare(LLVMBuildCondBr(build_, promoted, slow, alone));
  continue_in(alone);
  go_to(t.unpromoted, {});
  continue_in(slow);
  const auto [joined, record] = join();
  const llvm_value is_stolen = LLVMBuildICmp(build_, LLVMIntNE, joined, LLVMConstInt(m_.i32(), 0, 0), "");
  LLVMBuildCondBr(build_, is_stolen, stolen, back);
  continue_in(back);
  go_to(t.unstolen.block == none ? t.unpromoted : t.unstolen, {});
  continue_in(stolen);
  std::vector<llvm_value> results;
  const auto& types = m_.code().functions[facts_[open].spawn.callee].results;
  for (std::size_t i = 0; i < types.size(); ++i) {
    results.push_back(LLVMBuildLoad2(build_, m_.type_of(types[i]),
                                     behind(build_, m_.context(), record, tine_abi_payload + 8 * i), ""));
  }
  go_to(t.promoted, results);
}

}  // namespace tine::spork
