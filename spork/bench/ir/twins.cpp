// The twins in C++ of the programs beside this file, built twice: `managed NAME N` forks where the program NAME in
// Spork IR does, by tine's managed front end on TINE_NUM_THREADS workers. `serial NAME N` has plain calls and loops
// there. Both print the output of the program.
#ifndef TWINS_ARE_SERIAL
#include <tine/managed.hpp>
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

namespace {

using number = std::int64_t;
using bits = std::uint64_t;  // where numbers wrap around

// All places that fork.
#ifdef TWINS_ARE_SERIAL
void both(auto f, auto g) { f(), g(); }
number sum_of_both(auto f, auto g) { return f() + g(); }
void each(number n, auto f) {
  for (number i = 0; i < n; ++i) f(i);
}
template <class T = number>
T sum_of(number low, number high, auto f) {
  T sum{};
  for (number i = low; i < high; ++i) sum += f(i);
  return sum;
}
int run(auto f) { return f(); }
#else
void both(auto f, auto g) { tine::par(f, g); }
number sum_of_both(auto f, auto g) { return tine::par(f, g, std::plus<>{}); }
void each(number n, auto f) { tine::par_for(number{0}, n, f); }
template <class T = number>
T sum_of(number low, number high, auto f) {
  return tine::par_reduce(low, high, T{}, f, std::plus<>{});
}
int run(auto f) { return tine::default_pool().run(f); }  // one root, like a run of a program in Spork IR
#endif

struct release {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using cells = std::unique_ptr<T[], release>;

/// Returns zeros on pages that no thread has touched, like the IR's `alloc`: if they are first written in parallel,
/// each page lies near its first writer.
template <class T = number>
cells<T> alloc(number n) {
  auto* p = static_cast<T*>(std::calloc(static_cast<std::size_t>(n) + (n == 0), sizeof(T)));
  if (p == nullptr) std::fputs("no memory for so large a program; give it a smaller number\n", stderr), std::exit(1);
  return cells<T>{p};
}

number scramble(number i) {
  const auto x = static_cast<number>(static_cast<bits>(i) * 6364136223846793005u + 1442695040888963407u);
  return x ^ (x >> 29);
}

[[gnu::noinline]] number fib(number n) {
  if (n < 2) return n;
  return sum_of_both([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
}

[[gnu::noinline]] number queens(number all, number columns, number left, number right, number free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const number here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  const number more = all & ~(c | l | r), rest = free ^ here;
  return sum_of_both([=] { return queens(all, c, l, r, more); },
                     [=] { return queens(all, columns, left, right, rest); });
}
number nqueens(number n) { return queens((1 << n) - 1, 0, 0, 0, (1 << n) - 1); }

number map_light(number n) {
  const auto room = alloc(n);
  number* const p = room.get();
  number sum = 0;
  for (number round = 0; round < 500; ++round) {
    each(n, [=](number i) { p[i] = (i * 3 + round) ^ (i >> 2); });
    sum += sum_of(0, n, [=](number i) { return p[i]; });
  }
  return sum;
}

number heavy(number x) {
  for (int k = 0; k < 100; ++k) x = scramble(x);
  return (x >> 33) & 1023;
}
number map_heavy(number n) { return sum_of(0, n, heavy); }

double line_fit(number n) {
  const auto x_room = alloc<double>(n), y_room = alloc<double>(n);
  double *const xs = x_room.get(), *const ys = y_room.get();
  each(n, [=](number i) {
    const number x = (i * 7919) & 1023;
    xs[i] = static_cast<double>(x), ys[i] = static_cast<double>(3 * x + 7 + (i & 15));
  });
  const auto sum = [&](auto f) { return sum_of<double>(0, n, f); };
  const double x = sum([=](number i) { return xs[i]; }), y = sum([=](number i) { return ys[i]; });
  const double xx = sum([=](number i) { return xs[i] * xs[i]; }), xy = sum([=](number i) { return xs[i] * ys[i]; });
  const auto count = static_cast<double>(n);
  return (count * xy - x * y) / (count * xx - x * x);
}

number escape(number j, number i, number n) {
  const double cr = static_cast<double>(j) * 3 / static_cast<double>(n) - 2;
  const double ci = static_cast<double>(i) * 2 / static_cast<double>(n) - 1;
  number k = 0;
  for (double r = 0, m = 0; k < 256 && r * r + m * m < 4; ++k) {
    const double next = r * r - m * m + cr;
    m = 2 * r * m + ci;
    r = next;
  }
  return k;
}
number mandelbrot(number n) {
  return sum_of(0, n, [=](number i) { return sum_of(0, n, [=](number j) { return escape(j, i, n); }); });
}

number is_prime(number i) {
  if (i < 2) return 0;
  for (number d = 2; d * d <= i; ++d) {
    if (i % d == 0) return 0;
  }
  return 1;
}
number primes(number n) { return sum_of(0, n, is_prime); }

number sparse_mxv(number n) {
  const auto one = alloc(n), other = alloc(n);
  number *x = one.get(), *y = other.get();
  each(n, [=](number i) { x[i] = i & 7; });
  for (int round = 0; round < 50; ++round) {
    each(n, [=](number i) {
      const number entries = (i * 2654435761 >> 7) & 31;
      y[i] = sum_of(0, entries, [=](number k) { return (k + 1) * x[(i * 31 + k * k * 17) % n]; }) & 1023;
    });
    std::swap(x, y);
  }
  return sum_of(0, n, [=](number i) { return x[i]; });
}

void merge_halves(number* p, number* q, number low, number middle, number high) {
  for (number i = low, j = middle, k = low; k < high; ++k)
    q[k] = i < middle && (j >= high || p[i] <= p[j]) ? p[i++] : p[j++];
  for (number c = low; c < high; ++c) p[c] = q[c];
}
[[gnu::noinline]] void sort(number* p, number* q, number low, number high) {
  if (high - low < 2) return;
  const number middle = low + ((high - low) >> 1);
  both([=] { sort(p, q, low, middle); }, [=] { sort(p, q, middle, high); });
  merge_halves(p, q, low, middle, high);
}
number merge_sort(number n) {
  const auto keys = alloc(n), room = alloc(n);
  number* const p = keys.get();
  each(n, [=](number i) { p[i] = scramble(i) & 16777215; });
  sort(p, room.get(), 0, n);
  return sum_of(0, n, [=](number i) { return p[i] * (i + 1); });
}

number triangle_count(number n) {
  const auto matrix = alloc(n * n);
  number* const edges = matrix.get();
  each(n, [=](number i) {
    for (number j = 0; j < n; ++j) {
      const number low = i < j ? i : j, high = i < j ? j : i;
      const auto hash = static_cast<number>(static_cast<bits>(low * 7919 + high * 104729) * 2654435761u);
      edges[i * n + j] = ((hash >> 20) & 3) == 0;
    }
  });
  return sum_of(0, n, [=](number i) {
    const number* const a = edges + i * n;
    return sum_of(i + 1, n, [=](number j) {
      const number* const b = edges + j * n;
      return a[j] == 0 ? 0 : sum_of(j + 1, n, [=](number k) { return a[k] & b[k]; });
    });
  });
}

// A program returns a number or a fraction.
constexpr struct {
  const char* name;
  number (*run)(number n);
  double (*fit)(number n) = nullptr;
} twins[] = {{"fib", fib},
             {"nqueens", nqueens},
             {"map_light", map_light},
             {"map_heavy", map_heavy},
             {"line_fit", nullptr, line_fit},
             {"mandelbrot", mandelbrot},
             {"primes", primes},
             {"sparse_mxv", sparse_mxv},
             {"merge_sort", merge_sort},
             {"triangle_count", triangle_count}};

int answer(const char* name, number n) {
  for (const auto& t : twins) {
    if (std::strcmp(name, t.name) != 0) continue;
    if (t.fit != nullptr) return std::printf("%.17g\n", t.fit(n)), 0;
    return std::printf("%lld\n", static_cast<long long>(t.run(n))), 0;
  }
  return std::fprintf(stderr, "no program '%s'\n", name), 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s NAME N\n", argv[0]), 2;
  return run([&] { return answer(argv[1], std::atoll(argv[2])); });
}
