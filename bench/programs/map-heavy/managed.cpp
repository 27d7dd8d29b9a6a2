// map-heavy on tine: a parallel loop over the elements.
#include "programs/map-heavy/problem.hpp"

#include <tine/tine.hpp>

namespace bench::map_heavy {

void managed(problem& p) {
  tine::par_for(std::size_t{0}, p.n, [a = p.a.data()](std::size_t i) { a[i] = hash_of(i); });
}

}  // namespace bench::map_heavy
