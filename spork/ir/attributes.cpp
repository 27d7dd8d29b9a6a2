// Infers scopes and nestings. Dominators are computed after Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001).
#include "ir/attributes.hpp"

#include "ir/successors.hpp"

#include <algorithm>

namespace tine::spork {

attributes::attributes(const function& f)
    : order_{reverse_postorder(f)},
      position_(f.blocks.size(), none),
      nesting_(f.blocks.size(), none),
      nestings_(1),
      enter_(f.blocks.size()),
      leave_(f.blocks.size()) {
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
  find_nestings(f);
  find_dominators(f);
  number_dominator_tree();
  find_definitions(f);
}

std::vector<const nesting*> attributes::list(nesting_id n) const {
  std::vector<const nesting*> all(nestings_[n].depth);
  for (auto at = all.rbegin(); at != all.rend(); ++at, n = nestings_[n].outer) *at = &nestings_[n];
  return all;
}

void attributes::find_nestings(const function& f) {
  if (order_.empty()) return;
  nesting_[order_[0]] = 0;
  for (const block_id b : order_) {  // a block's nesting is known before its turn: an earlier block leads to it
    const transfer& t = f.blocks[b].end;
    for (const label& l : successors(t)) {
      if (!is_reachable(l.block)) continue;
      nesting_id inside = nesting_[b];
      if (const auto* s = std::get_if<spork>(&t.what)) inside = opened(inside, *s);
      // the verifier reports a spoin outside of all sporks
      if (std::holds_alternative<spoin>(t.what) && inside != 0) inside = nestings_[inside].outer;
      if (nesting_[l.block] == none) {
        nesting_[l.block] = inside;
      } else if (nesting_[l.block] != inside) {
        clashes_.push_back({l, inside, nesting_[l.block]});
      }
    }
  }
}

// Returns the nesting that `s` opens inside `outer`. Sporks with equal calls and equal sharing open the same nesting,
// as in Figure 4.
nesting_id attributes::opened(nesting_id outer, const spork& s) {
  std::string key =
      std::to_string(outer) + ' ' + std::to_string(static_cast<int>(s.tokens)) + ' ' + std::to_string(s.spawn.callee);
  for (const atom& a : s.spawn.args) {
    key += ' ' + std::to_string(static_cast<int>(a.what)) + '.' + std::to_string(static_cast<int>(a.of_type)) + '.' +
           std::to_string(a.bits);
  }
  const auto [found, is_new] = known_nestings_.try_emplace(key, static_cast<nesting_id>(nestings_.size()));
  if (is_new) nestings_.push_back({outer, nestings_[outer].depth + 1, s.spawn, s.tokens});
  return found->second;
}

void attributes::find_dominators(const function& f) {
  std::vector<std::vector<std::uint32_t>> ways_in(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    for (const label& l : successors(f.blocks[order_[i]].end)) {
      if (is_reachable(l.block)) ways_in[position_[l.block]].push_back(i);
    }
  }
  dominator_.assign(order_.size(), none);
  if (!order_.empty()) dominator_[0] = 0;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) (a > b ? a : b) = dominator_[std::max(a, b)];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 1; i < order_.size(); ++i) {
      std::uint32_t best = none;
      for (const std::uint32_t from : ways_in[i]) {
        if (dominator_[from] != none) best = best == none ? from : meet(from, best);
      }
      changed |= dominator_[i] != best;
      dominator_[i] = best;
    }
  }
}

void attributes::number_dominator_tree() {
  if (order_.empty()) return;
  std::vector<std::vector<std::uint32_t>> below(order_.size());
  for (std::uint32_t i = 1; i < order_.size(); ++i) below[dominator_[i]].push_back(i);
  std::uint32_t clock = 0;
  std::vector<std::uint32_t> open{0};
  enter_[order_[0]] = clock++;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    if (below[at].empty()) {
      leave_[order_[at]] = clock++;
      open.pop_back();
    } else {
      open.push_back(below[at].back());
      below[at].pop_back();
      enter_[order_[open.back()]] = clock++;
    }
  }
}

void attributes::find_definitions(const function& f) {
  definitions_.resize(f.temporaries.size());
  for (const temp_id p : f.params) definitions_[p] = {none, 0, true};
  for (const block_id b : order_) {
    for (const temp_id p : f.blocks[b].params) definitions_[p] = {b, 0, true};
    for (std::size_t i = 0; i < f.blocks[b].statements.size(); ++i) {
      const temp_id t = f.blocks[b].statements[i].result;
      if (t != none) definitions_[t] = {b, i + 1, true};
    }
  }
}

bool attributes::in_scope(temp_id t, block_id b, std::size_t index) const {
  const definition& d = definitions_[t];
  if (!d.known) return false;
  if (d.block == none) return true;
  return d.block == b ? d.behind <= index : dominates(d.block, b);
}

}  // namespace tine::spork
