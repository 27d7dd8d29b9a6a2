// Values in memory: blocks, the representations of datatypes, and conversions between the shapes of a type.
#include "ml/lower/function_lowering.hpp"

#include <algorithm>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

namespace {

spork::atom zero_of(spork::type t) { return atom::constant(t, 0); }

}  // namespace

value function_lowering::zeros(shape_ref has) {
  value v{has, {}};
  for (const spork::type t : has->cells) v.cells.push_back(zero_of(t));
  return v;
}

atom function_lowering::allocate(atom cells, const std::vector<spork::type>& hold) {
  const bool has_addresses = std::ranges::find(hold, spork::type::ptr) != hold.end();
  return op(has_addresses ? spork::operation::alloc : spork::operation::alloc_numbers, {cells}, spork::type::ptr);
}

void function_lowering::store(atom to, std::size_t first, const std::vector<atom>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    effect(spork::operation::store, {to, atom::number(static_cast<std::int64_t>(first + i)), cells[i]});
}

value function_lowering::load(shape_ref has, atom from, std::size_t first) {
  value v{has, {}};
  for (const spork::type t : has->cells)
    v.cells.push_back(load_cell(t, from, atom::number(static_cast<std::int64_t>(first + v.cells.size()))));
  return v;
}

// A block of constants is data of the program.
atom function_lowering::block(const std::vector<atom>& cells) {
  if (std::ranges::all_of(cells, [](const atom& a) { return a.is_constant(); })) return all_.constant_block(cells);
  std::vector<spork::type> hold;
  for (const atom& a : cells) hold.push_back(f_->type_of(a));
  const atom made = allocate(atom::number(static_cast<std::int64_t>(cells.size())), hold);
  store(made, 0, cells);
  return made;
}

value function_lowering::construct(const typed::construct& c, ground_ref t) {
  const constructor& by = *c.by;
  const bool is_reference = t->head == all_.source.types.reference;
  if (is_reference) {
    const value content = generic(eval(*c.argument), all_.types.argument(by, t));
    const atom made = allocate(atom::number(std::max<std::int64_t>(1, static_cast<std::int64_t>(content.cells.size()))),
                               content.has->cells);
    store(made, 0, content.cells);
    return of(made);
  }
  const layout l = all_.forms.layout_of(t);
  if (by.argument == nullptr) {
    if (l == layout::number) return of(atom::number(by.index));
    if (l == layout::nullable) return of(zero_of(spork::type::ptr));
    return of(all_.constant_block({atom::number(by.index)}));
  }
  const value argument = eval(*c.argument);
  if (l == layout::transparent) return argument;
  std::vector<atom> cells = generic(argument, all_.types.argument(by, t)).cells;
  if (l == layout::tagged) cells.insert(cells.begin(), atom::number(by.index));
  if (cells.empty()) cells.push_back(atom::number(0));
  return of(block(cells));
}

value function_lowering::argument_of(const value& built, const constructor& c, ground_ref t) {
  const bool is_reference = t->head == all_.source.types.reference;
  const layout l = is_reference ? layout::block : all_.forms.layout_of(t);
  if (l == layout::transparent) return built;
  return load(all_.forms.of(all_.types.argument(c, t)), built.cells[0], l == layout::tagged ? 1 : 0);
}

atom function_lowering::tag_of(const value& built, ground_ref t) {
  const layout l = all_.forms.layout_of(t);
  if (l == layout::number) return built.cells[0];
  return load_cell(spork::type::i64, built.cells[0], atom::number(0));
}

value function_lowering::list(const typed::list& l, ground_ref t) {
  const ground_ref element = t->parts[0];
  std::vector<value> parts;
  for (const typed::expression_ref part : l.parts) parts.push_back(generic(eval(*part), element));
  atom rest = zero_of(spork::type::ptr);
  for (auto each = parts.rbegin(); each != parts.rend(); ++each) {
    std::vector<atom> cells = each->cells;
    cells.push_back(rest);
    rest = block(cells);
  }
  return of(rest);
}

value function_lowering::make_exception(const typed::make_exception& m) {
  const bool is_global = all_.names.is_of_top_level(m.by);
  const atom identity = is_global ? all_.identity_of(*m.by) : look_up(m.by).cells[0];
  std::vector<atom> cells{identity};
  if (m.argument != nullptr) {
    const value argument = generic(eval(*m.argument), ground_of(m.by->argument));
    cells.insert(cells.end(), argument.cells.begin(), argument.cells.end());
  }
  return of(block(cells));
}

value function_lowering::convert(const value& v, shape_ref to, ground_ref t) {
  if (v.has == to) return v;
  if (v.has->is == shape::kind::never) return zeros(to);
  if (to->is == shape::kind::tuple) {
    const std::vector<ground_ref> types = all_.forms.parts_of(t);
    const value from = opened(v, t);
    value made{to, {}};
    for (std::size_t i = 0; i < to->parts.size(); ++i) {
      const value converted = convert(part(from, i), to->parts[i], types[i]);
      made.cells.insert(made.cells.end(), converted.cells.begin(), converted.cells.end());
    }
    return made;
  }
  t = all_.forms.inside(t);
  return of(t->is == ground::kind::record ? block(contents(v, t).cells) : make_generic(v, t));
}

value function_lowering::opened(const value& v, ground_ref t) {
  const bool is_address = v.has->is == shape::kind::cell && all_.forms.inside(t)->is == ground::kind::record;
  return is_address ? load(all_.forms.opened(t), v.cells[0], 0) : v;
}

atom function_lowering::make_generic(const value& closure, ground_ref arrow) {
  std::vector<atom> cells{all_.generic_entry(closure.has, arrow)};
  cells.insert(cells.end(), closure.cells.begin(), closure.cells.end());
  return block(cells);
}

value function_lowering::join(std::vector<std::pair<block_id, value>>& ends, ground_ref t) {
  shape_ref joined = all_.forms.never();
  for (const auto& [from, v] : ends) joined = all_.forms.join(joined, v.has, t);
  const block_id then = add_block("join");
  for (const auto& [from, v] : ends) {
    here_ = from;
    const value converted = convert(v, joined, t);
    end(spork::jump{to(then), converted.cells});
  }
  here_ = then;
  return temporary_params(then, joined);
}

}  // namespace tine::ml::lower
