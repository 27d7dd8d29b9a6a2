// map-light on tine: divide and conquer down to single elements.
#include "programs/map-light/problem.hpp"

#include "harness/divide.hpp"

namespace bench::map_light {

void dac(problem& p) {
  divide_for(std::size_t{0}, p.n, single, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

}  // namespace bench::map_light
