// maximal-matching without forks.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

void serial(problem& p) {
  using namespace maximal_matching;
  for (std::size_t i = 0; i < p.all.size(); ++i) {
    const auto [a, b] = p.all[i];
    if (a != b && p.chosen[a] == no_edge && p.chosen[b] == no_edge)
      p.chosen[a] = p.chosen[b] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace bench
