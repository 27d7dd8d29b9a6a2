// Loops without a grain: loops over indices and over items, reductions, nested loops, and a reduction that keeps the
// order.
#include <tine/tine.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace {

/// A triangle of sums: row i has i items. Rows differ in length, but the program needs no code for that.
long triangle(int n) {
  return tine::par_reduce(
      0, n, 0L, [](int i) { return tine::par_reduce(0, i, 0L, [=](int j) { return long{i} * j; }, std::plus<>{}); },
      std::plus<>{});
}

}  // namespace

int main() {
  std::vector<double> x(1'000'000, 1.0), y(1'000'000, 2.0);
  tine::par_for(0, x.size(), [&](auto i) { y[i] += 3 * x[i]; });
  tine::par_for(x, [](double& item) { item *= 2; });
  const double dot = tine::par_reduce(0, x.size(), 0.0, [&](auto i) { return x[i] * y[i]; }, std::plus<>{});

  // Concatenation is associative but not commutative: the order of the iterations is kept.
  const std::string digits =
      tine::par_reduce(0, 10, std::string{}, [](int i) { return std::to_string(i); }, std::plus<>{});

  std::printf("dot %.0f, triangle %ld, digits %s\n", dot, triangle(1000), digits.c_str());
  return dot == 1e7 && digits == "0123456789" ? 0 : 1;
}
