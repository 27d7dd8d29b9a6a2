// map-light on tine: a parallel loop over the elements.
#include "programs/map-light/problem.hpp"

#include <tine/tine.hpp>

namespace bench::map_light {

void managed(problem& p) {
  tine::par_for(std::size_t{0}, p.n, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

}  // namespace bench::map_light
