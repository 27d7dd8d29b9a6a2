// Merges blocks.
#include "ir/passes/substitution.hpp"
#include "ir/pipeline.hpp"

#include <iterator>
#include <utility>

namespace tine::spork {
namespace {

// Appends to each block the block to which only its goto leads, for as long as there is such a block.
void append_successors(function& f) {
  const std::vector<unsigned> ways_in = count_ways_in(f);
  substitution by{f};
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    for (;;) {
      const auto* j = std::get_if<jump>(&f.blocks[b].end.what);
      if (j == nullptr || j->to.block == b || ways_in[j->to.block] != 1) break;
      block& next = f.blocks[j->to.block];
      if (std::holds_alternative<unwritten>(next.end.what)) break;  // appended elsewhere, in unreachable code
      for (std::size_t i = 0; i < next.params.size(); ++i) by.replace(next.params[i], j->args[i]);
      auto& statements = f.blocks[b].statements;
      statements.insert(statements.end(), std::make_move_iterator(next.statements.begin()),
                        std::make_move_iterator(next.statements.end()));
      f.blocks[b].end = std::exchange(next.end, {});
      next.statements.clear();
      next.params.clear();
    }
  }
  by.apply(f);
  remove_unreachable(f);
}

// Skips each block that only passes its parameters on to another block, if no other code uses these parameters.
void skip_empty(function& f) {
  std::vector<unsigned> uses(f.temporaries.size());
  for_each_atom_of(f, [&](const atom& a) {
    if (!a.is_constant()) ++uses[a.temporary()];
  });
  const auto leads_to = [&](block_id b) -> block_id {
    const block& from = f.blocks[b];
    const auto* j = std::get_if<jump>(&from.end.what);
    if (j == nullptr || !from.statements.empty() || j->args.size() != from.params.size() || j->to.block == b)
      return none;
    for (std::size_t i = 0; i < j->args.size(); ++i) {
      if (!(j->args[i] == atom::of(from.params[i])) || uses[from.params[i]] != 1) return none;
    }
    return j->to.block;
  };
  for (block& b : f.blocks) {
    for_each_label(b.end, [&](label& l) {
      // bounded, because a ring of empty blocks is a loop without an end
      for (std::size_t most = f.blocks.size(); most > 0 && leads_to(l.block) != none; --most)
        l.block = leads_to(l.block);
    });
  }
  remove_unreachable(f);
}

}  // namespace

void merge_blocks(program& p) {
  for (function& f : p.functions) {
    append_successors(f);
    skip_empty(f);
  }
}

}  // namespace tine::spork
