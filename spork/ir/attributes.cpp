// Infers scopes and nestings. Dominators are computed by Semi-NCA: Georgiadis, "Linear-time algorithms for dominators
// and related problems" (2005). Its time is near linear also where many blocks lead to one.
#include "ir/attributes.hpp"

#include "ir/successors.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

namespace {

// Returns how many sporks have to be open at each block, so that all are closed where the function returns; `none` if
// no return is found. Where the successors of a block do not agree, a spoin is missing on the way to one of them, so
// the largest number counts.
std::vector<std::uint32_t> needed_depths(const function& f, const std::vector<block_id>& order) {
  std::vector<std::uint32_t> needed(f.blocks.size(), none);
  const auto behind = [&](const transfer& t) {
    std::uint32_t most = std::holds_alternative<give_back>(t.what) ? 0 : none;
    for (const label& l : successors(t)) {
      const std::uint32_t n = needed[l.block];
      if (n != none) most = most == none ? n : std::max(most, n);
    }
    if (most == none) return none;
    if (std::holds_alternative<spoin>(t.what)) return most + 1;
    return std::holds_alternative<spork>(t.what) ? most - std::min(most, 1U) : most;
  };
  constexpr unsigned most_rounds = 8;  // one for each level of loops; a guess is good enough
  for (unsigned round = 0; round < most_rounds; ++round) {
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      if (needed[*b] == none) needed[*b] = behind(f.blocks[*b].end);
    }
  }
  return needed;
}

}  // namespace

// If two ways into a block disagree, one of them is a mistake. The way that is found first counts as right, unless it
// leaves another number of sporks open than the code behind it closes.
void attributes::find_nestings(const function& f) {
  find_nestings(f, std::vector<std::uint32_t>(f.blocks.size(), none));
  if (clashes_.empty()) return;
  std::ranges::fill(nesting_, none);
  nestings_.resize(1);
  known_nestings_.clear();
  clashes_.clear();
  find_nestings(f, needed_depths(f, order_));
}

void attributes::find_nestings(const function& f, const std::vector<std::uint32_t>& needed) {
  if (order_.empty()) return;
  nesting_[order_[0]] = 0;
  std::vector<nesting_clash> doubtful;
  for (const block_id b : order_) {  // an earlier block leads to this one
    if (nesting_[b] == none)
      nesting_[b] = std::ranges::find(doubtful, b, [](const nesting_clash& c) { return c.entered.block; })->here;
    const transfer& t = f.blocks[b].end;
    for (const label& l : successors(t)) {
      if (!is_reachable(l.block)) continue;
      nesting_id inside = nesting_[b];
      if (const auto* s = std::get_if<spork>(&t.what)) inside = opened(inside, *s);
      // the verifier reports a spoin outside of all sporks
      if (std::holds_alternative<spoin>(t.what) && inside != 0) inside = nestings_[inside].outer;
      if (nesting_[l.block] == none && needed[l.block] != none && needed[l.block] != nestings_[inside].depth) {
        doubtful.push_back({l, inside, 0});
      } else if (nesting_[l.block] == none) {
        nesting_[l.block] = inside;
      } else if (nesting_[l.block] != inside) {
        clashes_.push_back({l, inside, nesting_[l.block]});
      }
    }
  }
  for (const nesting_clash& c : doubtful) {
    if (nesting_[c.entered.block] != c.here) clashes_.push_back({c.entered, c.here, nesting_[c.entered.block]});
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

namespace {

// A depth-first search over the blocks, and the ways between them, by the numbers of the search.
struct search_tree {
  search_tree(const function& f, const std::vector<block_id>& reachable) {
    std::vector<std::uint32_t> number(f.blocks.size(), none);
    std::vector<std::pair<block_id, std::uint32_t>> open{{reachable[0], 0}};  // a block, and where it was found
    while (!open.empty()) {
      const auto [b, from] = open.back();
      open.pop_back();
      if (number[b] != none) continue;
      number[b] = static_cast<std::uint32_t>(blocks.size());
      blocks.push_back(b);
      parent.push_back(from);
      for (const label& l : successors(f.blocks[b].end)) {
        if (f.blocks[l.block].defined) open.emplace_back(l.block, number[b]);
      }
    }
    ways_in.resize(blocks.size());
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      for (const label& l : successors(f.blocks[blocks[i]].end)) {
        if (number[l.block] != none) ways_in[number[l.block]].push_back(i);
      }
    }
  }

  std::vector<block_id> blocks;
  std::vector<std::uint32_t> parent;
  std::vector<std::vector<std::uint32_t>> ways_in;
};

// The forest of the blocks whose semidominators are known, with paths that searches make shorter.
class semidominators {
 public:
  explicit semidominators(const search_tree& of) : up_{of.parent}, least_(of.parent.size()) {
    std::iota(least_.begin(), least_.end(), 0U);
    semi_ = least_;
    for (auto i = static_cast<std::uint32_t>(of.parent.size()); i-- > 1;) {
      semi_[i] = of.parent[i];
      for (const std::uint32_t from : of.ways_in[i]) semi_[i] = std::min(semi_[i], semi_[least_above(from, i + 1)]);
    }
  }
  std::uint32_t operator[](std::uint32_t i) const { return semi_[i]; }

 private:
  // Returns the block with the least semidominator on the path from `i` up to the first block before `first`.
  std::uint32_t least_above(std::uint32_t i, std::uint32_t first) {
    if (up_[i] < first) return i < first ? i : least_[i];
    for (; up_[i] >= first; i = up_[i]) path_.push_back(i);
    for (; !path_.empty(); path_.pop_back()) {
      const std::uint32_t below = path_.back();
      if (semi_[least_[i]] < semi_[least_[below]]) least_[below] = least_[i];
      up_[below] = up_[i];
      i = below;
    }
    return least_[i];
  }

  std::vector<std::uint32_t> up_, least_, semi_, path_;
};

}  // namespace

void attributes::find_dominators(const function& f) {
  dominator_.assign(order_.size(), none);
  if (order_.empty()) return;
  const search_tree tree{f, order_};
  const semidominators semi{tree};
  std::vector<std::uint32_t> idom = tree.parent;
  for (std::uint32_t i = 1; i < idom.size(); ++i) {
    while (idom[i] > semi[i]) idom[i] = idom[idom[i]];
  }
  for (std::uint32_t i = 0; i < idom.size(); ++i)
    dominator_[position_[tree.blocks[i]]] = position_[tree.blocks[idom[i]]];
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
