// Infers the attributes that Figure 4 writes below each block: its scope Γ and its spork nesting ρ.
//
// Γ is the largest set that the rules allow: the temporaries that are assigned on every path to the block. Each is
// assigned in one place, so Γ holds the temporaries whose place dominates the block. Therefore Γ is not stored;
// `in_scope` computes membership.
#pragma once

#include "ir/program.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tine::spork {

/// The number of a spork nesting, an index into attributes::nestings_. Equal nestings have equal numbers; 0 is the
/// empty nesting.
using nesting_id = std::uint32_t;

/// A nesting: an outer nesting and a spork opened inside it.
struct nesting {
  nesting_id outer = none;
  std::uint32_t depth = 0;
  invocation spawn;
  sharing tokens = sharing::half;
};

/// An edge into a block on which other sporks are open than on the edge found first.
struct nesting_clash {
  label entered;  ///< the mention of the block
  nesting_id here = 0, first = 0;
};

class attributes {
 public:
  explicit attributes(const function& f);

  /// Returns the blocks that are reachable from the entry, each before the blocks that it dominates.
  const std::vector<block_id>& order() const { return order_; }
  bool is_reachable(block_id b) const { return position_[b] != none; }
  /// Returns ρ of a reachable block. In a clash the nesting counts that the code behind the block closes; if there is
  /// none, or several, the one found first.
  nesting_id nesting_of(block_id b) const { return nesting_[b]; }
  const nesting& operator[](nesting_id n) const { return nestings_[n]; }
  /// Returns the sporks of nesting `n` as a list, outermost first.
  std::vector<const nesting*> list(nesting_id n) const;
  const std::vector<nesting_clash>& clashes() const { return clashes_; }

  /// Returns true if `t` is in Γ before statement number `index` of the reachable block `b`; an index behind the last
  /// statement stands for the transfer. The parameters of `b` are in Γ.
  bool in_scope(temp_id t, block_id b, std::size_t index) const;
  /// Returns true if every path to `b` leads through `a`.
  bool dominates(block_id a, block_id b) const { return enter_[a] <= enter_[b] && leave_[b] <= leave_[a]; }
  /// Returns the immediate dominator of `b`, the last block on every path to it; for the entry, the entry itself.
  block_id dominator_of(block_id b) const { return order_[dominator_[position_[b]]]; }

 private:
  struct definition {
    block_id block = none;   ///< none: a parameter of the function
    std::size_t behind = 0;  ///< index of the first statement that can use it
    bool known = false;
  };

  void find_nestings(const function& f);
  /// `needed`: the number of sporks that have to be open at each block, or `none`.
  void find_nestings(const function& f, const std::vector<std::uint32_t>& needed);
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
  std::vector<std::uint32_t> dominator_;      // the immediate dominator; index and value are positions in order_
  std::vector<std::uint32_t> enter_, leave_;  // the clock of a walk over the dominator tree, by block
  std::vector<definition> definitions_;
};

}  // namespace tine::spork
