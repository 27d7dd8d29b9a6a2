// nqueens without forks.
#include "programs/nqueens/count_in_order.hpp"

namespace bench::nqueens {

std::int64_t serial(const problem& p) {
  return with_size(p.n, []<int N>() { return count_in_order<N>({}, 0); });
}

}  // namespace bench::nqueens
