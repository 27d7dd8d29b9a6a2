// map-heavy on tine's eager forks: parts of a size chosen by hand.
#include "programs/map-heavy/problem.hpp"

#include "harness/divide.hpp"

namespace bench::map_heavy {

void tuned(problem& p) {
  divide_for(std::size_t{0}, p.n, 16, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

}  // namespace bench::map_heavy
