// Makes the statements, the transfers and the end of a function, and its parameters for each kind of function.
#include "ml/lower/function_lowering.hpp"

#include "ml/lower/exceptions.hpp"

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

function_lowering::function_lowering(lowering& all, spork::function_id id, spork::place where)
    : all_{all},
      id_{id},
      f_{std::make_unique<spork::function>(std::move(all.out.functions[id]))},
      make_{*f_, where, &names_},
      at_{where},
      types_{all.types.none()} {
  f_->where = where;
  here_ = add_block("entry");
}

// --- statements and transfers ---

atom function_lowering::op(spork::operation what, std::vector<atom> args, spork::type t) {
  const atom made = make_.let(here_, "v", t, what, std::move(args));
  spork::statement& s = f_->blocks[here_].statements.back();
  s.where = at_;
  if (what == spork::operation::load) s.loaded = t;
  return made;
}

atom function_lowering::load_cell(spork::type t, atom from, atom index) {
  return op(spork::operation::load, {from, index}, t);
}

void function_lowering::effect(spork::operation what, std::vector<atom> args) {
  spork::statement s;
  s.what = what;
  s.args = std::move(args);
  s.where = at_;
  f_->blocks[here_].statements.push_back(std::move(s));
}

void function_lowering::raise(atom exception) {
  if (handler_) return leave(spork::jump{to(*handler_), {exception}});
  leave(spork::raise{exception});
}

void function_lowering::raise(std::string_view basic) {
  raise(all_.constant_block({all_.identity_of(all_.basic_exception(basic))}));
}

// Each function has one block for each basic exception and each handler.
void function_lowering::raise_if(atom condition, std::string_view basic) {
  const auto [raised, is_new] = raises_.try_emplace({handler_.value_or(spork::none), std::string(basic)}, 0);
  const block_id ok = add_block("ok");
  if (is_new) {
    raised->second = add_block("fails");
    const block_id from = std::exchange(here_, raised->second);
    raise(basic);
    here_ = from;
  }
  end(spork::branch{condition, to(raised->second), to(ok)});
  here_ = ok;
}

void function_lowering::return_value(const value& v) {
  pending_.push_back({here_, v, at_});
  here_ = add_block("dead");
}

// Returns the value of a call, or ends the function with it.
function_lowering::result function_lowering::hand_over(value made, bool is_tail) {
  if (!is_tail) return made;
  return_value(made);
  return {};
}

value function_lowering::temporary_params(block_id b, shape_ref has) {
  return {has, make_.add_params(b, "p", has->cells)};
}

value function_lowering::params(const char* name, shape_ref has) {
  value v{has, {}};
  for (const spork::type t : has->cells) v.cells.push_back(make_.param(name, t));
  return v;
}

// --- the end of a function ---

// Writes what the function returns, when the shape of its result is known.
void function_lowering::finish(shape_ref result) {
  f_->raises = true;
  f_->results = result->cells;
  for (const pending& p : pending_) {
    here_ = p.block;
    at_ = p.where;
    end(spork::give_back{convert(p.of, result, result_type_).cells});
  }
  finish_plain();
}

void function_lowering::finish_plain() {
  remove_unreachable_blocks(*f_);
  all_.out.functions[id_] = std::move(*f_);
}

// --- the kinds of functions ---

void function_lowering::compile(instance& self) {
  const shape& s = *self.closure;
  self_ = &self;
  types_ = s.types;
  value argument = params(s.code->parameter->name.empty() ? "x" : "a", self.argument);
  value captured = params("c", all_.forms.tuple(s.parts));
  again_ = add_block("again");
  std::vector<spork::type> cells = self.argument->cells;
  std::vector<atom> first = argument.cells;
  cells.insert(cells.end(), captured.has->cells.begin(), captured.has->cells.end());
  first.insert(first.end(), captured.cells.begin(), captured.cells.end());
  end(spork::jump{to(again_), first});
  here_ = again_;
  argument = temporary_params(again_, argument.has);
  captured = temporary_params(again_, captured.has);
  bind_captures(s.group != nullptr ? all_.names.of(*s.group) : all_.names.of(*s.code), captured);
  if (s.group != nullptr) {
    for (const typed::recursive_function& each : s.group->functions) {
      shape other = s;
      other.code = &std::get<typed::function>(each.is->is);
      bound_[each.name] = {
          all_.forms.intern(
              {.is = shape::kind::closure, .parts = s.parts, .code = other.code, .group = s.group, .types = s.types}),
          captured.cells};
    }
  }
  bound_[s.code->parameter] = argument;
  result_type_ = ground_of(s.code->body->of);
  eval(*s.code->body, true);
  if (self.result == nullptr) {
    shape_ref joined = all_.forms.never();
    for (const pending& p : pending_) joined = all_.forms.join(joined, p.of.has, result_type_);
    if (self.result == nullptr)
      self.result = joined->is == shape::kind::never ? all_.forms.of(result_type_)
                                                     : all_.forms.bounded(joined, result_type_, nullptr);
  }
  finish(self.result);
}

void function_lowering::compile_entry(shape_ref closure, ground_ref arrow) {
  const value object = params("closure", cell(spork::type::ptr));
  const value argument = params("a", all_.forms.of(arrow->parts[0]));
  result_type_ = arrow->parts[1];
  call(load(closure, object.cells[0], 1), argument, arrow, true);
  finish(all_.forms.of(result_type_));
}

void function_lowering::compile_caller(shape_ref callee, ground_ref arrow) {
  const value argument = params("a", all_.forms.of(arrow->parts[0])), f = params("f", callee);
  result_type_ = arrow->parts[1];
  call(f, argument, arrow, true);
  finish(all_.forms.of(result_type_));
}

void function_lowering::compile_main(const std::vector<typed::declaration_ref>& declarations) {
  is_main_ = true;
  const block_id uncaught = add_block("uncaught");
  handler_ = uncaught;
  const atom exception = make_.add_param(uncaught, "e", spork::type::ptr);
  for (const typed::declaration_ref d : declarations) declare(*d);
  end(spork::give_back{});
  here_ = uncaught;
  handler_.reset();
  // exnMessage of the basis raises nothing.
  const value message = look_up(&all_.basis_function("exnMessage"));
  const instance& callee = all_.instance_of(message.has, cell(spork::type::ptr));
  const block_id then = add_block("returned"), failed = add_block("failed");
  make_.add_param(failed, "e", spork::type::ptr);
  end(failed, spork::give_back{});
  const value text = temporary_params(then, callee.result);
  end(spork::call{{callee.id, {exception}, at_}, to(then), to(failed)});
  here_ = then;
  call_c("tine_ml_uncaught", {text.cells[0]}, {});
  end(spork::give_back{});
  finish_plain();
}

}  // namespace tine::ml::lower
