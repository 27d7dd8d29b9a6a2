// The problem maximal-independent-set: choose vertices of a graph so that no two are joined and every other vertex is joined to one.
#pragma once

#include "harness/graph.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace bench::maximal_independent_set {

constexpr int usual_scale = 20;
constexpr int large_scale = 22;
constexpr int largest_scale = 23;

enum class state : unsigned char { undecided, chosen, refused };

/// The state of a vertex. Relaxed accesses are enough: a state is set once, to a value that is a function of the graph, and a thread that
/// finds it set reads nothing that was written before it.
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

}  // namespace bench::maximal_independent_set

namespace bench {
using maximal_independent_set::problem;
}
