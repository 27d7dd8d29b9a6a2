// Calls: of known functions, of generic closures, of operations, and the operation spork.
#include "ml/lower/function_lowering.hpp"

#include <algorithm>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

function_lowering::result function_lowering::apply(const typed::apply& a, const typed::expression& whole,
                                                   bool is_tail) {
  const ground_ref arrow = ground_of(a.function->of);
  if (const auto* p = std::get_if<typed::primitive>(&a.function->is)) {
    const value argument = eval(*a.argument);
    at_ = all_.place_of(whole.where);
    return primitive(p->name, argument, arrow, is_tail);
  }
  if (const auto* f = std::get_if<typed::function>(&a.function->is)) {  // a declaration in another form
    bound_[f->parameter] = limited(eval(*a.argument), arrow->parts[0]);
    return eval(*f->body, is_tail);
  }
  const value f = eval(*a.function), argument = eval(*a.argument);
  at_ = all_.place_of(whole.where);
  return call(f, argument, arrow, is_tail);
}

function_lowering::result function_lowering::call(value f, value argument, ground_ref arrow, bool is_tail) {
  if (f.has->is == shape::kind::closure) return call_closure(f, std::move(argument), arrow, is_tail);
  if (f.has->is == shape::kind::primitive) return primitive(f.has->operation, argument, f.has->of, is_tail);
  return call_generic(f, argument, arrow, is_tail);
}

// Compiles the body of a known function here. So a tail call in it is one of this function.
function_lowering::result function_lowering::call_in_place(const value& f, const value& argument, ground_ref arrow,
                                                           bool is_tail) {
  const shape& s = *f.has;
  const bool is_lambda = s.is == shape::kind::closure && s.group == nullptr;
  if (!is_lambda || std::ranges::find(in_place_, s.code) != in_place_.end()) return call(f, argument, arrow, is_tail);
  const std::vector<name>& captured = all_.names.of(*s.code);
  std::vector<std::pair<name, value>> others;  // the names may mean other values here
  for (const name n : captured) {
    if (bound_.contains(n)) others.emplace_back(n, bound_[n]);
  }
  const arguments_ref types = std::exchange(types_, s.types);
  in_place_.push_back(s.code);
  bind_captures(captured, {all_.forms.tuple(s.parts), f.cells});
  bound_[s.code->parameter] = limited(argument, arrow->parts[0]);
  result v = eval(*s.code->body, is_tail);
  in_place_.pop_back();
  types_ = types;
  for (auto& [n, other] : others) bound_[n] = std::move(other);
  return v;
}

function_lowering::result function_lowering::call_closure(const value& f, value argument, ground_ref arrow,
                                                          bool is_tail) {
  const shape_ref bounded = all_.forms.bounded(argument.has, arrow->parts[0], nullptr);
  argument = convert(argument, all_.affordable(f.has, bounded, arrow->parts[0]), arrow->parts[0]);
  const instance& callee = all_.instance_of(f.has, argument.has);
  std::vector<atom> cells = argument.cells;
  cells.insert(cells.end(), f.cells.begin(), f.cells.end());
  if (is_tail && !handler_ && &callee == self_) {
    leave(spork::jump{to(again_), std::move(cells)});
    return {};
  }
  const block_id then = add_block("returned");
  const value made = temporary_params(then, callee.result);
  end(spork::call{{callee.id, std::move(cells), at_}, to(then), handler()});
  here_ = then;
  return hand_over(made, is_tail);
}

function_lowering::result function_lowering::call_generic(const value& f, const value& argument, ground_ref arrow,
                                                          bool is_tail) {
  const value given = generic(argument, arrow->parts[0]);
  const atom code = load_cell(spork::type::ptr, f.cells[0], atom::number(0));
  std::vector<atom> cells{f.cells[0]};
  cells.insert(cells.end(), given.cells.begin(), given.cells.end());
  const block_id then = add_block("returned");
  const value made = temporary_params(then, all_.forms.of(arrow->parts[1]));
  end(spork::indirect_call{code, std::move(cells), to(then), true, handler()});
  here_ = then;
  return hand_over(made, is_tail);
}

std::vector<atom> function_lowering::call_c(std::string_view name, const std::vector<atom>& arguments,
                                            const std::vector<spork::type>& gives) {
  std::vector<spork::type> takes;
  for (const atom& a : arguments) takes.push_back(f_->type_of(a));
  spork::statement s;
  s.what = spork::operation::call_c;
  s.args = arguments;
  s.callee = all_.c_function(name, takes, gives);
  s.where = at_;
  if (!gives.empty()) s.result = make_.temp("v", gives[0]);
  f_->blocks[here_].statements.push_back(s);
  if (gives.empty()) return {};
  return {atom::of(s.result, at_)};
}

atom function_lowering::call_helper(std::string_view name, const std::vector<atom>& arguments) {
  const spork::function_id callee = all_.helper(name);
  const block_id then = add_block("returned");
  const atom made = make_.add_param(then, "v", all_.out.functions[callee].results[0]);
  end(spork::call{{callee, arguments, at_}, to(then)});
  here_ = then;
  return made;
}

// Returns the function that takes the argument's cells, in the shape of their type, and those of `f`, and the shape of
// its result.
std::pair<spork::function_id, shape_ref> function_lowering::code_of(const value& f, ground_ref arrow) {
  if (f.has->is != shape::kind::closure) return {all_.caller_of(f.has, arrow), all_.forms.of(arrow->parts[1])};
  const instance& i = all_.instance_of(f.has, all_.forms.of(arrow->parts[0]));
  return {i.id, i.result};
}

// --- loops: the encoding of Spork IR, which runs light iterations in chunks ---

void function_lowering::use_place_of(const value& body) {
  if (body.has->is == shape::kind::closure && all_.is_in_basis(at_)) at_ = all_.place_of(body.has->code->body->where);
}

// reduce (first, last, f, combine, zero, otherwise). Where the combining function has captured something, or the values
// contain known functions, the result is otherwise ().
function_lowering::result function_lowering::call_reduce(const value& argument, ground_ref arrow, bool is_tail) {
  const std::vector<ground_ref> types = all_.forms.parts_of(arrow->parts[0]);
  const value f = part(argument, 2), combine = part(argument, 3);
  const bool fits =
      combine.cells.empty() && !all_.forms.shows_functions(types[4]) && !all_.forms.of(types[4])->cells.empty();
  if (!fits) return call_in_place(part(argument, 5), unit(), types[5], is_tail);
  const value zero = generic(part(argument, 4), types[4]);
  use_place_of(f);
  const auto [body_id, body_shape] = code_of(f, types[2]);
  const auto [combine_id, combined_shape] = code_of(combine, types[3]);
  const block_id then = add_block("reduced");
  const value made = temporary_params(then, zero.has);
  end(spork::reduce{
      argument.cells[0], argument.cells[1], zero.cells, {body_id, f.cells, at_}, combine_id, to(then), handler()});
  here_ = then;
  return hand_over(made, is_tail);
}

function_lowering::result function_lowering::call_parfor(const value& argument, ground_ref arrow, bool is_tail) {
  const std::vector<ground_ref> types = all_.forms.parts_of(arrow->parts[0]);
  const value f = part(argument, 2);
  use_place_of(f);
  const auto [body_id, body_shape] = code_of(f, types[2]);
  const block_id then = add_block("done");
  end(spork::parfor{argument.cells[0], argument.cells[1], {body_id, f.cells, at_}, to(then), handler()});
  here_ = then;
  return hand_over(unit(), is_tail);
}

// --- spork (share, body, spwn, unpr, prom, unstolen) ---

function_lowering::result function_lowering::call_spork(const value& argument, ground_ref arrow, bool is_tail) {
  use_place_of(part(argument, 1));
  const atom share = part(argument, 0).cells[0];
  const auto of_index = [](std::int64_t index) { return index == 2 ? spork::sharing::all : spork::sharing::half; };
  if (share.is_constant()) return spork_with(of_index(static_cast<std::int64_t>(share.bits)), argument, arrow, is_tail);
  const block_id all = add_block("share.all"), half = add_block("share.half");
  end(spork::branch{op(spork::operation::equal, {share, atom::number(2)}, spork::type::i64), to(all), to(half)});
  std::vector<std::pair<block_id, value>> ends;
  for (const auto& [begin, kind] : {std::pair{all, spork::sharing::all}, {half, spork::sharing::half}}) {
    here_ = begin;
    const result v = spork_with(kind, argument, arrow, is_tail);
    if (v) ends.emplace_back(here_, *v);
  }
  if (is_tail) return {};
  return join(ends, arrow->parts[1]);
}

// Returns the block that takes an exception of a spork's body to the handler. The exception comes first in the serial
// order: the child is joined, and its result or its own exception is dropped.
block_id function_lowering::leave_spork(shape_ref child) {
  const block_id leaves = add_block("leaves"), alone = add_block("alone"), dropped = add_block("dropped");
  const block_id later = add_block("later");
  const atom exception = make_.add_param(leaves, "e", spork::type::ptr);
  temporary_params(dropped, child);
  make_.add_param(later, "e", spork::type::ptr);
  end(leaves, spork::spoin{to(alone), to(dropped), {}, to(later)});
  for (const block_id b : {alone, dropped, later}) end(b, spork::jump{handler(), {exception}});
  return leaves;
}

// While the spork is open, there is only the call of the body.
function_lowering::result function_lowering::spork_with(spork::sharing share, const value& argument, ground_ref arrow,
                                                        bool is_tail) {
  const std::vector<ground_ref> types = all_.forms.parts_of(arrow->parts[0]);
  const value body = part(argument, 1), spawned = part(argument, 2);
  const auto [body_id, body_shape] = code_of(body, types[1]);
  const auto [child_id, child_shape] = code_of(spawned, types[2]);
  const block_id run = add_block("body"), after = add_block("after");
  end(spork::spork{to(run), {child_id, spawned.cells, at_}, share});
  const value a = temporary_params(after, body_shape);
  end(run,
      spork::call{{body_id, body.cells, at_}, to(after), handler_ ? to(leave_spork(child_shape)) : spork::label{}});
  const block_id unpromoted = add_block("unpromoted"), unstolen = add_block("unstolen"), joined = add_block("joined");
  const value b = temporary_params(joined, child_shape);
  end(after, spork::spoin{to(unpromoted), to(joined), to(unstolen), handler()});
  std::vector<std::pair<block_id, value>> ends;
  const auto finish_by = [&](block_id begin, std::size_t f, const value& given) {
    here_ = begin;
    const result v = call_in_place(part(argument, f), given, types[f], is_tail);
    if (v) ends.emplace_back(here_, *v);
  };
  finish_by(unpromoted, 3, a);
  finish_by(unstolen, 5, a);
  std::vector<atom> both = a.cells;
  both.insert(both.end(), b.cells.begin(), b.cells.end());
  finish_by(joined, 4, {all_.forms.tuple({a.has, b.has}), both});
  if (is_tail) return {};
  return join(ends, arrow->parts[1]);
}

}  // namespace tine::ml::lower
