// Gives the promoted way a copy of its own. Where the promoted way and the usual way meet in a block that returns, the
// usual way's last call is not in tail position and cannot become a loop: fib takes half as long again.
#include "ir/passes/substitution.hpp"
#include "ir/pipeline.hpp"

#include "ir/builder.hpp"

#include <map>
#include <utility>

namespace tine::spork {
namespace {

constexpr std::size_t most_statements = 8;

bool is_worth_it(const function& f, block_id b, const std::vector<unsigned>& ways_in) {
  return ways_in[b] > 1 && f.blocks[b].statements.size() <= most_statements &&
         std::holds_alternative<give_back>(f.blocks[b].end.what);
}

// Copies a block, with new temporaries for all that it assigns, and returns the copy.
block_id copy_block(function& f, block_id from, names_of_function& names) {
  builder make{f, f.blocks[from].where, &names};
  const block_id to = make.add_block(f.blocks[from].name + ".promoted");
  block copy = f.blocks[from];
  std::map<temp_id, temp_id> now;
  const auto rename = [&](temp_id& t) {
    if (t == none) return;
    const auto [known, is_new] = now.try_emplace(t);
    if (is_new) known->second = make.temp(f.temporaries[t].name, f.temporaries[t].of_type);
    t = known->second;
  };
  const auto replace = [&](atom& a) {
    if (const auto known = a.is_constant() ? now.end() : now.find(a.temporary()); known != now.end())
      a.bits = known->second;
  };
  for (temp_id& p : copy.params) rename(p);
  for (statement& s : copy.statements) {
    for (atom& a : s.args) replace(a);
    rename(s.result);
  }
  for_each_atom(copy.end, replace);
  copy.name = f.blocks[to].name;
  f.blocks[to] = std::move(copy);
  return to;
}

}  // namespace

void split_promoted(program& p) {
  for (function& f : p.functions) {
    const std::vector<unsigned> ways_in = count_ways_in(f);
    names_of_function names;
    for (block_id b = 0; b < ways_in.size(); ++b) {
      const auto* s = std::get_if<spoin>(&f.blocks[b].end.what);
      if (s == nullptr || !is_worth_it(f, s->promoted.block, ways_in)) continue;
      const block_id copy = copy_block(f, s->promoted.block, names);
      std::get<spoin>(f.blocks[b].end.what).promoted.block = copy;
    }
    remove_unreachable(f);  // a copied block may have been reachable from spoins only
  }
}

}  // namespace tine::spork
