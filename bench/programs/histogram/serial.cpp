// histogram without forks.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

void serial(problem& p) {
  std::vector<std::size_t> counts(p.bins);
  for (const std::uint32_t key : p.keys) ++counts[key];
  p.counts = std::move(counts);
}

}  // namespace bench
