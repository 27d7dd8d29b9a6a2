// What Figure 4 writes below a block, inferred: its scope Γ and its spork nesting ρ.
//
// Γ is the largest that the rules allow: the temporaries assigned on every path, and as each is assigned in one place, those
// whose place dominates the block. So it is not stored, but asked for.
#pragma once

#include "spork/ir.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tine::spork {

/// A spork nesting, a number: index into attributes::nestings. Equal nestings have equal numbers; 0 is the empty one.
using nesting_id = std::uint32_t;

/// A nesting is another one and a spork opened inside it.
struct nesting {
  nesting_id outer = none;
  std::uint32_t depth = 0;
  invocation spawn;
  sharing tokens = sharing::half;
};

/// A way into a block with other sporks open than on the way found first.
struct nesting_clash {
  label entered;  ///< the mention of the block
  nesting_id here = 0, first = 0;
};

class attributes {
 public:
  explicit attributes(const function& f);

  /// Blocks that the entry leads to, each before what it dominates.
  const std::vector<block_id>& order() const { return order_; }
  bool is_reachable(block_id b) const { return position_[b] != none; }
  /// ρ of a reachable block. Of a clash the first counts.
  nesting_id nesting_of(block_id b) const { return nesting_[b]; }
  const nesting& operator[](nesting_id n) const { return nestings_[n]; }
  /// The same, as a list, outermost first.
  std::vector<const nesting*> list(nesting_id n) const;
  const std::vector<nesting_clash>& clashes() const { return clashes_; }

  /// Whether `t` is in Γ before statement number `index` of reachable block `b` (behind the last: in its transfer). The
  /// parameters of `b` are.
  bool in_scope(temp_id t, block_id b, std::size_t index) const;
  /// Whether every path to `b` leads through `a`.
  bool dominates(block_id a, block_id b) const { return enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }
  /// The last block on every path to `b`; of the entry itself.
  block_id dominator_of(block_id b) const { return order_[dominator_[position_[b]]]; }

 private:
  struct definition {
    block_id block = none;   ///< none: a parameter of the function
    std::size_t behind = 0;  ///< the first statement that sees it
    bool known = false;
  };

  void find_nestings(const function& f);
  nesting_id opened(nesting_id outer, const spork& s);
  void find_dominators(const function& f);
  void number_dominator_tree();
  void find_definitions(const function& f);

  std::vector<block_id> order_;
  std::vector<std::uint32_t> position_;  // in order_, or none
  std::vector<nesting_id> nesting_;
  std::vector<nesting> nestings_;
  std::unordered_map<std::string, nesting_id> known_nestings_;
  std::vector<nesting_clash> clashes_;
  std::vector<std::uint32_t> dominator_;      // both by position
  std::vector<std::uint32_t> enter_, leave_;  // of a walk over the dominator tree, by block
  std::vector<definition> definitions_;
};

}  // namespace tine::spork
