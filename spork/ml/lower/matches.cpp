// Matches become decision trees: a column of the patterns is chosen, its constructors become the ways of a switch, and
// each way has the rules that can still match (L. Maranget, Compiling Pattern Matching to Good Decision Trees, 2008).
// The body of a rule exists once.
#include "ml/lower/function_lowering.hpp"

#include <algorithm>
#include <functional>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;

namespace {

bool is_any(const typed::pattern& p) { return std::holds_alternative<typed::any>(p.is); }

const typed::pattern& any_pattern() {
  static const typed::pattern any{typed::any{}, nullptr, {}};
  return any;
}

}  // namespace

// --- without tests ---

bool function_lowering::bind(const typed::pattern& p, const value& v, ground_ref t) {
  if (is_any(p)) return true;
  if (const auto* b = std::get_if<typed::bind>(&p.is)) {
    bound_[b->to] = limited(v, t);
    return true;
  }
  if (const auto* l = std::get_if<typed::layered>(&p.is)) {
    bound_[l->to] = limited(v, t);
    return bind(*l->of, v, t);
  }
  const auto* f = std::get_if<typed::fields>(&p.is);
  if (f == nullptr) return false;
  const std::vector<ground_ref> types = all_.forms.parts_of(t);
  const value parts = opened(v, t);
  for (std::size_t i = 0; i < f->parts.size(); ++i) {
    if (!bind(*f->parts[i], part(parts, i), types[i])) return false;
  }
  return true;
}

void function_lowering::bind_or_raise(const typed::pattern& p, const value& v, ground_ref t,
                                      std::string_view exception) {
  if (bind(p, v, t)) return;
  match_state s;
  s.bodies.resize(1);
  s.bound.resize(1);
  decide({{v, t}}, {{{&p}, {}, 0}}, s);
  if (s.failure) {
    here_ = *s.failure;
    raise(exception);
  }
  if (s.bodies[0]) here_ = *s.bodies[0];
  for (const auto& [to, bound] : s.bound[0]) bound_[to] = bound;
}

// --- matches ---

function_lowering::result function_lowering::match(const typed::match& m, ground_ref t, bool is_tail) {
  const ground_ref of = ground_of(m.of->of);
  const value v = eval(*m.of);
  if (bind(*m.rules[0].when, v, of)) return eval(*m.rules[0].then, is_tail);
  match_state s;
  s.bodies.resize(m.rules.size());
  s.bound.resize(m.rules.size());
  std::vector<row> rows;
  for (std::size_t i = 0; i < m.rules.size(); ++i) rows.push_back({{m.rules[i].when}, {}, i});
  decide({{v, of}}, std::move(rows), s);
  if (s.failure) {
    here_ = *s.failure;
    raise(m.on_failure == typed::match::failure::bind ? "Bind" : "Match");
  }
  return run_rules(m.rules, s, t, is_tail, {});
}

function_lowering::result function_lowering::run_rules(const std::vector<typed::rule>& rules, match_state& s,
                                                       ground_ref t, bool is_tail,
                                                       std::vector<std::pair<block_id, value>> ends) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!s.bodies[i]) continue;
    here_ = *s.bodies[i];
    for (const auto& [to, bound] : s.bound[i]) bound_[to] = bound;
    const result v = eval(*rules[i].then, is_tail);
    if (v) ends.emplace_back(here_, *v);
  }
  if (is_tail) return {};
  return join(ends, t);
}

// Replaces variables and layers by what they stand for, and tuples by their parts.
void function_lowering::expand(std::vector<column>& columns, std::vector<row>& rows) {
  for (std::size_t at = 0; at < columns.size();) {
    bool has_fields = false;
    for (row& r : rows) {
      for (;;) {
        const typed::pattern& p = *r.patterns[at];
        if (const auto* l = std::get_if<typed::layered>(&p.is)) {
          r.bound.emplace_back(l->to, columns[at].of);
          r.patterns[at] = l->of;
        } else if (const auto* b = std::get_if<typed::bind>(&p.is)) {
          r.bound.emplace_back(b->to, columns[at].of);
          r.patterns[at] = &any_pattern();
        } else {
          has_fields |= std::holds_alternative<typed::fields>(p.is);
          break;
        }
      }
    }
    if (!has_fields) {
      ++at;
      continue;
    }
    const value whole = opened(columns[at].of, columns[at].type);
    const std::vector<ground_ref> types = all_.forms.parts_of(columns[at].type);
    std::vector<column> parts;
    for (std::size_t i = 0; i < types.size(); ++i) parts.push_back({part(whole, i), types[i]});
    const auto place = static_cast<std::ptrdiff_t>(at);
    columns.erase(columns.begin() + place);
    columns.insert(columns.begin() + place, parts.begin(), parts.end());
    for (row& r : rows) {
      const auto* f = std::get_if<typed::fields>(&r.patterns[at]->is);
      std::vector<typed::pattern_ref> inside(types.size(), &any_pattern());
      if (f != nullptr) inside = f->parts;
      r.patterns.erase(r.patterns.begin() + place);
      r.patterns.insert(r.patterns.begin() + place, inside.begin(), inside.end());
    }
  }
}

void function_lowering::leaf(row& r, match_state& s) {
  std::ranges::sort(r.bound, {}, [](const auto& each) { return each.first->id; });
  std::vector<atom> cells;
  for (const auto& [to, v] : r.bound) cells.insert(cells.end(), v.cells.begin(), v.cells.end());
  if (!s.bodies[r.rule]) {
    const block_id body = add_block("rule");
    s.bodies[r.rule] = body;
    for (const auto& [to, v] : r.bound) s.bound[r.rule].emplace_back(to, temporary_params(body, v.has));
  }
  end(spork::jump{to(*s.bodies[r.rule]), std::move(cells)});
}

void function_lowering::decide(std::vector<column> columns, std::vector<row> rows, match_state& s) {
  if (rows.empty()) {
    if (!s.failure) s.failure = add_block("no.rule");
    return end(spork::jump{to(*s.failure), {}});
  }
  expand(columns, rows);
  const auto tested = std::ranges::find_if(rows[0].patterns, [](typed::pattern_ref p) { return !is_any(*p); });
  if (tested == rows[0].patterns.end()) return leaf(rows[0], s);
  const auto at = static_cast<std::size_t>(tested - rows[0].patterns.begin());
  if (std::holds_alternative<typed::built>((*tested)->is))
    return decide_constructor(at, std::move(columns), std::move(rows), s);
  if (std::holds_alternative<typed::raised>((*tested)->is))
    return decide_exception(at, std::move(columns), std::move(rows), s);
  decide_constant(at, std::move(columns), std::move(rows), s);
}

// Decides about the rows that can match if the column has been found to be something. `inside` returns the pattern of
// its argument, or null if there is none, and whether the row can match. The argument is only loaded if a row looks at
// it.
void function_lowering::specialise(std::size_t at, const std::vector<column>& columns, const std::vector<row>& rows,
                                   const std::function<const typed::pattern*(const typed::pattern&, bool&)>& inside,
                                   const std::function<column()>& argument, match_state& s) {
  std::vector<row> kept;
  bool is_wanted = false;
  for (const row& r : rows) {
    bool can_match = true;
    const typed::pattern* p = is_any(*r.patterns[at]) ? nullptr : inside(*r.patterns[at], can_match);
    if (!can_match) continue;
    is_wanted |= p != nullptr && !is_any(*p);
    kept.push_back(r);
    kept.back().patterns[at] = p == nullptr ? &any_pattern() : p;
  }
  std::vector<column> rest = columns;
  if (is_wanted) {
    rest[at] = argument();
  } else {
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    for (row& r : kept) r.patterns.erase(r.patterns.begin() + static_cast<std::ptrdiff_t>(at));
  }
  decide(std::move(rest), std::move(kept), s);
}

void function_lowering::decide_constructor(std::size_t at, std::vector<column> columns, std::vector<row> rows,
                                           match_state& s) {
  const column on = columns[at];
  const type_constructor& datatype = *on.type->head;
  const auto way = [&](const constructor* c) {
    specialise(
        at, columns, rows,
        [&](const typed::pattern& p, bool& can_match) -> const typed::pattern* {
          const auto& b = std::get<typed::built>(p.is);
          can_match = c != nullptr && b.by->index == c->index;
          return b.argument;
        },
        [&] { return column{argument_of(on.of, *c, on.type), all_.types.argument(*c, on.type)}; }, s);
  };
  if (datatype.constructors.size() == 1 || on.type->head == all_.source.types.reference) {
    return way(std::get<typed::built>(rows[0].patterns[at]->is).by);
  }
  std::vector<const constructor*> tested;
  for (const constructor* c : datatype.constructors) {
    const bool is_tested = std::ranges::any_of(rows, [&](const row& r) {
      const auto* b = std::get_if<typed::built>(&r.patterns[at]->is);
      return b != nullptr && b->by->index == c->index;
    });
    if (is_tested) tested.push_back(c);
  }
  if (all_.forms.layout_of(on.type) == layout::nullable) {
    const block_id yes = add_block("built"), no = add_block("empty");
    const atom is_built =
        op(spork::operation::differs, {on.of.cells[0], atom::constant(spork::type::ptr, 0)}, spork::type::i64);
    end(spork::branch{is_built, to(yes), to(no)});
    for (const constructor* c : datatype.constructors) {
      here_ = c->argument != nullptr ? yes : no;
      way(std::ranges::find(tested, c) != tested.end() ? c : nullptr);
    }
    return;
  }
  spork::switch_on on_tag{tag_of(on.of, on.type), {}, {}};
  const bool is_complete = tested.size() == datatype.constructors.size();
  std::vector<block_id> begins;
  for (const constructor* c : tested) {
    begins.push_back(add_block("built"));
    if (!is_complete || c != tested.back()) on_tag.ways.push_back({c->index, to(begins.back())});
  }
  const block_id otherwise = is_complete ? begins.back() : add_block("other");
  on_tag.otherwise = to(otherwise);
  end(std::move(on_tag));
  for (std::size_t i = 0; i < tested.size(); ++i) {
    here_ = begins[i];
    way(tested[i]);
  }
  if (is_complete) return;
  here_ = otherwise;
  way(nullptr);
}

void function_lowering::decide_constant(std::size_t at, std::vector<column> columns, std::vector<row> rows,
                                        match_state& s) {
  const column on = columns[at];
  const auto value_of = [&](const typed::pattern& p) {
    return constant({std::get<typed::equals>(p.is).value}).cells[0];
  };
  const auto way = [&](std::optional<atom> found) {
    specialise(
        at, columns, rows,
        [&](const typed::pattern& p, bool& can_match) -> const typed::pattern* {
          can_match = found && value_of(p) == *found;
          return nullptr;
        },
        [] { return column{}; }, s);
  };
  std::vector<atom> constants;
  for (const row& r : rows) {
    if (is_any(*r.patterns[at])) continue;
    const atom c = value_of(*r.patterns[at]);
    if (std::ranges::find(constants, c) == constants.end()) constants.push_back(c);
  }
  const block_id otherwise = add_block("other");
  std::vector<block_id> begins;
  if (on.type->head == all_.source.types.string->head) {
    for (const atom& c : constants) {
      begins.push_back(add_block("equal"));
      const block_id next = &c == &constants.back() ? otherwise : add_block("next");
      end(spork::branch{call_helper("ml.string_equal", {on.of.cells[0], c}), to(begins.back()), to(next)});
      here_ = next;
    }
  } else {
    spork::switch_on number{on.of.cells[0], {}, to(otherwise)};
    for (const atom& c : constants) {
      begins.push_back(add_block("equal"));
      number.ways.push_back({static_cast<std::int64_t>(c.bits), to(begins.back())});
    }
    end(std::move(number));
  }
  for (std::size_t i = 0; i < constants.size(); ++i) {
    here_ = begins[i];
    way(constants[i]);
  }
  here_ = otherwise;
  way({});
}

void function_lowering::decide_exception(std::size_t at, std::vector<column> columns, std::vector<row> rows,
                                         match_state& s) {
  const column on = columns[at];
  const typed::exception* wanted = std::get<typed::raised>(rows[0].patterns[at]->is).by;
  const atom identity = load_cell(spork::type::ptr, on.of.cells[0], atom::number(0));
  const atom expected = all_.names.is_of_top_level(wanted) ? all_.identity_of(*wanted) : look_up(wanted).cells[0];
  const block_id yes = add_block("this"), no = add_block("other");
  end(spork::branch{op(spork::operation::equal, {identity, expected}, spork::type::i64), to(yes), to(no)});
  here_ = yes;
  specialise(
      at, columns, rows,
      [&](const typed::pattern& p, bool& can_match) -> const typed::pattern* {
        const auto& r = std::get<typed::raised>(p.is);
        can_match = r.by == wanted;
        return r.argument;
      },
      [&] {
        const ground_ref t = ground_of(wanted->argument);
        return column{load(all_.forms.of(t), on.of.cells[0], 1), t};
      },
      s);
  here_ = no;
  std::vector<row> others;
  for (const row& r : rows) {
    const auto* p = std::get_if<typed::raised>(&r.patterns[at]->is);
    if (p == nullptr || p->by != wanted) others.push_back(r);
  }
  decide(std::move(columns), std::move(others), s);
}

}  // namespace tine::ml::lower
