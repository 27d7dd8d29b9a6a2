// Expressions and declarations.
#include "ml/lower/function_lowering.hpp"

#include <bit>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

function_lowering::result function_lowering::eval(const typed::expression& e, bool is_tail) {
  const spork::place before = std::exchange(at_, all_.place_of(e.where));
  result made = eval_node(e, is_tail);
  if (made && is_tail) return_value(*made), made.reset();
  at_ = before;
  return made;
}

value function_lowering::eval(const typed::expression& e) {
  value v = *eval(e, false);
  return v.has->is == shape::kind::never ? zeros(all_.forms.of(ground_of(e.of))) : v;
}

function_lowering::result function_lowering::eval_node(const typed::expression& e, bool is_tail) {
  const ground_ref t = ground_of(e.of);
  struct visitor {
    function_lowering& in;
    const typed::expression& e;
    ground_ref t;
    bool is_tail;
    result operator()(const typed::constant& c) { return in.constant(c); }
    result operator()(const typed::use& u) { return in.variable(u); }
    result operator()(const typed::primitive& p) {
      return value{in.all_.forms.intern({.is = shape::kind::primitive, .operation = p.name, .of = t}), {}};
    }
    result operator()(const typed::construct& c) { return in.construct(c, t); }
    result operator()(const typed::make_exception& m) { return in.make_exception(m); }
    result operator()(const typed::tuple& p) { return in.tuple(p.parts); }
    result operator()(const typed::list& l) { return in.list(l, t); }
    result operator()(const typed::select& s) {
      return part(in.opened(in.eval(*s.of), in.ground_of(s.of->of)), s.index);
    }
    result operator()(const typed::apply& a) { return in.apply(a, e, is_tail); }
    result operator()(const typed::function& f) { return in.closure(f); }
    result operator()(const typed::let& l) { return in.let(l, is_tail); }
    result operator()(const typed::sequence& s) {
      for (std::size_t i = 0; i + 1 < s.steps.size(); ++i) in.eval(*s.steps[i]);
      return in.eval(*s.steps.back(), is_tail);
    }
    result operator()(const typed::conditional& c) { return in.conditional(c, t, is_tail); }
    result operator()(const typed::loop& l) { return in.loop(l); }
    result operator()(const typed::match& m) { return in.match(m, t, is_tail); }
    result operator()(const typed::raise& r) {
      in.raise(in.eval(*r.of).cells[0]);
      return value{in.all_.forms.never(), {}};
    }
    result operator()(const typed::handle& h) { return in.handle(h, t, is_tail); }
  };
  return std::visit(visitor{*this, e, t, is_tail}, e.is);
}

value function_lowering::constant(const typed::constant& c) {
  const literal& l = c.value;
  if (l.is == literal::kind::string) return of(all_.text(l.bytes));
  if (l.is == literal::kind::real)
    return of(atom::constant(spork::type::f64, std::bit_cast<std::uint64_t>(l.fraction)));
  return of(atom::constant(spork::type::i64, l.is_negative ? 0 - l.whole : l.whole));
}

value function_lowering::look_up(name n) {
  const auto found = bound_.find(n);
  if (found != bound_.end()) return found->second;
  const lowering::global* g = all_.find_global(n);
  if (g == nullptr) return zeros(cell(spork::type::ptr));  // an exception of the top level: see make_exception
  if (g->has->cells.empty()) return {g->has, {}};
  if (!g->constant.empty()) return {g->has, g->constant};
  return load(g->has, all_.globals_address(), g->first);
}

value function_lowering::variable(const typed::use& u) {
  const value found = look_up(u.of);
  const shape& s = *found.has;
  if (s.is == shape::kind::delayed) return delayed(s, found, u);
  if (s.is != shape::kind::family) return found;
  shape one = s;
  one.is = shape::kind::closure;
  one.types = all_.types.extend(s.types, s.group->parameters, u.arguments, types_);
  one.cells.clear();
  one.nodes = 1;
  return {all_.forms.intern(std::move(one)), found.cells};
}

// A variable of a polymorphic declaration stands for its expression, which has no effect.
value function_lowering::delayed(const shape& s, const value& v, const typed::use& u) {
  const arguments_ref types = all_.types.extend(s.types, s.declaration->parameters, u.arguments, types_);
  const arguments_ref before = std::exchange(types_, types);
  bind_captures(all_.names.of(*s.declaration), v);
  std::vector<std::pair<name, value>> others;  // the variables stay what they are for other types
  for (const typed::variable* each : variables_of(*s.declaration->to)) {
    if (bound_.contains(each)) others.emplace_back(each, bound_[each]);
  }
  bind_or_raise(*s.declaration->to, eval(*s.declaration->from), ground_of(s.declaration->from->of), "Bind");
  const value found = bound_.at(s.variable);
  for (const typed::variable* each : variables_of(*s.declaration->to)) bound_.erase(each);
  for (auto& [n, other] : others) bound_[n] = std::move(other);
  types_ = before;
  return found;
}

value function_lowering::tuple(const std::vector<typed::expression_ref>& parts) {
  std::vector<shape_ref> shapes;
  std::vector<atom> cells;
  for (const typed::expression_ref e : parts) {
    const value v = eval(*e);
    shapes.push_back(v.has);
    cells.insert(cells.end(), v.cells.begin(), v.cells.end());
  }
  return {all_.forms.tuple(std::move(shapes)), std::move(cells)};
}

void function_lowering::bind_captures(const std::vector<name>& all, const value& v) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const shape_ref has = v.has->parts[i];
    const auto begin = v.cells.begin() + static_cast<std::ptrdiff_t>(first);
    first += has->cells.size();
    bound_[all[i]] = {has, {begin, v.cells.begin() + static_cast<std::ptrdiff_t>(first)}};
  }
}

// Returns the value of a closure, a family or a delayed variable: what it captures.
value function_lowering::capture(shape s, const std::vector<name>& all) {
  std::vector<atom> cells;
  for (const name n : all) {
    value v = look_up(n);
    if (v.has->is == shape::kind::tuple || v.has->is == shape::kind::closure || v.has->is == shape::kind::primitive) {
      const ground_ref t = ground_of(static_cast<const typed::variable*>(n)->is.body);
      v = convert(v, all_.forms.bounded(v.has, t, s.code), t);
    }
    s.parts.push_back(v.has);
    cells.insert(cells.end(), v.cells.begin(), v.cells.end());
  }
  s.types = types_;
  return {all_.forms.intern(std::move(s)), std::move(cells)};
}

value function_lowering::closure(const typed::function& f) {
  return capture({.is = shape::kind::closure, .code = &f}, all_.names.of(f));
}

function_lowering::result function_lowering::let(const typed::let& l, bool is_tail) {
  for (const typed::declaration_ref d : l.declarations) declare(*d);
  return eval(*l.body, is_tail);
}

void function_lowering::branch_on(const typed::expression& e, block_id yes, block_id no) {
  if (const auto* c = std::get_if<typed::conditional>(&e.is)) {
    const block_id if_yes = add_block("yes"), if_no = add_block("no");
    branch_on(*c->condition, if_yes, if_no);
    here_ = if_yes;
    branch_on(*c->yes, yes, no);
    here_ = if_no;
    return branch_on(*c->no, yes, no);
  }
  if (const auto* c = std::get_if<typed::construct>(&e.is))
    return end(spork::jump{to(c->by->index != 0 ? yes : no), {}});
  end(spork::branch{eval(e).cells[0], to(yes), to(no)});
}

function_lowering::result function_lowering::conditional(const typed::conditional& c, ground_ref t, bool is_tail) {
  const block_id yes = add_block("yes"), no = add_block("no");
  branch_on(*c.condition, yes, no);
  std::vector<std::pair<block_id, value>> ends;
  for (const auto& [begin, branch] : {std::pair{yes, c.yes}, {no, c.no}}) {
    here_ = begin;
    const result v = eval(*branch, is_tail);
    if (v) ends.emplace_back(here_, *v);
  }
  if (is_tail) return {};
  return join(ends, t);
}

value function_lowering::loop(const typed::loop& l) {
  const block_id head = add_block("while"), body = add_block("do"), done = add_block("done");
  end(spork::jump{to(head), {}});
  here_ = head;
  branch_on(*l.condition, body, done);
  here_ = body;
  eval(*l.body);
  end(spork::jump{to(head), {}});
  here_ = done;
  return unit();
}

function_lowering::result function_lowering::handle(const typed::handle& h, ground_ref t, bool is_tail) {
  const block_id handler = add_block("handle");
  const atom exception = make_.add_param(handler, "e", spork::type::ptr);
  const std::optional<block_id> outer = std::exchange(handler_, handler);
  std::vector<std::pair<block_id, value>> ends;
  const value v = *eval(*h.of, false);
  handler_ = outer;
  if (is_tail) {
    return_value(v);
  } else {
    ends.emplace_back(here_, v);
  }
  here_ = handler;
  match_state s;
  s.bodies.resize(h.rules.size());
  s.bound.resize(h.rules.size());
  std::vector<row> rows;
  for (std::size_t i = 0; i < h.rules.size(); ++i) rows.push_back({{h.rules[i].when}, {}, i});
  decide({{of(exception), ground_of(all_.source.types.exception)}}, std::move(rows), s);
  if (s.failure) {
    here_ = *s.failure;
    raise(exception);
  }
  return run_rules(h.rules, s, t, is_tail, std::move(ends));
}

// --- declarations ---

void function_lowering::declare(const typed::declaration& d) {
  const spork::place before = std::exchange(at_, all_.place_of(d.where));
  if (const auto* v = std::get_if<typed::value>(&d.is)) declare(*v);
  if (const auto* r = std::get_if<typed::recursive>(&d.is)) declare(*r);
  if (const auto* e = std::get_if<typed::new_exception>(&d.is)) declare(*e);
  at_ = before;
}

void function_lowering::declare(const typed::value& d) {
  std::vector<const typed::variable*> all = variables_of(*d.to);
  if (!d.parameters.empty()) {
    if (d.can_fail) bind_or_raise(*d.to, eval(*d.from), ground_of(d.from->of), "Bind");
    for (const typed::variable* v : all)
      bound_[v] = capture({.is = shape::kind::delayed, .declaration = &d, .variable = v}, all_.names.of(d));
  } else {
    bind_or_raise(*d.to, eval(*d.from), ground_of(d.from->of), "Bind");
  }
  if (!is_main_) return;
  for (const typed::variable* v : all) {
    if (!all_.names.is_of_top_level(v)) continue;
    const value& bound = bound_.at(v);
    const std::size_t first = all_.reserve_globals(bound.has->cells);
    all_.add_global(v, bound, first);
    if (!bound.cells.empty() && all_.find_global(v)->constant.empty())
      store(all_.globals_address(), first, bound.cells);
  }
}

void function_lowering::declare(const typed::recursive& d) {
  for (const typed::recursive_function& f : d.functions) {
    const shape::kind is = d.parameters.empty() ? shape::kind::closure : shape::kind::family;
    const value v = capture({.is = is, .code = &std::get<typed::function>(f.is->is), .group = &d}, all_.names.of(d));
    bound_[f.name] = v;
    if (is_main_ && all_.names.is_of_top_level(f.name)) all_.add_global(f.name, v, 0);
  }
}

// A local exception is another one each time: its identity is a new object.
void function_lowering::declare(const typed::new_exception& d) {
  if (all_.names.is_of_top_level(d.made)) return;
  bound_[d.made] =
      of(block({all_.text(d.made->name), op(spork::operation::copy, {atom::number(0)}, spork::type::i64)}));
}

}  // namespace tine::ml::lower
