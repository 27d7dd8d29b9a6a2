// Block merging.
#include "spork/passes/edit.hpp"
#include "spork/passes/passes.hpp"

#include <iterator>
#include <utility>

namespace tine::spork {
namespace {

// Appends to each block the one that only its goto leads to, for as long as there is one.
void append_successors(function& f) {
  const std::vector<unsigned> ways_in = count_ways_in(f);
  substitution by{f};
  for (block_id b = 0; b < f.blocks.size(); ++b) {
    for (;;) {
      const auto* j = std::get_if<jump>(&f.blocks[b].end.what);
      if (j == nullptr || j->to.block == b || ways_in[j->to.block] != 1) break;
      block& next = f.blocks[j->to.block];
      if (std::holds_alternative<unwritten>(next.end.what)) break;  // appended elsewhere, in code that nothing leads to
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

// A block without parameters that only goes to another one without is passed over.
void skip_empty(function& f) {
  const auto leads_to = [&](block_id b) -> block_id {
    const auto* j = std::get_if<jump>(&f.blocks[b].end.what);
    const bool empty = j != nullptr && j->args.empty() && f.blocks[b].statements.empty() && f.blocks[b].params.empty();
    return empty && j->to.block != b ? j->to.block : none;
  };
  for (block& b : f.blocks) {
    for_each_label(b.end, [&](label& l) {
      // a ring of empty blocks is a loop without an end
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
