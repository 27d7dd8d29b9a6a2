// The problem maximal-independent-set: choose vertices of a graph so that no two are joined and every other vertex is
// joined to one.
#pragma once

#include "harness/graph.hpp"

#include <atomic>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;
constexpr int largest_scale = 23;

enum class state : unsigned char { undecided, chosen, refused };

/// The state of a vertex. Relaxed accesses are enough: a state is set once, to a value that is a function of the graph,
/// and a thread that finds it set reads nothing that was written before it.
using atomic_state = std::atomic<state>;
inline constexpr auto relaxed = std::memory_order_relaxed;

/// A random graph, and the set that the loop over all vertices in the order of their numbers would choose.
class problem {
 public:
  /// Makes the graph if `scale` has changed since the last call, and forgets all choices.
  void reset();
  /// Returns the number of chosen vertices: the answer that is reported.
  std::size_t answer() const;
  /// Returns a description of the mistake in the choice; empty if it is right.
  std::string mistake() const;

  int scale = usual_scale;  ///< the binary logarithm of the number of vertices
  graph g;
  std::vector<atomic_state> states{0};

 private:
  state state_of(vertex v) const { return states[v].load(relaxed); }
};

// A maximal independent set in rounds (Blelloch, Fineman and Shun, SPAA 2012): a round decides every vertex whose
// neighbours with smaller numbers are decided, or of which one is chosen.

/// Returns the state that the states of the neighbours determine. Finds neighbours undecided or decided, as the other
/// iterations of the round have come; a decision is the same in all orders.
inline state decide(const graph& g, const std::vector<atomic_state>& states, vertex v) {
  state result = state::chosen;
  for (std::uint32_t arc = g.first[v]; arc < g.first[v + 1]; ++arc) {
    const vertex u = g.targets[arc];
    if (u >= v) continue;
    const state s = states[u].load(relaxed);
    if (s == state::chosen) return state::refused;
    if (s == state::undecided) result = state::undecided;
  }
  return result;
}

/// Vertices of the same round are taken in parts, so that most neighbours with smaller numbers are decided when a
/// vertex has its turn: the loop over a part of the order does less in vain than one over all vertices.
template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  const std::size_t n = p.g.vertices();
  const std::size_t part = std::max<std::size_t>(n / 50, 1024);
  std::vector<vertex> tries(part), left(part);
  std::size_t next = 0, waiting = 0;
  while (next < n || waiting > 0) {
    const std::size_t fresh = std::min(part - waiting, n - next);
    algorithms.for_each(std::size_t{0}, fresh,
                        [=, to = tries.data() + waiting](std::size_t i) { to[i] = static_cast<vertex>(next + i); });
    next += fresh;
    algorithms.for_each(std::size_t{0}, waiting + fresh, [&p, from = tries.data()](std::size_t i) {
      const state s = decide(p.g, p.states, from[i]);
      if (s != state::undecided) p.states[from[i]].store(s, relaxed);
    });
    const auto is_undecided = [&p](vertex v) { return p.states[v].load(relaxed) == state::undecided; };
    const auto end = algorithms.copy_if(tries.data(), tries.data() + waiting + fresh, left.data(), is_undecided);
    waiting = static_cast<std::size_t>(end - left.data());
    std::swap(tries, left);
  }
}

}  // namespace bench
