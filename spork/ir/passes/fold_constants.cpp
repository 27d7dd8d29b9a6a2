// Folds constants and propagates copies.
#include "ir/passes/substitution.hpp"
#include "ir/pipeline.hpp"
#include "ir/value.hpp"

#include <algorithm>
#include <optional>

namespace tine::spork {
namespace {

// Returns the value of a statement, if it is a known constant or another atom.
std::optional<atom> known_value(const statement& s) {
  if (s.what == operation::copy) return s.args[0];
  if (uses_memory(s.what) || s.what == operation::call_c) return {};
  if (s.what == operation::select && s.args[0].is_constant()) return s.args[s.args[0].bits != 0 ? 1 : 2];
  std::vector<value> operands;
  for (const atom& a : s.args) {
    if (!a.is_constant()) return {};
    operands.push_back({a.of_type, a.bits});
  }
  const std::optional<value> v = evaluate(s.what, operands);
  if (!v) return {};  // the statement traps, and stays
  const value c = canonical(*v);
  // only alloc makes pointers; the language has no constant for null + 1
  if (c.of_type == type::ptr && c.bits != 0) return {};
  return atom::constant(c.of_type, c.bits, s.where);
}

// If every goto gives a parameter one and the same atom, or the parameter itself, then the parameter is that atom: the
// definition of a temporary that is in scope on all ways into a block dominates the block.
class parameter_values {
 public:
  explicit parameter_values(const function& f) : given_(f.temporaries.size()), open_(f.temporaries.size()) {
    for (const block& b : f.blocks) {
      if (const auto* j = std::get_if<jump>(&b.end.what)) {
        const std::vector<temp_id>& params = f.blocks[j->to.block].params;
        for (std::size_t i = 0; i < params.size(); ++i) give(params[i], j->args[i]);
      } else {
        for (const label& l : successors(b.end)) {
          for (const temp_id p : f.blocks[l.block].params) open_[p] = true;
        }
      }
    }
  }
  std::optional<atom> of(temp_id t) const { return open_[t] ? std::nullopt : given_[t]; }

 private:
  void give(temp_id t, const atom& a) {
    if (a == atom::of(t)) return;
    if (!given_[t]) {
      given_[t] = a;
    } else if (!(*given_[t] == a)) {
      open_[t] = true;
    }
  }

  std::vector<std::optional<atom>> given_;
  std::vector<bool> open_;
};

bool fold_values(function& f) {
  substitution by{f};
  bool changed = false;
  for (const block_id b : reverse_postorder(f)) {
    auto& statements = f.blocks[b].statements;
    const auto known = std::ranges::remove_if(statements, [&](statement& s) {
      for (atom& a : s.args) a = by.find(a);
      const std::optional<atom> v = s.result == none ? std::nullopt : known_value(s);
      if (v) by.replace(s.result, *v);
      return v.has_value();
    });
    changed |= !known.empty();
    statements.erase(known.begin(), known.end());
  }
  by.apply(f);
  return changed;
}

bool fold_parameters(function& f) {
  const parameter_values values{f};
  // one at a time: the atom that replaces a parameter may be another parameter that is replaced
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t i = 0; i < f.blocks[b].params.size(); ++i) {
      const temp_id t = f.blocks[b].params[i];
      const std::optional<atom> v = values.of(t);
      if (!v) continue;
      f.blocks[b].params.erase(f.blocks[b].params.begin() + static_cast<std::ptrdiff_t>(i));
      for (block& from : f.blocks) {
        auto* j = std::get_if<jump>(&from.end.what);
        if (j != nullptr && j->to.block == b) j->args.erase(j->args.begin() + static_cast<std::ptrdiff_t>(i));
      }
      substitution by{f};
      by.replace(t, *v);
      by.apply(f);
      return true;
    }
  }
  return false;
}

// Returns where a branch or a switch goes, if that is known.
std::optional<label> known_target(const transfer& t) {
  if (const auto* i = std::get_if<branch>(&t.what)) {
    if (i->condition.is_constant()) return i->condition.bits == 0 ? i->no : i->yes;
    if (i->yes.block == i->no.block) return i->yes;
  }
  if (const auto* s = std::get_if<switch_on>(&t.what)) {
    if (s->condition.is_constant()) return s->target(static_cast<std::int64_t>(s->condition.bits));
    if (s->ways.empty()) return s->otherwise;
  }
  return {};
}

bool fold_branches(function& f) {
  bool changed = false;
  for (block& b : f.blocks) {
    if (auto* s = std::get_if<switch_on>(&b.end.what))
      std::erase_if(s->ways, [s](const switch_on::way& each) { return each.to.block == s->otherwise.block; });
    const std::optional<label> to = known_target(b.end);
    if (!to) continue;
    b.end.what = jump{*to, {}};
    changed = true;
  }
  if (changed) remove_unreachable(f);
  return changed;
}

// Replaces a call of a known address by a call of the function. A call that traps stays.
bool fold_callees(const program& p, function& f) {
  bool changed = false;
  for (block& b : f.blocks) {
    const auto* c = std::get_if<indirect_call>(&b.end.what);
    if (c == nullptr || !c->callee.is_address() || !is_of_function(c->callee.bits)) continue;
    const function_id callee = function_at(c->callee.bits);
    if (!fits(f, *c, p.functions[callee])) continue;
    b.end.what = call{{callee, c->args, c->callee.where}, c->then};
    changed = true;
  }
  return changed;
}

}  // namespace

void fold_constants(program& p) {
  for (function& f : p.functions) {
    bool again = true;
    while (again) {
      again = fold_values(f);
      again |= fold_parameters(f);
      again |= fold_branches(f);
      again |= fold_callees(p, f);
    }
  }
}

}  // namespace tine::spork
