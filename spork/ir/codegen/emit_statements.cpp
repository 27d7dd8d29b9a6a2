// Emits functions and statements.
#include "ir/c_functions.hpp"
#include "ir/codegen/emitter.hpp"
#include "ir/diagnostic.hpp"

#include <tine/managed/abi.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace tine::spork {

function_emitter::function_emitter(module_emitter& m, const function& f, llvm_value to)
    : m_{m},
      f_{f},
      to_{to},
      build_{LLVMCreateBuilderInContext(m.context())},
      facts_{f},
      values_(f.temporaries.size()),
      phis_(f.temporaries.size()) {}

void function_emitter::run() {
  // no block may lead to LLVM's entry, so the entry is an additional block in front
  const LLVMBasicBlockRef first = new_block("begin");
  for (const block& b : f_.blocks) blocks_.push_back(new_block(b.name.c_str()));
  continue_in(first);
  described_ = m_.lines().begin(build_, to_, f_);
  find_tail_calls();
  make_variables();
  for (std::size_t i = 0; i < f_.params.size(); ++i)
    values_[f_.params[i]] = LLVMGetParam(to_, static_cast<unsigned>(i));
  begin_again();
  LLVMBuildBr(build_, blocks_[0]);
  for (const block_id b : facts_.order()) {
    continue_in(blocks_[b]);
    for (const temp_id p : f_.blocks[b].params) {
      values_[p] = phis_[p] =
          LLVMBuildPhi(build_, m_.type_of(f_.temporaries[p].of_type), f_.temporaries[p].name.c_str());
    }
  }
  for (const block_id b : facts_.order()) {
    continue_in(blocks_[b]);
    const auto elsewhere = take_arguments_anew(b);
    for (const statement& s : f_.blocks[b].statements) {
      m_.lines().move_to(build_, described_, f_, s);
      statement_of(s);
    }
    m_.lines().move_to(build_, described_, f_, f_.blocks[b].end);
    transfer_of(f_.blocks[b].end, facts_.nesting_of(b));
    for (const auto& [t, v] : elsewhere) values_[t] = v;
  }
  for (const LLVMBasicBlockRef b : blocks_) {  // those that only returned the results of tail calls
    if (LLVMGetFirstUse(LLVMBasicBlockAsValue(b)) == nullptr) LLVMDeleteBasicBlock(b);
  }
}

void function_emitter::make_variables() {
  std::uint32_t deepest = 0;
  for (const block_id b : facts_.order()) {
    const bool forks = std::holds_alternative<spork>(f_.blocks[b].end.what);
    deepest = std::max(deepest, facts_[facts_.nesting_of(b)].depth + (forks ? 1 : 0));
  }
  const bool takes_top = m_.takes_top(static_cast<function_id>(&f_ - m_.code().functions.data()));
  for (std::uint32_t i = 0; i < deepest + takes_top; ++i)
    records_.push_back(LLVMBuildAlloca(build_, m_.ptr(), "record"));
  if (takes_top) LLVMBuildStore(build_, LLVMGetLastParam(to_), records_[0]);
  if (m_.uses_stack_maps()) make_argument_cells();
  make_space_for_results();
  find_usual_ways();
}

llvm_value function_emitter::value_of(const atom& a) const {
  return a.is_constant() ? m_.constant(a) : values_[a.temporary()];
}

std::vector<llvm_value> function_emitter::values_of(const std::vector<atom>& atoms) const {
  std::vector<llvm_value> all;
  for (const atom& a : atoms) all.push_back(value_of(a));
  return all;
}

void function_emitter::statement_of(const statement& s) {
  const llvm_value v = value_of(s);
  if (s.result != none) values_[s.result] = v;
}

llvm_value function_emitter::value_of(const statement& s) {
  using enum operation;
  if (s.what == call_c) return call_c_function(s);
  if (uses_memory(s.what)) return memory(s);
  const llvm_value a = value_of(s.args[0]);
  const type t = f_.type_of(s.args[0]);
  if (s.what == copy) return a;
  if (s.what == negate) return t == type::f64 ? LLVMBuildFNeg(build_, a, "") : LLVMBuildNeg(build_, a, "");
  if (s.what == invert) return truth(LLVMBuildICmp(build_, LLVMIntEQ, a, m_.number(0), ""));
  if (s.what == to_f64) return t == type::f64 ? a : LLVMBuildSIToFP(build_, a, m_.type_of(type::f64), "");
  if (s.what == to_i64) {
    if (t == type::i64) return a;
    return call_intrinsic(m_.intrinsic("llvm.fptosi.sat", {m_.i64(), m_.type_of(type::f64)}), {a});
  }
  if (s.args.size() == 1) return on_one(s.what, a);
  const llvm_value b = value_of(s.args[1]);
  if (s.what == select) {
    const llvm_value chosen = LLVMBuildICmp(build_, LLVMIntNE, a, m_.number(0), "");
    return LLVMBuildSelect(build_, chosen, b, value_of(s.args[2]), "");
  }
  if (facts(s.what).has == effect::traps && t == type::i64) return divide(s.what, a, b, s.where);
  if (s.what >= add_overflows && s.what <= mul_overflows) return overflows(s.what, a, b);
  return infix(s.what, a, b, t);
}

llvm_value function_emitter::call_intrinsic(llvm_value what, std::vector<llvm_value> args) {
  return LLVMBuildCall2(build_, LLVMGlobalGetValueType(what), what, args.data(), static_cast<unsigned>(args.size()),
                        "");
}

llvm_value function_emitter::on_one(operation o, llvm_value a) {
  using enum operation;
  const llvm_type f64 = m_.type_of(type::f64);
  if (o == of_bits) return LLVMBuildBitCast(build_, a, f64, "");
  if (o == bits_of) {  // which bits a NaN has depends on the processor
    const llvm_value is_nan = LLVMBuildFCmp(build_, LLVMRealUNO, a, a, "");
    const llvm_value nan = m_.number(canonical(value::fraction(std::numeric_limits<double>::quiet_NaN())).bits);
    return LLVMBuildSelect(build_, is_nan, nan, LLVMBuildBitCast(build_, a, m_.i64(), ""), "");
  }
  if (o == count_ones) return call_intrinsic(m_.intrinsic("llvm.ctpop", {m_.i64()}), {a});
  const llvm_value zero_is_valid = LLVMConstInt(LLVMInt1TypeInContext(m_.context()), 0, 0);
  if (o == leading_zeros) return call_intrinsic(m_.intrinsic("llvm.ctlz", {m_.i64()}), {a, zero_is_valid});
  if (o == trailing_zeros) return call_intrinsic(m_.intrinsic("llvm.cttz", {m_.i64()}), {a, zero_is_valid});
  static constexpr const char* fractional[] = {"llvm.floor",     "llvm.ceil", "llvm.trunc",
                                               "llvm.roundeven", "llvm.sqrt", "llvm.fabs"};
  return call_intrinsic(m_.intrinsic(fractional[static_cast<int>(o) - static_cast<int>(round_down)], {f64}), {a});
}

llvm_value function_emitter::overflows(operation o, llvm_value a, llvm_value b) {
  using enum operation;
  const char* const name = o == add_overflows   ? "llvm.sadd.with.overflow"
                           : o == sub_overflows ? "llvm.ssub.with.overflow"
                                                : "llvm.smul.with.overflow";
  return truth(LLVMBuildExtractValue(build_, call_intrinsic(m_.intrinsic(name, {m_.i64()}), {a, b}), 1, ""));
}

llvm_value function_emitter::infix(operation o, llvm_value a, llvm_value b, type t) {
  using enum operation;
  if (o >= less && o <= differs) return compare(o, a, b, t);
  if (t == type::ptr) {
    llvm_value index[] = {o == add ? b : LLVMBuildNeg(build_, b, "")};
    return LLVMBuildGEP2(build_, m_.i64(), a, index, 1, "");
  }
  const bool fraction = t == type::f64;
  const auto count = [&] { return LLVMBuildAnd(build_, b, m_.number(63), ""); };
  if (o == add) return fraction ? LLVMBuildFAdd(build_, a, b, "") : LLVMBuildAdd(build_, a, b, "");
  if (o == sub) return fraction ? LLVMBuildFSub(build_, a, b, "") : LLVMBuildSub(build_, a, b, "");
  if (o == mul) return fraction ? LLVMBuildFMul(build_, a, b, "") : LLVMBuildMul(build_, a, b, "");
  if (o == div) return LLVMBuildFDiv(build_, a, b, "");
  if (o == bit_and) return LLVMBuildAnd(build_, a, b, "");
  if (o == bit_or) return LLVMBuildOr(build_, a, b, "");
  if (o == bit_xor) return LLVMBuildXor(build_, a, b, "");
  if (o == shift_left) return LLVMBuildShl(build_, a, count(), "");
  if (o == shift_right_zero) return LLVMBuildLShr(build_, a, count(), "");
  if (o == unsigned_less) return truth(LLVMBuildICmp(build_, LLVMIntULT, a, b, ""));
  if (o == unsigned_at_most) return truth(LLVMBuildICmp(build_, LLVMIntULE, a, b, ""));
  return LLVMBuildAShr(build_, a, count(), "");
}

llvm_value function_emitter::compare(operation o, llvm_value a, llvm_value b, type t) {
  using enum operation;
  const auto at = static_cast<std::size_t>(o) - static_cast<std::size_t>(less);
  static constexpr LLVMIntPredicate whole[] = {LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE, LLVMIntEQ, LLVMIntNE};
  // as in C: every value differs from NaN
  static constexpr LLVMRealPredicate fractional[] = {LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
                                                     LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE};
  if (t == type::f64) return truth(LLVMBuildFCmp(build_, fractional[at], a, b, ""));
  return truth(LLVMBuildICmp(build_, whole[at], a, b, ""));
}

// A division by zero traps. The division of the least number by -1, at which x86 would trap, too, wraps around.
llvm_value function_emitter::divide(operation o, llvm_value a, llvm_value b, place where) {
  const llvm_value by_zero = LLVMBuildICmp(build_, LLVMIntEQ, b, m_.number(0), "");
  const LLVMBasicBlockRef bad = new_block("by_zero"), good = new_block("divide");
  m_.mark_first_way_rare(LLVMBuildCondBr(build_, by_zero, bad, good));
  continue_in(bad);
  llvm_type params[] = {m_.ptr()};
  const llvm_type type = LLVMFunctionType(LLVMVoidTypeInContext(m_.context()), params, 1, 0);
  llvm_value message[] = {
      m_.text(show(where, m_.code().name, m_.code().sources) + ": trap: division by zero; test the divisor before")};
  LLVMBuildCall2(build_, type, m_.bridge("tine_abi_trap", type), message, 1, "");
  LLVMBuildUnreachable(build_);
  continue_in(good);
  if (o == operation::unsigned_div) return LLVMBuildUDiv(build_, a, b, "");
  if (o == operation::unsigned_rem) return LLVMBuildURem(build_, a, b, "");
  const llvm_value is_minus_one = LLVMBuildICmp(build_, LLVMIntEQ, b, m_.number(~std::uint64_t{0}), "");
  const llvm_value safe = LLVMBuildSelect(build_, is_minus_one, m_.number(1), b, "");
  if (o == operation::div) {
    return LLVMBuildSelect(build_, is_minus_one, LLVMBuildNeg(build_, a, ""), LLVMBuildSDiv(build_, a, safe, ""), "");
  }
  return LLVMBuildSRem(build_, a, safe, "");  // x modulo -1 equals x modulo 1
}

llvm_value function_emitter::cell(const atom& base, const atom& index) {
  llvm_value at[] = {value_of(index)};
  return LLVMBuildGEP2(build_, m_.i64(), value_of(base), at, 1, "");
}

llvm_value function_emitter::byte(const atom& base, const atom& index) {
  llvm_value at[] = {value_of(index)};
  return LLVMBuildGEP2(build_, LLVMInt8TypeInContext(m_.context()), value_of(base), at, 1, "");
}

llvm_value function_emitter::memory(const statement& s) {
  const llvm_type i8 = LLVMInt8TypeInContext(m_.context());
  if (s.what >= operation::atomic_load && s.what <= operation::compare_and_swap) return atomic(s);
  if (s.what == operation::load_byte) {
    return LLVMBuildZExt(build_, LLVMBuildLoad2(build_, i8, byte(s.args[0], s.args[1]), ""), m_.i64(), "");
  }
  if (s.what == operation::store_byte) {
    const llvm_value lowest = LLVMBuildTrunc(build_, value_of(s.args[2]), i8, "");
    return LLVMBuildStore(build_, lowest, byte(s.args[0], s.args[1]));
  }
  if (s.what == operation::load) return LLVMBuildLoad2(build_, m_.type_of(s.loaded), cell(s.args[0], s.args[1]), "");
  if (s.what == operation::store) return LLVMBuildStore(build_, value_of(s.args[2]), cell(s.args[0], s.args[1]));
  const bool makes = s.what != operation::free, collects = m_.options().collects;
  if (!makes && collects) return nullptr;
  const char* const allocates = !collects                            ? "tine_abi_alloc"
                                : s.what == operation::alloc_numbers ? "tine_ml_allocate_numbers"
                                                                     : "tine_ml_allocate";
  llvm_type params[] = {makes ? m_.i64() : m_.ptr()};
  const llvm_type type = LLVMFunctionType(makes ? m_.ptr() : LLVMVoidTypeInContext(m_.context()), params, 1, 0);
  llvm_value args[] = {value_of(s.args[0])};
  return LLVMBuildCall2(build_, type, m_.bridge(makes ? allocates : "free", type), args, 1, "");
}

// All atomic operations are sequentially consistent.
llvm_value function_emitter::atomic(const statement& s) {
  constexpr LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
  const auto ordered = [](llvm_value access) {
    LLVMSetOrdering(access, order);
    LLVMSetAlignment(access, 8);
    return access;
  };
  if (s.what == operation::atomic_load)
    return ordered(LLVMBuildLoad2(build_, m_.type_of(s.loaded), cell(s.args[0], s.args[1]), ""));
  if (s.what == operation::atomic_store)
    return ordered(LLVMBuildStore(build_, value_of(s.args[2]), cell(s.args[0], s.args[1])));
  const llvm_value p = value_of(s.args[0]), v = value_of(s.args[1]);
  if (s.what == operation::atomic_add) return LLVMBuildAtomicRMW(build_, LLVMAtomicRMWBinOpAdd, p, v, order, 0);
  const llvm_value both = LLVMBuildAtomicCmpXchg(build_, p, v, value_of(s.args[2]), order, order, 0);
  return LLVMBuildExtractValue(build_, both, 0, "");
}

// A function of C that is an operation of LLVM becomes one: LLVM then needs no call, and vectorises it. Only functions
// with exact results do, because the result of an iteration must not depend on whether it is in a vector.
llvm_value function_emitter::call_c_function(const statement& s) {
  std::vector<llvm_value> args = values_of(s.args);
  const c_function* const known = find_c_function(m_.code().functions[s.callee]);
  if (known != nullptr && known->intrinsic != nullptr)
    return call_intrinsic(m_.intrinsic(known->intrinsic, {m_.type_of(type::f64)}), std::move(args));
  const llvm_value callee = m_.function_of(s.callee);
  return LLVMBuildCall2(build_, LLVMGlobalGetValueType(callee), callee, args.data(), static_cast<unsigned>(args.size()),
                        "");
}

}  // namespace tine::spork
