// Walks over the control-flow graph, and infers types.
#include "ir/successors.hpp"

#include <algorithm>
#include <utility>

namespace tine::spork {

std::vector<label> successors(const transfer& t) {
  std::vector<label> found;
  const auto visit = [&](const label& l) { found.push_back(l); };
  std::visit(detail::label_visitor<const decltype(visit)>{visit}, t.what);
  return found;
}

std::vector<block_id> reverse_postorder(const function& f) {
  std::vector<block_id> order;
  if (f.blocks.empty() || !f.blocks[0].defined) return order;
  // an explicit stack: a function may have more blocks than a native stack has frames
  struct visit {
    block_id at;
    std::vector<label> left;
  };
  std::vector<bool> seen(f.blocks.size());
  std::vector<visit> open;
  const auto enter = [&](block_id b) {
    seen[b] = true;
    open.push_back({b, successors(f.blocks[b].end)});
  };
  enter(0);
  while (!open.empty()) {
    if (open.back().left.empty()) {
      order.push_back(open.back().at);
      open.pop_back();
      continue;
    }
    const block_id next = open.back().left.back().block;
    open.back().left.pop_back();
    if (f.blocks[next].defined && !seen[next]) enter(next);
  }
  std::ranges::reverse(order);
  return order;
}

bool offers_rest_of_loop(const function& f) {
  return std::ranges::any_of(f.blocks, [](const block& b) {
    const auto* s = std::get_if<spork>(&b.end.what);
    return s != nullptr && s->tokens == sharing::all;
  });
}

std::vector<type> types_of_params(const function& f, block_id b) {
  std::vector<type> all;
  for (const temp_id p : f.blocks[b].params) all.push_back(f.temporaries[p].of_type);
  return all;
}

bool only_returns(const function& f, block_id b) {
  const block& then = f.blocks[b];
  const auto* g = std::get_if<give_back>(&then.end.what);
  return g != nullptr && then.statements.empty() &&
         std::ranges::equal(g->values, then.params, {}, {}, [](temp_id t) { return atom::of(t); });
}

bool fits(const function& caller, const indirect_call& c, const function& callee) {
  const auto has_type = [&](const atom& a, type t) { return caller.type_of(a) == t; };
  return !callee.in_c && std::ranges::equal(c.args, callee.param_types, has_type) &&
         types_of_params(caller, c.then.block) == callee.results;
}

std::vector<bool> addressed_functions(const program& p) {
  std::vector<bool> found(p.functions.size());
  const auto note = [&](const atom& a) {
    if (a.is_address() && is_of_function(a.bits)) found[function_at(a.bits)] = true;
  };
  for (const datum& d : p.data) std::ranges::for_each(d.words, note);
  for (const function& f : p.functions) {
    for (const block& b : f.blocks) {
      for (const statement& s : b.statements) std::ranges::for_each(s.args, note);
      for_each_atom(b.end, note);
    }
  }
  return found;
}

void infer_types(program& p) {
  std::vector<type> operands;
  for (function& f : p.functions) {
    std::vector<block_id> order = reverse_postorder(f);
    std::vector<bool> ordered(f.blocks.size());
    for (const block_id b : order) ordered[b] = true;
    for (block_id b = 0; b < f.blocks.size(); ++b) {
      if (!ordered[b]) order.push_back(b);  // unreachable, but the verifier reports its errors, too
    }
    for (const block_id b : order) {
      for (const statement& s : f.blocks[b].statements) {
        if (s.result == none) continue;
        type& given = f.temporaries[s.result].of_type;
        if (given != type::unknown) continue;
        if (s.what == operation::call_c) {
          const function& callee = p.functions[s.callee];
          if (callee.results.size() == 1) given = callee.results[0];
          continue;
        }
        operands.clear();
        for (const atom& a : s.args) operands.push_back(f.type_of(a));
        given = result_of(s.what, operands, s.loaded);
      }
    }
  }
}

}  // namespace tine::spork
