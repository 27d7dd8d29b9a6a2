// Hoisting: a pure operation whose operands are assigned outside a loop moves to the block that dominates the loop's
// head. It may then be computed in vain, but has no effect. So it does not matter either which sporks are open there.
#include "ir/attributes.hpp"
#include "ir/c_functions.hpp"
#include "ir/pipeline.hpp"
#include "ir/successors.hpp"

#include <algorithm>
#include <utility>

namespace tine::spork {
namespace {

class hoister {
 public:
  hoister(const program& p, function& f) : p_{p}, f_{f}, facts_{f} {}

  void run() {
    find_loops();
    for (const block_id b : facts_.order()) {
      auto& statements = f_.blocks[b].statements;
      // operands first: an operand of a statement may itself have been moved before
      for (std::size_t i = 0; i < statements.size();) {
        const block_id to =
            statements[i].result != none && is_pure(p_, statements[i]) ? target(statements[i], b) : none;
        if (to == none) {
          ++i;
          continue;
        }
        block_of_[statements[i].result] = to;
        f_.blocks[to].statements.push_back(std::move(statements[i]));
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }

 private:
  // Finds for each block the heads of all loops around it. A loop consists of the blocks that lead back to a head that
  // dominates them.
  void find_loops() {
    std::vector<std::vector<block_id>> ways_in(f_.blocks.size());
    block_of_.assign(f_.temporaries.size(), none);
    for (const block_id b : facts_.order()) {
      for (const label& l : successors(f_.blocks[b].end)) ways_in[l.block].push_back(b);
      for (const temp_id t : f_.blocks[b].params) block_of_[t] = b;
      for (const statement& s : f_.blocks[b].statements) {
        if (s.result != none) block_of_[s.result] = b;
      }
    }
    heads_.resize(f_.blocks.size());
    for (const block_id head : facts_.order()) {
      std::vector<block_id> open;
      const auto add = [&](block_id b) {
        if (std::ranges::find(heads_[b], head) != heads_[b].end()) return;
        heads_[b].push_back(head);
        if (b != head) open.push_back(b);
      };
      for (const block_id from : ways_in[head]) {
        if (facts_.dominates(head, from)) add(head), add(from);
      }
      while (!open.empty()) {
        const block_id b = open.back();
        open.pop_back();
        for (const block_id from : ways_in[b]) add(from);
      }
    }
  }

  // Returns the block to which `s` moves from `b`: in front of the outermost loop on which `s` does not depend.
  block_id target(const statement& s, block_id b) const {
    for (const block_id head : heads_[b]) {  // outermost first
      if (head == 0) continue;               // nothing dominates the entry
      const block_id to = facts_.dominator_of(head);
      const auto ready = [&](const atom& a) {
        return a.is_constant() || block_of_[a.temporary()] == none || facts_.dominates(block_of_[a.temporary()], to);
      };
      if (std::ranges::all_of(s.args, ready)) return to;
    }
    return none;
  }

  const program& p_;
  function& f_;
  attributes facts_;
  std::vector<block_id> block_of_;            // where a temporary is assigned; none: a parameter of the function
  std::vector<std::vector<block_id>> heads_;  // heads of the loops around each block, outermost first
};

}  // namespace

void hoist(program& p) {
  for (function& f : p.functions) {
    if (!f.blocks.empty()) hoister{p, f}.run();
  }
}

}  // namespace tine::spork
