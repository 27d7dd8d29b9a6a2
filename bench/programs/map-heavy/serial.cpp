// map-heavy without forks.
#include "programs/map-heavy/problem.hpp"

namespace bench::map_heavy {

void serial(problem& p) {
  std::uint64_t* a = p.a.data();
  for (std::size_t i = 0; i < p.n; ++i) a[i] = hash_of(i);
}

}  // namespace bench::map_heavy
