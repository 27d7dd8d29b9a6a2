// The serial twins of the programs beside this file: `serial NAME N` prints the output of the program NAME.
#include "twins.hpp"

#include <utility>

namespace twins {
namespace {

number fib(number n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

number queens(number all, number columns, number left, number right, number free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const number here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  return queens(all, c, l, r, all & ~(c | l | r)) + queens(all, columns, left, right, free ^ here);
}
number nqueens(number n) { return queens((1 << n) - 1, 0, 0, 0, (1 << n) - 1); }

number map_light(number n) {
  const auto p = alloc(n);
  number sum = 0;
  for (number round = 0; round < light_rounds; ++round) {
    for (number i = 0; i < n; ++i) p[i] = light(i, round);
    for (number i = 0; i < n; ++i) sum += p[i];
  }
  return sum;
}

number map_heavy(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += heavy(i);
  return sum;
}

double line_fit(number n) {
  const auto xs = alloc<double>(n), ys = alloc<double>(n);
  for (number i = 0; i < n; ++i) xs[i] = fit_x(i), ys[i] = fit_y(i);
  double x = 0, y = 0, xx = 0, xy = 0;
  for (number i = 0; i < n; ++i) x += xs[i];
  for (number i = 0; i < n; ++i) y += ys[i];
  for (number i = 0; i < n; ++i) xx += xs[i] * xs[i];
  for (number i = 0; i < n; ++i) xy += xs[i] * ys[i];
  return slope(n, x, y, xx, xy);
}

number mandelbrot(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) {
    for (number j = 0; j < n; ++j) sum += escape(j, i, n);
  }
  return sum;
}

number primes(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += is_prime(i);
  return sum;
}

number sparse_mxv(number n) {
  auto x = alloc(n), y = alloc(n);
  for (number i = 0; i < n; ++i) x[i] = i & 7;
  for (int round = 0; round < products; ++round) {
    for (number i = 0; i < n; ++i) {
      const number entries = entries_of(i);
      number sum = 0;
      for (number k = 0; k < entries; ++k) sum += entry_times(k, i, x.get(), n);
      y[i] = sum & 1023;
    }
    std::swap(x, y);
  }
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += x[i];
  return sum;
}

void sort(number* p, number* q, number low, number high) {
  if (high - low < 2) return;
  const number middle = low + ((high - low) >> 1);
  sort(p, q, low, middle);
  sort(p, q, middle, high);
  merge_halves(p, q, low, middle, high);
}
number merge_sort(number n) {
  const auto p = alloc(n), q = alloc(n);
  for (number i = 0; i < n; ++i) p[i] = key(i);
  sort(p.get(), q.get(), 0, n);
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += p[i] * (i + 1);
  return sum;
}

number triangle_count(number n) {
  const auto edges = alloc(n * n);
  for (number i = 0; i < n; ++i) connect(i, edges.get(), n);
  number count = 0;
  for (number i = 0; i < n; ++i) {
    for (number j = i + 1; j < n; ++j) {
      if (edges[i * n + j] == 0) continue;
      for (number k = j + 1; k < n; ++k) count += edges[i * n + k] & edges[j * n + k];
    }
  }
  return count;
}

constexpr twin all[] = {{"fib", fib},
                        {"nqueens", nqueens},
                        {"map_light", map_light},
                        {"map_heavy", map_heavy},
                        {"line_fit", nullptr, line_fit},
                        {"mandelbrot", mandelbrot},
                        {"primes", primes},
                        {"sparse_mxv", sparse_mxv},
                        {"merge_sort", merge_sort},
                        {"triangle_count", triangle_count}};

}  // namespace
}  // namespace twins

int main(int argc, char** argv) { return twins::answer(argc, argv, twins::all); }
