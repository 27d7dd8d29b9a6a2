#include "proofs/exported.hpp"

#include "ir/successors.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace bridge {
namespace {

using namespace tine::spork;

constexpr std::uint32_t undefined = 999'999;

/// Returns which blocks can be reached from the entry without entering `avoided`.
std::vector<bool> reachable(const function& f, block_id avoided = none) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<block_id> open;
  const auto enter = [&](block_id b) {
    if (b == avoided || seen[b]) return;
    seen[b] = true;
    open.push_back(b);
  };
  enter(0);
  while (!open.empty()) {
    const block_id b = open.back();
    open.pop_back();
    for (const label& l : successors(f.blocks[b].end)) enter(l.block);
  }
  return seen;
}

void remove_unreachable_blocks(function& f) {
  const std::vector<bool> keeps = reachable(f);
  std::vector<block_id> now(f.blocks.size(), none);
  std::vector<block> kept;
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    if (!keeps[b]) continue;
    now[b] = static_cast<block_id>(kept.size());
    kept.push_back(std::move(f.blocks[b]));
  }
  f.blocks = std::move(kept);
  for (block& b : f.blocks) for_each_label(b.end, [&](label& l) { l.block = now[l.block]; });
}

/// Assigns each constant at the beginning of the entry, so that equal constants are the same temporary everywhere.
void hoist_constants(function& f) {
  std::map<std::pair<type, std::uint64_t>, temp_id> constants;
  const auto replace = [&](atom& a) {
    if (!a.is_constant()) return;
    const auto [found, is_new] = constants.try_emplace({a.of_type, a.bits}, static_cast<temp_id>(f.temporaries.size()));
    if (is_new) f.temporaries.push_back({"constant." + std::to_string(found->second), a.where, true, a.of_type});
    a = atom::of(found->second, a.where);
  };
  for (block& b : f.blocks) {
    for (statement& s : b.statements) std::ranges::for_each(s.args, replace);
    for_each_atom(b.end, replace);
  }
  std::vector<statement> first;
  for (const auto& [constant, temp] : constants) {
    statement s;
    s.result = temp;
    s.args = {atom::constant(constant.first, constant.second)};
    first.push_back(std::move(s));
  }
  f.blocks[0].statements.insert(f.blocks[0].statements.begin(), first.begin(), first.end());
}

class function_export {
 public:
  function_export(const function& f, const std::vector<std::uint32_t>& numbers)
      : f_{f},
        numbers_{numbers},
        scope_(f.blocks.size()),
        place_(f.temporaries.size(), undefined),
        home_(f.temporaries.size(), none) {
    for (block_id b = 0; b < f.blocks.size(); ++b) without_.push_back(reachable(f, b));
    for (block_id b = 0; b < f.blocks.size(); ++b) lay_out(b);
    find_nesting(0, {});
  }

  std::string text() {
    std::string all = words(f_.params.size(), f_.results.size(), f_.blocks.size());
    for (block_id b = 0; b < f_.blocks.size(); ++b) all += "\n" + block_text(b);
    return all;
  }

 private:
  using nesting = std::vector<std::vector<std::size_t>>;  // calls: the function, then the arguments

  template <class... Numbers>
  static std::string words(Numbers... n) {
    std::string all;
    ((all += std::to_string(n) + " "), ...);
    return all;
  }

  bool dominates(block_id a, block_id b) const { return a == b || !without_[a][b]; }

  std::optional<block_id> immediate_dominator(block_id b) const {
    if (b == 0) return {};
    block_id best = 0;
    for (block_id a = 1; a < f_.blocks.size(); ++a) {
      if (a != b && dominates(a, b) && dominates(best, a)) best = a;
    }
    return best;
  }

  /// A block's scope is all that its immediate dominator has at its end. Behind it are the parameters and the assigned
  /// temporaries.
  std::size_t lay_out(block_id b) {
    if (scope_[b]) return end_of_[b];
    end_of_.resize(f_.blocks.size());
    const std::optional<block_id> before = immediate_dominator(b);
    std::size_t next = before ? lay_out(*before) : f_.params.size();
    scope_[b] = next;
    const auto define = [&](temp_id t, std::size_t at, block_id in) {
      place_[t] = static_cast<std::uint32_t>(at);
      home_[t] = in;
    };
    if (b == 0) {
      for (std::size_t i = 0; i < f_.params.size(); ++i) define(f_.params[i], i, 0);
    }
    for (const temp_id t : f_.blocks[b].params) define(t, next++, b);
    for (const statement& s : f_.blocks[b].statements) {
      if (s.result != none) define(s.result, next, b);
      ++next;
    }
    return end_of_[b] = next;
  }

  /// Returns the place of a temporary in block `b`, before the statement at which the scope has `size` places.
  std::size_t place_of(const atom& a, block_id b, std::size_t size) const {
    const temp_id t = a.temporary();
    const bool is_there = home_[t] != none && dominates(home_[t], b) && place_[t] < size;
    return is_there ? place_[t] : undefined;
  }

  std::vector<std::size_t> places_of(const std::vector<atom>& atoms, block_id b, std::size_t size) const {
    std::vector<std::size_t> all;
    for (const atom& a : atoms) all.push_back(place_of(a, b, size));
    return all;
  }

  std::vector<std::size_t> call_of(const invocation& i, block_id b) const {
    std::vector<std::size_t> all = places_of(i.args, b, end_of_[b]);
    all.insert(all.begin(), numbers_[i.callee]);
    return all;
  }

  /// Gives `n` to `b`, and to the blocks behind it that have none yet.
  void find_nesting(block_id first, const nesting& n) {
    std::vector<std::pair<block_id, nesting>> open{{first, n}};
    nesting_.resize(f_.blocks.size());
    while (!open.empty()) {
      auto [b, inside] = std::move(open.back());
      open.pop_back();
      if (nesting_[b]) continue;
      nesting_[b] = inside;
      if (const auto* s = std::get_if<spork>(&f_.blocks[b].end.what)) inside.push_back(call_of(s->spawn, b));
      if (std::holds_alternative<spoin>(f_.blocks[b].end.what) && !inside.empty()) inside.pop_back();
      for (const label& l : successors(f_.blocks[b].end)) open.emplace_back(l.block, inside);
    }
  }

  std::uint32_t number_of(const label& l) const { return f_.blocks[l.block].defined ? l.block : undefined; }

  static std::string list(const std::vector<std::size_t>& all) {
    std::string text = words(all.size());
    for (const std::size_t n : all) text += words(n);
    return text;
  }
  static std::string call_text(std::vector<std::size_t> call) {
    const std::size_t callee = call.front();
    call.erase(call.begin());
    return words(callee) + list(call);
  }

  std::string block_text(block_id b) {
    const block& from = f_.blocks[b];
    std::string text = words(*scope_[b], from.params.size(), nesting_[b]->size());
    for (const auto& call : *nesting_[b]) text += call_text(call);
    std::size_t size = *scope_[b] + from.params.size();
    for (const statement& s : from.statements) text += "A " + expression(s, b, size++);
    return text + end_text(from.end, b, size);
  }

  std::string operand(const atom& a, block_id b, std::size_t size) const {
    return a.is_constant() ? "k " + std::to_string(static_cast<std::int64_t>(a.bits)) + " "
                           : "t " + words(place_of(a, b, size));
  }

  std::string expression(const statement& s, block_id b, std::size_t size) const {
    std::vector<std::string> e;
    for (const atom& a : s.args) e.push_back(operand(a, b, size));
    const auto apply = [](const char* name, const std::string& x, const std::string& y) {
      return std::string{"o "} + name + " " + x + y;
    };
    const auto inverted = [&](const std::string& x) { return apply("=", x, "k 0 "); };
    using enum operation;
    if (s.what == copy) return e[0];
    if (s.what == negate) return apply("-", "k 0 ", e[0]);
    if (s.what == invert) return inverted(e[0]);
    if (s.what == add) return apply("+", e[0], e[1]);
    if (s.what == sub) return apply("-", e[0], e[1]);
    if (s.what == mul) return apply("*", e[0], e[1]);
    if (s.what == bit_and) return apply("&", e[0], e[1]);
    if (s.what == bit_or) return apply("|", e[0], e[1]);
    if (s.what == bit_xor) return apply("^", e[0], e[1]);
    if (s.what == shift_left) return apply("<<", e[0], e[1]);
    if (s.what == shift_right) return apply(">>", e[0], e[1]);
    if (s.what == less) return apply("<", e[0], e[1]);
    if (s.what == greater) return apply("<", e[1], e[0]);
    if (s.what == at_most) return inverted(apply("<", e[1], e[0]));
    if (s.what == at_least) return inverted(apply("<", e[0], e[1]));
    if (s.what == equal) return apply("=", e[0], e[1]);
    if (s.what == differs) return inverted(apply("=", e[0], e[1]));
    // no or yes: no + (yes - no) * (condition != 0)
    if (s.what == select) return apply("+", e[2], apply("*", apply("-", e[1], e[2]), inverted(inverted(e[0]))));
    std::string sum = "k 0 ";
    for (const std::string& each : e) sum = apply("+", sum, each);
    return sum;
  }

  std::string end_text(const transfer& t, block_id b, std::size_t size) const {
    if (const auto* j = std::get_if<jump>(&t.what))
      return "G " + words(number_of(j->to)) + list(places_of(j->args, b, size));
    if (const auto* i = std::get_if<branch>(&t.what))
      return "I " + operand(i->condition, b, size) + words(number_of(i->yes), number_of(i->no));
    if (const auto* c = std::get_if<call>(&t.what))
      return "C " + call_text(call_of(c->what, b)) + words(number_of(c->then));
    if (const auto* r = std::get_if<give_back>(&t.what)) return "R " + list(places_of(r->values, b, size));
    if (const auto* s = std::get_if<spork>(&t.what))
      return "S " + words(number_of(s->body)) + call_text(call_of(s->spawn, b));
    if (const auto* s = std::get_if<spoin>(&t.what))
      return "J " + words(number_of(s->unpromoted), number_of(s->promoted));
    return "G " + words(undefined) + list({});
  }

  const function& f_;
  const std::vector<std::uint32_t>& numbers_;
  std::vector<std::vector<bool>> without_;
  std::vector<std::optional<std::size_t>> scope_;
  std::vector<std::size_t> end_of_;
  std::vector<std::uint32_t> place_;
  std::vector<block_id> home_;
  std::vector<std::optional<nesting>> nesting_;
};

/// Replaces each switch by a chain of branches, one block for each way but the first.
void split_switches(function& f) {
  for (block_id b = 0; b < f.blocks.size(); ++b) {  // f.blocks grows in this loop
    const auto* found = std::get_if<switch_on>(&f.blocks[b].end.what);
    if (found == nullptr) continue;
    switch_on rest = *found;
    const place where = f.blocks[b].end.where;
    const switch_on::way first = rest.ways.front();
    rest.ways.erase(rest.ways.begin());
    statement same;
    same.what = operation::equal;
    same.args = {rest.condition, atom::number(first.value, where)};
    same.where = where;
    same.result = static_cast<temp_id>(f.temporaries.size());
    f.temporaries.push_back({"same." + std::to_string(same.result), where, true, type::i64});
    label otherwise = rest.otherwise;
    if (!rest.ways.empty()) {
      otherwise = {static_cast<block_id>(f.blocks.size()), where};
      block next;
      next.name = "way." + std::to_string(otherwise.block);
      next.where = where;
      next.defined = true;
      next.end = {rest, where};
      f.blocks.push_back(std::move(next));
    }
    f.blocks[b].end.what = branch{atom::of(same.result, where), first.to, otherwise};
    f.blocks[b].statements.push_back(std::move(same));
  }
}

bool is_in_proofs(const function& f) { return f.defined && !f.in_c; }

}  // namespace

void normalise(program& p) {
  for (function& f : p.functions) {
    if (!is_in_proofs(f)) continue;
    split_switches(f);
    for (block& b : f.blocks) {
      if (auto* s = std::get_if<spork>(&b.end.what)) s->tokens = sharing::half;
      if (auto* s = std::get_if<spoin>(&b.end.what)) s->unstolen = {none, {}};
    }
    remove_unreachable_blocks(f);
    hoist_constants(f);
  }
}

namespace {

// The operations that the proofs have.
bool is_modelled(operation o) { return is_pure(o) && o <= operation::select && o != operation::shift_right_zero; }

}  // namespace

bool is_modelled(const program& p) {
  for (const function& f : p.functions) {
    if (!is_in_proofs(f)) return false;
    for (const temporary& t : f.temporaries) {
      if (t.of_type != type::i64) return false;
    }
    for (const block& b : f.blocks) {
      for (const statement& s : b.statements) {
        if (!is_modelled(s.what)) return false;
      }
    }
  }
  return true;
}

std::string exported(const program& p) {
  std::vector<const function*> all;
  std::vector<std::uint32_t> numbers(p.functions.size(), undefined);
  const auto add = [&](function_id i) {
    if (i == none || !is_in_proofs(p.functions[i]) || numbers[i] != undefined) return;
    numbers[i] = static_cast<std::uint32_t>(all.size());
    all.push_back(&p.functions[i]);
  };
  add(p.find("main"));
  for (function_id i = 0; i < p.functions.size(); ++i) add(i);
  std::string text = std::to_string(all.size());
  for (const function* f : all) text += "\n" + function_export{*f, numbers}.text();
  return text + "\n";
}

}  // namespace bridge
