// nqueens on tine with tasks of a chosen size: forks in the first columns only.
#include "programs/nqueens/divided.hpp"

namespace bench::nqueens {
namespace {

/// Makes some thousands of tasks for 13 queens, of a hundred microseconds each.
constexpr int forked_columns = 4;

}  // namespace

std::int64_t tuned(const problem& p) {
  return with_size(p.n, []<int N>() { return count_divided<N, forked_columns>({}, 0); });
}

}  // namespace bench::nqueens
