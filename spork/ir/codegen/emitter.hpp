// Inner header of the code generator: the emitters of modules and of functions.
#pragma once

#include "ir/attributes.hpp"
#include "ir/codegen/emit.hpp"
#include "ir/codegen/line_table.hpp"
#include "ir/codegen/tail_calls.hpp"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace tine::spork {

using llvm_value = LLVMValueRef;
using llvm_type = LLVMTypeRef;

struct slow_path {
  llvm_value function;
  llvm_type type;
};

/// Emits a module, and holds what its functions share: types, functions, the bridge to the runtime.
class module_emitter {
 public:
  module_emitter(const program& p, LLVMContextRef context, const emit_options& o);

  LLVMModuleRef run();

  const program& code() const { return p_; }
  line_table& lines() { return lines_; }
  LLVMContextRef context() const { return context_; }
  llvm_type type_of(type t) const;
  llvm_type i64() const { return i64_; }
  llvm_type i32() const { return i32_; }
  llvm_type ptr() const { return ptr_; }
  llvm_type nothing() const { return void_; }
  llvm_value number(std::uint64_t n) const { return LLVMConstInt(i64_, n, 0); }

  /// Returns the types of a function's results as one type: void, the type of the only result, or a struct.
  llvm_type result_type(const std::vector<type>& results) const;
  /// Returns the type of a function of the program that takes and gives these types.
  llvm_type function_type(const std::vector<type>& params, const std::vector<type>& results, bool takes_top) const;
  /// Returns true if a function writes its results into cells, to which the parameter after its own points. With stack
  /// maps it does so if the results may not fit into registers: LLVM 19 cannot lower such a call that has a deopt
  /// bundle.
  bool gives_in_memory(const std::vector<type>& results) const { return uses_stack_maps() && results.size() > 2; }
  llvm_value cell(LLVMBuilderRef build, llvm_value cells, std::size_t i) const;
  llvm_value function_of(function_id f) const { return functions_[f]; }
  /// Calls a function of the program, without a bundle.
  llvm_value call_function(LLVMBuilderRef build, llvm_type type, llvm_value callee, std::vector<llvm_value> args) const;
  const tail_calls& tails() const { return tails_; }
  /// Returns the value of a constant of the program.
  llvm_value constant(const atom& a) const;
  /// Returns the constant that describes a spork, with the function that a thief runs.
  llvm_value kind_of(const invocation& spawn, sharing tokens);
  /// Returns a function of the bridge.
  llvm_value bridge(const char* name, llvm_type type) const;
  llvm_value intrinsic(const char* name, std::vector<llvm_type> overloaded);
  // emit_hot.cpp
  llvm_value load_top(LLVMBuilderRef build) const;
  struct pushed {
    llvm_value end;         ///< the new top
    llvm_value is_reached;  ///< true if the fork has to take its slow path
  };
  /// Emits `push` of the fork protocol (tine/detail/sched/fork_protocol.hpp) for a record of that many bytes.
  pushed push_record(LLVMBuilderRef build, llvm_value record, std::size_t bytes) const;
  /// Emits `pop` of the fork protocol, and returns its result.
  llvm_value pop_record(LLVMBuilderRef build, llvm_value record) const;
  /// Emits the test of a fork that writes no record: a work request is pending, or the strand is instrumented.
  llvm_value is_limit_reached(LLVMBuilderRef build) const;
  /// Returns the value of `v`, but LLVM does not know how it was computed.
  llvm_value hidden(LLVMBuilderRef build, llvm_value v) const;

  /// Returns a function of this module that calls a function of the bridge and preserves its caller's registers. It has
  /// one parameter, a pointer; the bridge's function may have a second, the address of the first function's return
  /// address on the stack.
  slow_path slow_path_of(const char* name, llvm_type result, bool wants_return_address = false);
  llvm_value call_slow_path(LLVMBuilderRef build, const char* name, llvm_type result, llvm_value record,
                            bool wants_return_address = false);
  /// Gives the call of a `slow_path_of` its calling convention, and returns the call.
  static llvm_value keeping_registers(llvm_value call);
  /// Tells LLVM that `branch`'s first way is hardly ever taken.
  void mark_first_way_rare(llvm_value branch) const;
  llvm_value text(const std::string& t);
  llvm_value place_of_return_address(LLVMBuilderRef build);
  static std::size_t record_bytes(const program& p, const invocation& spawn);

  bool uses_stack_maps() const { return options_.promotes == promotion_by::stack_map; }
  /// Returns true if the last parameter of `f` is the top, where its first record goes.
  bool takes_top(function_id f) const { return forks_[f] && !uses_stack_maps(); }
  // emit_frames.cpp
  /// Returns the number of a kind, for stack maps.
  llvm_value number_of_kind(const invocation& spawn, sharing tokens);
  /// Returns the variable that describes this module's stack maps to the runtime.
  llvm_value frames();
  /// Returns true if a call of `f` may lead to a poll, which walks over the frames below it.
  bool may_poll(function_id f) const { return forks_[f] && uses_stack_maps(); }
  /// Returns true if an indirect call may fork. All functions with an address then have the form of one that does.
  bool indirect_calls_fork() const { return indirect_calls_fork_; }
  /// Emits a call that may lead to a poll; `groups` describes the open sporks.
  llvm_value call_with_bundle(LLVMBuilderRef build, llvm_type type, llvm_value callee, std::vector<llvm_value> args,
                              std::vector<llvm_value> groups) const;

  const emit_options& options() const { return options_; }

 private:
  void find_forks();
  /// With stack maps, puts a function's code into the module's own section, and gives its frame a fixed size.
  void prepare_frame_of(llvm_value f) const;
  std::string section() const;
  void open_frames(LLVMBuilderRef build);
  void complete_frames();
  /// Emits a call of a function of the program by other code, and writes its results into cells.
  void call_from_outside(LLVMBuilderRef build, function_id callee, std::vector<llvm_value> args,
                         llvm_value cells) const;
  void declare(const function& f);
  void keep_results();
  void add_data();
  llvm_value make_runner(function_id callee);
  void make_entry();
  void put_nothing_before(llvm_value f) const;
  void add_unwind_table(llvm_value f);
  void make_export(function_id callee);
  void make_main(llvm_value entry);
  void add_roots(LLVMBuilderRef build);
  std::string hot_word(int offset) const;
  std::string hot_base(const std::string& reg) const;
  std::string hot_operand(const std::string& reg, int offset) const;
  llvm_value load_hot(LLVMBuilderRef build, int offset, llvm_value stored = nullptr) const;
  llvm_value hot_instruction(LLVMBuilderRef build, llvm_type result, std::string code, std::string constraints,
                             std::vector<llvm_value> args) const;
  llvm_value hot_flag(LLVMBuilderRef build, std::string code, const std::string& constraints,
                      std::vector<llvm_value> args) const;
  llvm_value is_below_hot(LLVMBuilderRef build, llvm_value at, int offset) const;
  void finish_stores(LLVMBuilderRef build) const;

  const program& p_;
  LLVMContextRef context_;
  const emit_options& options_;
  const tail_calls tails_{p_, options_.promotes == promotion_by::record};
  LLVMModuleRef module_;
  line_table lines_;
  llvm_type i64_, i32_, i8_, f64_, ptr_, void_;
  std::vector<llvm_value> functions_, data_;
  std::map<function_id, llvm_value> runners_;
  std::map<std::pair<function_id, sharing>, llvm_value> kinds_;
  std::vector<bool> forks_;  // functions that fork, or call one that does
  bool indirect_calls_fork_ = false;
  std::vector<llvm_value> numbered_kinds_;
  llvm_value frames_ = nullptr;
};

/// Emits one function.
class function_emitter {
 public:
  function_emitter(module_emitter& m, const function& f, llvm_value to);
  ~function_emitter() { LLVMDisposeBuilder(build_); }
  function_emitter(const function_emitter&) = delete;
  function_emitter& operator=(const function_emitter&) = delete;

  void run();

 private:
  // emit_statements.cpp
  void statement_of(const statement& s);
  llvm_value value_of(const statement& s);
  llvm_value infix(operation o, llvm_value a, llvm_value b, type t);
  llvm_value compare(operation o, llvm_value a, llvm_value b, type t);
  llvm_value on_one(operation o, llvm_value a);
  llvm_value overflows(operation o, llvm_value a, llvm_value b);
  llvm_value call_intrinsic(llvm_value what, std::vector<llvm_value> args);
  llvm_value divide(operation o, llvm_value a, llvm_value b, place where);
  llvm_value memory(const statement& s);
  llvm_value atomic(const statement& s);
  llvm_value call_c_function(const statement& s);
  llvm_value cell(const atom& base, const atom& index);
  llvm_value byte(const atom& base, const atom& index);
  llvm_value truth(llvm_value i1) { return LLVMBuildZExt(build_, i1, m_.i64(), ""); }

  // emit_transfers.cpp
  void transfer_of(const transfer& t, nesting_id open);
  void emit(const jump& t, nesting_id open);
  void emit(const branch& t, nesting_id open);
  void emit(const switch_on& t, nesting_id open);
  void emit(const call& t, nesting_id open);
  void emit(const indirect_call& t, nesting_id open);
  void emit(const give_back& t, nesting_id open);
  void emit(const spork& t, nesting_id open);
  void emit(const spoin& t, nesting_id open);
  void emit(const auto&, nesting_id) {}
  llvm_value call_of(const invocation& i, nesting_id open);
  void find_tail_calls();
  bool is_self(const call* c) const;
  void begin_again();
  void jump_to_beginning(const std::vector<llvm_value>& args);
  llvm_value top_at(nesting_id open);
  /// Goes to a block, and gives it the results of a call.
  void go_to_with_results(const label& l, llvm_value made, const std::vector<type>& types);
  void make_space_for_results();
  void make_variables();
  void find_usual_ways();
  std::vector<std::pair<temp_id, llvm_value>> take_arguments_anew(block_id b);
  /// The results of a join's slow path: a number, which is 0 if the branch has not run; and the record with the
  /// results.
  struct joined_fork {
    llvm_value how, record;
  };
  /// Ends a spoin: goes to the slow path that `join` emits if `promoted`, and then to the block that its result
  /// selects.
  void join_if(llvm_value promoted, const spoin& t, nesting_id open, const std::function<joined_fork()>& join);
  /// Goes to a block, and gives its parameters these values.
  void go_to(const label& l, const std::vector<llvm_value>& given);

  // emit_frames.cpp
  void open_in_frame(const spork& t, nesting_id open);
  void close_in_frame(const spoin& t, nesting_id open);
  bool needs_bundle(function_id callee, nesting_id open) const;
  llvm_value call_in_frame(function_id callee, std::vector<llvm_value> args, nesting_id open);
  std::vector<llvm_value> groups_of(nesting_id open);
  void add_group(std::vector<llvm_value>& groups, const invocation& spawn, sharing tokens, std::uint32_t depth);
  void make_argument_cells();
  void store_arguments(const spork& t, std::uint32_t depth);
  llvm_value load_argument(const atom& a, std::size_t number, std::uint32_t depth);

  llvm_value value_of(const atom& a) const;
  std::vector<llvm_value> values_of(const std::vector<atom>& atoms) const;
  LLVMBasicBlockRef new_block(const char* name) { return LLVMAppendBasicBlockInContext(m_.context(), to_, name); }
  void continue_in(LLVMBasicBlockRef b) { LLVMPositionBuilderAtEnd(build_, b); }

  module_emitter& m_;
  const function& f_;
  llvm_value to_;
  bool promises_tail_calls_ = false, calls_itself_ = false;  // in tail position
  LLVMBasicBlockRef again_ = nullptr;                        // where a call of itself begins
  LLVMBuilderRef build_;
  line_table::subprogram described_;
  attributes facts_;
  std::vector<llvm_value> values_;  // of the temporaries
  std::vector<llvm_value>
      phis_;  // of the parameters of blocks, even where values_ holds another value for the block that is emitted
  std::vector<LLVMBasicBlockRef> blocks_;
  // By depth of nesting: a variable with the top at that depth, which is the address of a spork's record; with stack
  // maps, the slot.
  std::vector<llvm_value> records_;
  llvm_value results_ = nullptr;                         // cells for results that a callee returns in memory
  std::vector<std::vector<llvm_value>> argument_cells_;  // by depth: the cells of the arguments of an open spork
  std::map<block_id, nesting_id> usual_ways_;            // unpromoted ways; each runs the newest spork of this nesting
};

}  // namespace tine::spork
