// map-heavy on tine: divide and conquer down to single elements.
#include "programs/map-heavy/problem.hpp"

#include "harness/divide.hpp"

namespace bench::map_heavy {

void dac(problem& p) {
  divide_for(std::size_t{0}, p.n, single, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

}  // namespace bench::map_heavy
