// C = A·B for square matrices by recursion on quadrants: few forks, much memory traffic.
#pragma once

#include "programs/matmul/leaf.hpp"
#include "programs/matmul/matrix.hpp"

namespace bench::matmul {

constexpr int default_n = 2048;
constexpr int largest_n = 8192;

/// The four quadrants of a matrix of size 2·half.
struct quadrants {
  quadrants(view m, int half) : q11{m}, q12{m.at(0, half)}, q21{m.at(half, 0)}, q22{m.at(half, half)} {}
  view q11, q12, q21, q22;
};

/// The matrices of one product. The elements of A and B are integers from -8 to 8, so that every intermediate sum is a whole
/// number far below 2^53: all orders of summation give exactly the same C, and C can be checked exactly.
class problem {
 public:
  problem() = default;

  /// Makes the inputs if `n` has changed since the last call, and sets C to zero.
  void reset();

  /// Returns true if C is A·B, by Freivalds' method: compares C·x with A·(B·x) for random vectors x, which takes only n² steps
  /// each. A wrong C passes with a probability below 2^-40.
  bool product_is_right() const;

  /// Returns the sum of the elements of C: the answer that is reported.
  double sum() const;

  int n = default_n;
  matrix a{0};
  matrix b{0};
  matrix c{0};
};

void serial(const problem& p);
void managed(const problem& p);
void coro(const problem& p);
[[gnu::weak]] void tbb(const problem& p);
[[gnu::weak]] void openmp(const problem& p);

}  // namespace bench::matmul
