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

// Folds all values of a function in one walk: blocks come after those that lead to them, except for loops. A branch
// that is known leads to one block only, so values that differ on the other way do not count.
class folder {
 public:
  explicit folder(function& f)
      : f_{f},
        by_{f},
        order_{reverse_postorder(f)},
        done_(f.blocks.size()),
        reached_(f.blocks.size()),
        branched_to_(f.blocks.size()),
        gotos_(f.blocks.size()),
        is_folded_(f.temporaries.size()) {}

  // Returns true if anything has changed.
  bool run() {
    find_ways_back();
    for (const block_id b : order_) {
      done_[b] = true;
      if (!reached_[b]) continue;
      fold_parameters(b);
      fold_statements(f_.blocks[b].statements);
      for_each_atom(f_.blocks[b].end, [&](atom& a) { a = by_.find(a); });
      fold_transfer(f_.blocks[b].end);
      note_ways(b);
    }
    if (!changed_) return false;
    for (block& b : f_.blocks) {
      if (auto* j = std::get_if<jump>(&b.end.what))
        filter(j->args, [&](std::size_t i) { return !is_folded_[f_.blocks[j->to.block].params[i]]; });
    }
    for (block& b : f_.blocks) std::erase_if(b.params, [&](temp_id t) { return is_folded_[t]; });
    by_.apply(f_);
    if (has_fewer_ways_) remove_unreachable(f_);
    return true;
  }

 private:
  // A block to which a later one leads counts as reached, because we do not know yet whether the later one is.
  void find_ways_back() {
    std::vector<bool> seen(f_.blocks.size());
    if (!order_.empty()) reached_[order_[0]] = true;
    for (auto b = order_.rbegin(); b != order_.rend(); ++b) {
      for (const label& l : successors(f_.blocks[*b].end)) {
        if (seen[l.block] && l.block != *b) continue;
        reached_[l.block] = true;
        note_way(*b, l.block);
      }
      seen[*b] = true;
    }
  }
  void note_way(block_id from, block_id to) {
    if (std::holds_alternative<jump>(f_.blocks[from].end.what))
      gotos_[to].push_back(from);
    else
      branched_to_[to] = true;
  }
  void note_ways(block_id b) {
    for (const label& l : successors(f_.blocks[b].end)) {
      if (done_[l.block]) continue;  // a way back, which is noted already
      reached_[l.block] = true;
      note_way(b, l.block);
    }
  }

  // If every goto gives a parameter one and the same atom, or the parameter itself, then the parameter is that atom.
  // This holds because the definition of a temporary that is in scope on all ways into a block dominates the block.
  void fold_parameters(block_id b) {
    if (branched_to_[b]) return;
    const std::vector<temp_id>& params = f_.blocks[b].params;
    for (std::size_t i = 0; i < params.size(); ++i) {
      std::optional<atom> one;
      bool is_open = false, is_known = false;  // known: by a way that is folded already, so `one` is assigned earlier
      for (const block_id from : gotos_[b]) {
        const atom a = by_.find(std::get<jump>(f_.blocks[from].end.what).args[i]);
        if (a == atom::of(params[i])) continue;
        is_open |= one && !(*one == a);
        one = a;
        is_known |= done_[from] && from != b;
      }
      if (is_open || !is_known) continue;
      by_.replace(params[i], *one);
      is_folded_[params[i]] = changed_ = true;
    }
  }

  void fold_statements(std::vector<statement>& statements) {
    const auto known = std::ranges::remove_if(statements, [&](statement& s) {
      for (atom& a : s.args) a = by_.find(a);
      const std::optional<atom> v = s.result == none ? std::nullopt : known_value(s);
      if (v) by_.replace(s.result, *v);
      return v.has_value();
    });
    changed_ |= !known.empty();
    statements.erase(known.begin(), known.end());
  }

  void fold_transfer(transfer& t) {
    if (auto* s = std::get_if<switch_on>(&t.what))
      std::erase_if(s->ways, [s](const switch_on::way& each) { return each.to.block == s->otherwise.block; });
    const std::optional<label> to = known_target(t);
    if (!to) return;
    t.what = jump{*to, {}};
    has_fewer_ways_ = changed_ = true;
  }

  function& f_;
  substitution by_;
  std::vector<block_id> order_;
  std::vector<bool> done_, reached_, branched_to_;
  std::vector<std::vector<block_id>> gotos_;  // to each block, from the blocks that are reached
  std::vector<bool> is_folded_;               // parameters
  bool changed_ = false, has_fewer_ways_ = false;
};

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
    for (bool again = true; again;) {
      again = folder{f}.run();
      again |= fold_callees(p, f);
    }
  }
}

}  // namespace tine::spork
