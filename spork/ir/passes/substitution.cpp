// Implements the changes that several passes make.
#include "ir/passes/substitution.hpp"

#include <utility>

namespace tine::spork {

void remove_unreachable(function& f) {
  std::vector<block_id> now(f.blocks.size(), none);
  for (const block_id b : reverse_postorder(f)) now[b] = b;
  std::vector<block> kept;
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    if (now[b] == none) continue;
    now[b] = static_cast<block_id>(kept.size());
    kept.push_back(std::move(f.blocks[b]));
  }
  f.blocks = std::move(kept);
  for (block& b : f.blocks) {
    for_each_label(b.end, [&](label& l) { l.block = now[l.block]; });
  }
}

substitution::substitution(const function& f) {
  for (temp_id t = 0; t < f.temporaries.size(); ++t) by_.push_back(atom::of(t));
}

atom substitution::find(atom a) const {
  while (!a.is_constant() && !(by_[a.temporary()] == a)) {
    const place where = a.where;
    a = by_[a.temporary()];
    a.where = where;
  }
  return a;
}

void substitution::apply(function& f) const {
  for_each_atom_of(f, [&](atom& a) { a = find(a); });
}

std::vector<unsigned> count_ways_in(const function& f) {
  std::vector<unsigned> ways(f.blocks.size());
  if (!ways.empty()) ways[0] = 1;
  for (const block& b : f.blocks) {
    for (const label& l : successors(b.end)) ++ways[l.block];
  }
  return ways;
}

}  // namespace tine::spork
