// map-heavy without forks.
#include "programs/map-heavy/problem.hpp"

namespace bench::map_heavy {

void serial(problem& p) {
  std::uint64_t* a = p.a.data();
  const std::size_t n = p.n;  // the compiler knows that no store to the array changes this copy
  for (std::size_t i = 0; i < n; ++i) a[i] = hash_of(i);
}

}  // namespace bench::map_heavy
