// map-light on tine's eager forks: parts of a size chosen by hand.
#include "programs/map-light/problem.hpp"

#include "harness/divide.hpp"

namespace bench::map_light {

void tuned(problem& p) {
  divide_for(std::size_t{0}, p.n, 16384, [a = p.a.data(), b = p.b.data()](std::size_t i) { b[i] = image_of(a[i]); });
}

}  // namespace bench::map_light
