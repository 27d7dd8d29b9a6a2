// nqueens on tine as divide and conquer over the squares of every column, peaceful or not.
#include "programs/nqueens/divided.hpp"

namespace bench::nqueens {

std::int64_t dac(const problem& p) {
  return with_size(p.n, []<int N>() { return count_divided<N, N>({}, 0); });
}

}  // namespace bench::nqueens
