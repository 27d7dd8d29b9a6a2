// See problem.hpp.
#include "programs/scan/problem.hpp"

#include "harness/value.hpp"

namespace bench::scan {

void problem::allocate() {
  input.renew(n);
  sums.renew(n);
  before.renew(static_cast<std::size_t>(elements.blocks()));
}

std::string problem::mistake() const {
  std::uint64_t previous = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (sums[i] - previous != element(i)) return format("the sum of {} elements is wrong (n = {})", i + 1, n);
    previous = sums[i];
  }
  return "";
}

}  // namespace bench::scan
