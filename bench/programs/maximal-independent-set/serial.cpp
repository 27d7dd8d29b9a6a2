// maximal-independent-set without forks: a choice refuses all neighbours.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

void serial(problem& p) {
  using namespace maximal_independent_set;
  for (vertex v = 0; v < p.g.vertices(); ++v) {
    if (p.states[v].load(relaxed) == state::refused) continue;
    p.states[v].store(state::chosen, relaxed);
    for (std::uint32_t arc = p.g.first[v]; arc < p.g.first[v + 1]; ++arc)
      if (const vertex u = p.g.targets[arc]; u > v) p.states[u].store(state::refused, relaxed);
  }
}

}  // namespace bench
