// See problem.hpp.
#include "programs/matmul/problem.hpp"

#include <random>
#include <vector>

namespace bench::matmul {
namespace {

/// Returns m·x. Every step is exact; see the class's comment.
std::vector<double> times(const matrix& m, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j)
      y[static_cast<std::size_t>(i)] += m.all().row(i)[j] * x[static_cast<std::size_t>(j)];
  return y;
}

void fill_with_small_integers(matrix& m, std::mt19937_64& random) {
  std::uniform_int_distribution<int> element{-8, 8};
  for (int i = 0; i < m.size(); ++i)
    for (int j = 0; j < m.size(); ++j) m.all().row(i)[j] = element(random);
}

}  // namespace

void problem::reset() {
  if (a.size() != n) {
    a = matrix{n};
    b = matrix{n};
    c = matrix{n};
    std::mt19937_64 random{1};  // a fixed seed: the same product in every process
    fill_with_small_integers(a, random);
    fill_with_small_integers(b, random);
  }
  c.fill(0);
}

bool problem::product_is_right() const {
  // |C·x| <= 64·n·n·2^20 < 2^53 for n <= 8192.
  std::mt19937_64 random{2};
  std::uniform_int_distribution<int> element{0, (1 << 20) - 1};
  for (int round = 0; round < 2; ++round) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& e : x) e = element(random);
    if (times(c, x) != times(a, times(b, x))) return false;
  }
  return true;
}

double problem::sum() const {
  double total = 0;
  for (double e : times(c, std::vector<double>(static_cast<std::size_t>(n), 1.0))) total += e;
  return total;
}

}  // namespace bench::matmul
