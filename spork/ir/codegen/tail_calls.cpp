// Finds the tail calls without which a stack could grow: those within recursions.
#include "ir/codegen/tail_calls.hpp"

#include "ir/successors.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine::spork {
namespace {

// The registers in which LLVM returns values on x86-64.
bool fit_into_registers(const std::vector<type>& results) {
  const auto fractions = std::ranges::count(results, type::f64);
  return fractions <= 2 && std::ssize(results) - fractions <= 3;
}

using graph = std::vector<std::vector<function_id>>;

// The functions that each function may call. A spawned call begins on another stack, or where its parent's body has
// returned; it counts, too.
graph calls_of(const program& p, const std::vector<bool>& addressed) {
  graph calls(p.functions.size());
  for (function_id f = 0; f < p.functions.size(); ++f) {
    for (const block& b : p.functions[f].blocks) {
      if (const auto* c = std::get_if<call>(&b.end.what)) calls[f].push_back(c->what.callee);
      if (const auto* s = std::get_if<spork>(&b.end.what)) calls[f].push_back(s->spawn.callee);
      if (!std::holds_alternative<indirect_call>(b.end.what)) continue;
      for (function_id g = 0; g < p.functions.size(); ++g) {
        if (addressed[g]) calls[f].push_back(g);
      }
    }
  }
  return calls;
}

// Returns the nodes that are reachable from `root` and not yet marked with a number, each behind those that are
// reachable from it.
std::vector<function_id> reach(const graph& edges, function_id root, std::uint32_t mark,
                               std::vector<std::uint32_t>& marks) {
  std::vector<function_id> done;
  std::vector<std::pair<function_id, std::size_t>> open;
  const auto enter = [&](function_id f) {
    if (marks[f] == none) marks[f] = mark, open.emplace_back(f, 0);
  };
  enter(root);
  while (!open.empty()) {
    auto& [f, next] = open.back();
    if (next < edges[f].size()) {
      enter(edges[f][next++]);
    } else {
      done.push_back(f);
      open.pop_back();
    }
  }
  return done;
}

// Returns a number for each function. Two functions have the same one if each may lead to a call of the other
// (Kosaraju's algorithm).
std::vector<std::uint32_t> recursions(const graph& calls) {
  graph callers(calls.size());
  for (function_id f = 0; f < calls.size(); ++f) {
    for (const function_id g : calls[f]) callers[g].push_back(f);
  }
  std::vector<std::uint32_t> seen(calls.size(), none), number(calls.size(), none);
  std::vector<function_id> order;
  for (function_id f = 0; f < calls.size(); ++f) {
    const std::vector<function_id> part = reach(calls, f, 0, seen);
    order.insert(order.end(), part.begin(), part.end());
  }
  for (auto f = order.rbegin(); f != order.rend(); ++f) reach(callers, *f, *f, number);
  return number;
}

}  // namespace

tail_calls::tail_calls(const program& p, bool are_possible)
    : callers_(p.functions.size()), members_(p.functions.size()) {
  if (!are_possible) return;
  const std::vector<bool> addressed = addressed_functions(p);
  const std::vector<std::uint32_t> recursion = recursions(calls_of(p, addressed));
  const auto is_promised = [&](function_id f, function_id callee) {
    return callee != f && recursion[callee] == recursion[f];
  };
  for (function_id f = 0; f < p.functions.size(); ++f) {
    if (!fit_into_registers(p.functions[f].results)) continue;
    for (const block& b : p.functions[f].blocks) {
      const auto* c = std::get_if<call>(&b.end.what);
      const auto* i = std::get_if<indirect_call>(&b.end.what);
      if (c != nullptr && only_returns(p.functions[f], c->then.block) && is_promised(f, c->what.callee))
        callers_[f] = members_[f] = members_[c->what.callee] = true;
      if (i != nullptr && only_returns(p.functions[f], i->then.block)) callers_[f] = members_[f] = addressed_ = true;
    }
  }
  for (function_id f = 0; f < p.functions.size(); ++f) addressed_ |= addressed[f] && members_[f];
  for (function_id f = 0; f < p.functions.size(); ++f) members_[f] = members_[f] || (addressed[f] && addressed_);
}

}  // namespace tine::spork
