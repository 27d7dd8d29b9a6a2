// The code of one function while it is made.
//
// `eval` compiles an expression into the current block. If the expression is in tail position, it ends the function
// with the expression's value and returns nothing: a call of the function itself is then a jump to its beginning,
// another call hands its results through.
#pragma once

#include "ir/builder.hpp"
#include "ml/lower/lowering.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tine::ml::lower {

class function_lowering {
 public:
  /// `entry_place`: of the whole function.
  function_lowering(lowering& all, spork::function_id id, spork::place where);
  function_lowering(const function_lowering&) = delete;
  function_lowering& operator=(const function_lowering&) = delete;

  // --- the kinds of functions ---

  /// An instance of a closure. Sets its result, unless that is known.
  void compile(instance& self);
  /// The function that a generic closure contains.
  void compile_entry(shape_ref closure, ground_ref arrow);
  /// A function that calls a function which is no closure.
  void compile_caller(shape_ref callee, ground_ref arrow);
  void compile_equality(ground_ref t);
  void compile_main(const std::vector<typed::declaration_ref>& declarations);

 private:
  using result = std::optional<value>;

  // --- expressions: expressions.cpp ---

  result eval(const typed::expression& e, bool is_tail);
  /// Returns a value of the shape that code behind the expression expects, even if the expression does not return.
  value eval(const typed::expression& e);
  result eval_node(const typed::expression& e, bool is_tail);
  value constant(const typed::constant& c);
  value variable(const typed::use& u);
  value look_up(name n);
  value delayed(const shape& s, const value& v, const typed::use& u);
  value tuple(const std::vector<typed::expression_ref>& parts);
  value list(const typed::list& l, ground_ref t);
  value construct(const typed::construct& c, ground_ref t);
  value make_exception(const typed::make_exception& m);
  value closure(const typed::function& f);
  result let(const typed::let& l, bool is_tail);
  result conditional(const typed::conditional& c, ground_ref t, bool is_tail);
  value loop(const typed::loop& l);
  result handle(const typed::handle& h, ground_ref t, bool is_tail);
  void declare(const typed::declaration& d);
  void declare(const typed::value& d);
  void declare(const typed::recursive& d);
  void declare(const typed::new_exception& d);
  /// Ends the block: goes to `yes` if the expression is true, else to `no`.
  void branch_on(const typed::expression& e, spork::block_id yes, spork::block_id no);
  /// Binds the names that a piece of code captures to the parts of a value.
  void bind_captures(const std::vector<name>& all, const value& v);
  value capture(shape of, const std::vector<name>& all);

  // --- calls: calls.cpp ---

  result apply(const typed::apply& a, const typed::expression& whole, bool is_tail);
  result call(value f, value argument, ground_ref arrow, bool is_tail);
  result call_in_place(const value& f, const value& argument, ground_ref arrow, bool is_tail);
  result call_closure(const value& f, value argument, ground_ref arrow, bool is_tail);
  result call_generic(const value& f, const value& argument, ground_ref arrow, bool is_tail);
  std::pair<spork::function_id, shape_ref> code_of(const value& f, ground_ref arrow);
  /// Gives a loop or a fork of the basis the place of the function that it calls first, which says more of the program.
  void use_place_of(const value& body);
  result call_reduce(const value& argument, ground_ref arrow, bool is_tail);
  result call_parfor(const value& argument, ground_ref arrow, bool is_tail);
  result call_spork(const value& argument, ground_ref arrow, bool is_tail);
  spork::block_id leave_spork(shape_ref child);
  result spork_with(spork::sharing share, const value& argument, ground_ref arrow, bool is_tail);
  std::vector<spork::atom> call_c(std::string_view name, const std::vector<spork::atom>& arguments,
                                  const std::vector<spork::type>& gives);
  spork::atom call_helper(std::string_view name, const std::vector<spork::atom>& arguments);

  // --- primitives: primitives*.cpp ---

  result primitive(std::string_view name, const value& argument, ground_ref arrow, bool is_tail);
  std::optional<value> numeric(std::string_view name, const value& argument, ground_ref operand);
  std::optional<value> real_primitive(std::string_view name, const value& argument);
  std::optional<value> word_primitive(std::string_view name, const value& argument);
  std::optional<value> memory_primitive(std::string_view name, const value& argument, ground_ref arrow);
  std::optional<value> text_primitive(std::string_view name, const value& argument);
  std::optional<value> foreign_primitive(std::string_view name, const value& argument, ground_ref arrow);
  value of_int(std::string_view name, spork::atom a, spork::atom b);
  value of_word(std::string_view name, spork::atom a, spork::atom b, bool has_8_bits);
  value of_real(std::string_view name, spork::atom a, spork::atom b);
  std::optional<value> compare(std::string_view name, const value& argument, ground_ref operand);
  value divide(std::string_view name, spork::atom a, spork::atom b);
  value to_int(spork::atom rounded);
  spork::atom equal(const value& a, const value& b, ground_ref t);
  void compare_parts(const value& a, const value& b, ground_ref t, spork::block_id unequal, ground_ref self);
  void compare_elements(const value& left, const value& right, ground_ref element_type, spork::block_id same,
                        spork::block_id unequal);
  value element(const value& array, spork::atom index, ground_ref of);
  void check_index(spork::atom array, spork::atom index);
  void fill(spork::atom array, spork::atom count, const value& with);

  // --- matches: matches.cpp ---

  struct column {
    value of;
    ground_ref type;
  };
  struct row {
    std::vector<typed::pattern_ref> patterns;
    std::vector<std::pair<const typed::variable*, value>> bound;
    std::size_t rule = 0;
  };
  struct match_state {
    std::vector<std::optional<spork::block_id>> bodies;  // of each rule that is reached
    std::vector<std::vector<std::pair<const typed::variable*, value>>> bound;
    std::optional<spork::block_id> failure;
  };
  result match(const typed::match& m, ground_ref t, bool is_tail);
  result run_rules(const std::vector<typed::rule>& rules, match_state& s, ground_ref t, bool is_tail,
                   std::vector<std::pair<spork::block_id, value>> ends);
  void decide(std::vector<column> columns, std::vector<row> rows, match_state& s);
  void expand(std::vector<column>& columns, std::vector<row>& rows);
  void leaf(row& r, match_state& s);
  void decide_constructor(std::size_t at, std::vector<column> columns, std::vector<row> rows, match_state& s);
  void decide_constant(std::size_t at, std::vector<column> columns, std::vector<row> rows, match_state& s);
  void decide_exception(std::size_t at, std::vector<column> columns, std::vector<row> rows, match_state& s);
  void specialise(std::size_t at, const std::vector<column>& columns, const std::vector<row>& rows,
                  const std::function<const typed::pattern*(const typed::pattern&, bool&)>& inside,
                  const std::function<column()>& argument, match_state& s);
  bool bind(const typed::pattern& p, const value& v, ground_ref t);
  /// Matches a value with one pattern and continues behind it; raises the exception if it does not match.
  void bind_or_raise(const typed::pattern& p, const value& v, ground_ref t, std::string_view exception);

  // --- data: representation.cpp ---

  /// The argument of a constructor, out of a value that it has built.
  value argument_of(const value& built, const constructor& c, ground_ref t);
  spork::atom tag_of(const value& built, ground_ref t);
  value convert(const value& v, shape_ref to, ground_ref t);
  /// The parts of a record, which are loaded if the value is their address; a value of another type as it is.
  value opened(const value& v, ground_ref t);
  /// Converts to the shape to which a variable is bound: a tuple of many cells goes into memory.
  value limited(const value& v, ground_ref t) { return convert(v, all_.forms.limited(v.has, t), t); }
  value generic(const value& v, ground_ref t) { return convert(v, all_.forms.of(t), t); }
  /// Converts as `generic` does, and loads the parts of a record.
  value contents(const value& v, ground_ref t) { return convert(v, all_.forms.opened(t), t); }
  spork::atom make_generic(const value& closure, ground_ref arrow);
  value join(std::vector<std::pair<spork::block_id, value>>& ends, ground_ref t);
  spork::atom block(const std::vector<spork::atom>& cells);
  spork::atom allocate(spork::atom cells, const std::vector<spork::type>& hold);
  value load(shape_ref has, spork::atom from, std::size_t first);
  void store(spork::atom to, std::size_t first, const std::vector<spork::atom>& cells);
  value zeros(shape_ref has);

  // --- code: function_lowering.cpp ---

  spork::atom op(spork::operation what, std::vector<spork::atom> args, spork::type t);
  spork::atom whole(spork::operation what, spork::atom a, spork::atom b) { return op(what, {a, b}, spork::type::i64); }
  spork::atom load_cell(spork::type t, spork::atom from, spork::atom index);
  void effect(spork::operation what, std::vector<spork::atom> args);
  spork::block_id add_block(const char* name) { return make_.add_block(name); }
  template <class Transfer>
  void end(Transfer t) {
    end(here_, std::move(t));
  }
  template <class Transfer>
  void end(spork::block_id b, Transfer t) {
    make_.end(b, std::move(t));
    f_->blocks[b].end.where = at_;
  }
  spork::label to(spork::block_id b) const { return {b, at_}; }
  /// Ends the block, and continues in one that no path leads to.
  template <class Transfer>
  void leave(Transfer t) {
    end(std::move(t));
    here_ = add_block("dead");
  }
  void raise(spork::atom exception);
  void raise(std::string_view basic);
  void raise_if(spork::atom condition, std::string_view basic);
  void return_value(const value& v);
  spork::label handler() const { return handler_ ? to(*handler_) : spork::label{}; }
  result hand_over(value made, bool is_tail);
  void finish(shape_ref result);
  void finish_plain();
  value temporary_params(spork::block_id b, shape_ref has);
  value params(const char* name, shape_ref has);
  shape_ref cell(spork::type t) { return all_.forms.cell(t); }
  value of(spork::atom a) { return {cell(f_->type_of(a)), {a}}; }
  value unit() { return {all_.forms.tuple({}), {}}; }
  value truth(spork::atom a) { return of(a); }
  ground_ref ground_of(type* t) { return all_.types.of(t, types_); }

  // A place where the function returns.
  struct pending {
    spork::block_id block;
    value of;
    spork::place where;
  };

  lowering& all_;
  spork::function_id id_;
  std::unique_ptr<spork::function> f_;
  spork::names_of_function names_;
  spork::builder make_;
  spork::place at_;
  spork::block_id here_ = 0;
  arguments_ref types_;
  std::unordered_map<name, value> bound_;
  std::optional<spork::block_id> handler_;
  std::map<std::pair<spork::block_id, std::string>, spork::block_id> raises_;
  std::vector<pending> pending_;
  const instance* self_ = nullptr;
  spork::block_id again_ = spork::none;  // the block to which a call of the function itself jumps
  ground_ref result_type_ = nullptr;
  std::vector<const typed::function*> in_place_;  // the functions whose bodies are being compiled into this one
  bool is_main_ = false;
};

}  // namespace tine::ml::lower
