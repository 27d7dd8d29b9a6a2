// Measures the time of reproducible reductions over that of the loose form: sums, dot products and norms of
// floating-point numbers. The two forms take turns, and a ratio is formed from two measurements of one round.
#include "harness/options.hpp"
#include "harness/splitmix.hpp"

#include <tine/tine.hpp>

#include <tine/base/ticks.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr std::plus<> plus{};

struct numbers {
  std::vector<double> x, y;
};

// The loose form, and the reproducible one.
double sum(const numbers& v, int n) {
  return tine::par_reduce(0, n, 0.0, [x = v.x.data()](int i) { return x[i]; }, plus);
}
double fixed_sum(const numbers& v, int n) {
  return tine::par_reduce(tine::reproducible, 0, n, 0.0, [x = v.x.data()](int i) { return x[i]; }, plus);
}
double dot(const numbers& v, int n) {
  return tine::par_reduce(0, n, 0.0, [x = v.x.data(), y = v.y.data()](int i) { return x[i] * y[i]; }, plus);
}
double fixed_dot(const numbers& v, int n) {
  return tine::par_reduce(
      tine::reproducible, 0, n, 0.0, [x = v.x.data(), y = v.y.data()](int i) { return x[i] * y[i]; }, plus);
}
double norm(const numbers& v, int n) {
  return std::sqrt(tine::par_reduce(0, n, 0.0, [x = v.x.data()](int i) { return x[i] * x[i]; }, plus));
}
double fixed_norm(const numbers& v, int n) {
  return std::sqrt(
      tine::par_reduce(tine::reproducible, 0, n, 0.0, [x = v.x.data()](int i) { return x[i] * x[i]; }, plus));
}

using reduction = double (*)(const numbers&, int);

/// Returns the ticks of `calls` calls, the first of which gives the result that is stored to `result`.
double ticks_of(reduction r, const numbers& v, int n, int calls, double& result) {
  const tine::base::ticks begun = tine::base::now();
  result = r(v, n);
  for (int k = 1; k < calls; ++k) {
    const double again = r(v, n);
    asm volatile("" : : "x"(again));
  }
  return static_cast<double>(tine::base::now() - begun);
}

/// Prints a row. Returns false if a result is wrong: two reproducible results must be equal, and both forms must agree
/// but for rounding.
bool compare(const char* name, reduction loose, reduction fixed, const numbers& v, int n, int rounds) {
  const int calls = std::max(1, 20'000'000 / n);
  std::vector<double> ratios;
  double some = 0, exact = 0, first = 0;
  bool right = true;
  for (int k = -1; k < rounds; ++k) {  // one round that is not counted
    const double of_loose = ticks_of(loose, v, n, calls, some);
    const double of_fixed = ticks_of(fixed, v, n, calls, exact);
    if (k < 0) {
      first = exact;
    } else {
      ratios.push_back(of_fixed / of_loose);
    }
    right = right && exact == first && std::abs(exact - some) <= 1e-9 * std::abs(exact);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("%-6s %10d %8.2f [%.2f..%.2f]%s\n", name, n, ratios[ratios.size() / 2], ratios.front(), ratios.back(),
              right ? "" : "  WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::options given{"reproducible", "Time of reproducible reductions over that of the loose form."};
  unsigned workers = 1;
  int rounds = 9;
  given.number("--workers", workers, {1, 512}, "Workers");
  given.number("--rounds", rounds, {1, 1000}, "Rounds");
  given.parse(argc, argv);

  constexpr int most = 10'000'000;
  numbers v{std::vector<double>(most), std::vector<double>(most)};
  bench::splitmix random{1};
  for (int i = 0; i < most; ++i) {
    v.x[static_cast<std::size_t>(i)] = random.unit();
    v.y[static_cast<std::size_t>(i)] = random.unit();
  }
  tine::pool pool{{.workers = workers}};
  bool right = true;
  for (int n = 100; n <= most; n *= n == 1'000 ? 100 : n == 100'000 ? 100 : 10) {
    pool.run([&] {
      right &= compare("sum", sum, fixed_sum, v, n, rounds);
      right &= compare("dot", dot, fixed_dot, v, n, rounds);
      right &= compare("norm", norm, fixed_norm, v, n, rounds);
    });
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
