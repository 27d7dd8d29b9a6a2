// The managed twins of the programs beside this file: they fork in the same places on tine's managed front end.
// `managed NAME N` prints the output of the program NAME, on TINE_NUM_THREADS workers.
#include "twins.hpp"

#include <tine/managed.hpp>

#include <functional>
#include <utility>

namespace twins {
namespace {

number sum_of(number low, number high, auto map) { return tine::par_reduce(low, high, number{0}, map, std::plus<>{}); }

[[gnu::noinline]] number fib(number n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, std::plus<>{});
}

[[gnu::noinline]] number queens(number all, number columns, number left, number right, number free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const number here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  const number more = all & ~(c | l | r), rest = free ^ here;
  return tine::par([=] { return queens(all, c, l, r, more); }, [=] { return queens(all, columns, left, right, rest); },
                   std::plus<>{});
}
number nqueens(number n) { return queens((1 << n) - 1, 0, 0, 0, (1 << n) - 1); }

number map_light(number n) {
  const auto cells = alloc(n);
  number* const p = cells.get();
  number sum = 0;
  for (number round = 0; round < light_rounds; ++round) {
    tine::par_for(number{0}, n, [=](number i) { p[i] = light(i, round); });
    sum += sum_of(0, n, [=](number i) { return p[i]; });
  }
  return sum;
}

number map_heavy(number n) { return sum_of(0, n, heavy); }

double line_fit(number n) {
  const auto x_cells = alloc<double>(n), y_cells = alloc<double>(n);
  double *const xs = x_cells.get(), *const ys = y_cells.get();
  tine::par_for(number{0}, n, [=](number i) { xs[i] = fit_x(i), ys[i] = fit_y(i); });
  const auto sum = [&](auto map) { return tine::par_reduce(number{0}, n, 0.0, map, std::plus<>{}); };
  const double x = sum([=](number i) { return xs[i]; }), y = sum([=](number i) { return ys[i]; });
  const double xx = sum([=](number i) { return xs[i] * xs[i]; }), xy = sum([=](number i) { return xs[i] * ys[i]; });
  return slope(n, x, y, xx, xy);
}

number mandelbrot(number n) {
  return sum_of(0, n, [=](number i) { return sum_of(0, n, [=](number j) { return escape(j, i, n); }); });
}

number primes(number n) {
  return sum_of(0, n, [](number i) -> number { return is_prime(i); });
}

number sparse_mxv(number n) {
  const auto one = alloc(n), other = alloc(n);
  number *x = one.get(), *y = other.get();
  tine::par_for(number{0}, n, [=](number i) { x[i] = i & 7; });
  for (int round = 0; round < products; ++round) {
    tine::par_for(number{0}, n, [=](number i) {
      y[i] = sum_of(0, entries_of(i), [=](number k) { return entry_times(k, i, x, n); }) & 1023;
    });
    std::swap(x, y);
  }
  return sum_of(0, n, [=](number i) { return x[i]; });
}

[[gnu::noinline]] void sort(number* p, number* q, number low, number high) {
  if (high - low < 2) return;
  const number middle = low + ((high - low) >> 1);
  tine::par([=] { sort(p, q, low, middle); }, [=] { sort(p, q, middle, high); });
  merge_halves(p, q, low, middle, high);
}
number merge_sort(number n) {
  const auto keys = alloc(n), room = alloc(n);
  number* const p = keys.get();
  tine::par_for(number{0}, n, [=](number i) { p[i] = key(i); });
  sort(p, room.get(), 0, n);
  return sum_of(0, n, [=](number i) { return p[i] * (i + 1); });
}

number triangle_count(number n) {
  const auto matrix = alloc(n * n);
  number* const edges = matrix.get();
  tine::par_for(number{0}, n, [=](number i) { connect(i, edges, n); });
  return sum_of(0, n, [=](number i) {
    const number* const a = edges + i * n;
    return sum_of(i + 1, n, [=](number j) {
      const number* const b = edges + j * n;
      return a[j] == 0 ? 0 : sum_of(j + 1, n, [=](number k) { return a[k] & b[k]; });
    });
  });
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

// The whole run is one root, like a run of a program in Spork IR.
int main(int argc, char** argv) {
  return tine::default_pool().run([&] { return twins::answer(argc, argv, twins::all); });
}
