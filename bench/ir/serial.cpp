// The serial twins of the programs beside this file: `serial NAME N` prints what the program prints.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using number = std::int64_t;
using bits = std::uint64_t;  // where numbers wrap around

number fib(number n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

number queens(number all, number columns, number left, number right, number free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const number here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  return queens(all, c, l, r, all & ~(c | l | r)) + queens(all, columns, left, right, free ^ here);
}
number nqueens(number n) { return queens((1 << n) - 1, 0, 0, 0, (1 << n) - 1); }

number map_light(number n) {
  std::vector<number> p(n);
  number sum = 0;
  for (number round = 0; round < 500; ++round) {
    for (number i = 0; i < n; ++i) p[i] = (i * 3 + round) ^ (i >> 2);
    for (number i = 0; i < n; ++i) sum += p[i];
  }
  return sum;
}

number map_heavy(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) {
    number x = i;
    for (int k = 0; k < 100; ++k) {
      const auto y = static_cast<number>(static_cast<bits>(x) * 6364136223846793005u + 1442695040888963407u);
      x = y ^ (y >> 29);
    }
    sum += (x >> 33) & 1023;
  }
  return sum;
}

double line_fit(number n) {
  std::vector<double> xs(n), ys(n);
  for (number i = 0; i < n; ++i) {
    const number x = (i * 7919) & 1023;
    xs[i] = static_cast<double>(x);
    ys[i] = static_cast<double>(3 * x + 7 + (i & 15));
  }
  double x = 0, y = 0, xx = 0, xy = 0;
  for (number i = 0; i < n; ++i) x += xs[i];
  for (number i = 0; i < n; ++i) y += ys[i];
  for (number i = 0; i < n; ++i) xx += xs[i] * xs[i];
  for (number i = 0; i < n; ++i) xy += xs[i] * ys[i];
  const auto count = static_cast<double>(n);
  return (count * xy - x * y) / (count * xx - x * x);
}

number mandelbrot(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) {
    for (number j = 0; j < n; ++j) {
      const double cr = static_cast<double>(j) * 3 / static_cast<double>(n) - 2;
      const double ci = static_cast<double>(i) * 2 / static_cast<double>(n) - 1;
      number k = 0;
      for (double r = 0, m = 0; k < 256 && r * r + m * m < 4; ++k) {
        const double next = r * r - m * m + cr;
        m = 2 * r * m + ci;
        r = next;
      }
      sum += k;
    }
  }
  return sum;
}

bool is_prime(number i) {
  if (i < 2) return false;
  for (number d = 2; d * d <= i; ++d) {
    if (i % d == 0) return false;
  }
  return true;
}
number primes(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += is_prime(i);
  return sum;
}

number sparse_mxv(number n) {
  std::vector<number> x(n), y(n);
  for (number i = 0; i < n; ++i) x[i] = i & 7;
  for (int round = 0; round < 50; ++round) {
    for (number i = 0; i < n; ++i) {
      const number entries = (i * 2654435761 >> 7) & 31;
      number sum = 0;
      for (number k = 0; k < entries; ++k) sum += (k + 1) * x[(i * 31 + k * k * 17) % n];
      y[i] = sum & 1023;
    }
    std::swap(x, y);
  }
  number sum = 0;
  for (const number each : x) sum += each;
  return sum;
}

void sort(std::vector<number>& p, std::vector<number>& q, number low, number high) {
  if (high - low < 2) return;
  const number middle = low + ((high - low) >> 1);
  sort(p, q, low, middle);
  sort(p, q, middle, high);
  for (number i = low, j = middle, k = low; k < high; ++k)
    q[k] = i < middle && (j >= high || p[i] <= p[j]) ? p[i++] : p[j++];
  for (number c = low; c < high; ++c) p[c] = q[c];
}
number merge_sort(number n) {
  std::vector<number> p(n), q(n);
  for (number i = 0; i < n; ++i) {
    const auto x = static_cast<number>(static_cast<bits>(i) * 6364136223846793005u + 1442695040888963407u);
    p[i] = (x ^ (x >> 29)) & 16777215;
  }
  sort(p, q, 0, n);
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += p[i] * (i + 1);
  return sum;
}

number triangle_count(number n) {
  std::vector<number> edges(n * n);
  for (number i = 0; i < n; ++i) {
    for (number j = 0; j < n; ++j) {
      const number low = i < j ? i : j, high = i < j ? j : i;
      const auto hash = static_cast<number>(static_cast<bits>(low * 7919 + high * 104729) * 2654435761u);
      edges[i * n + j] = ((hash >> 20) & 3) == 0;
    }
  }
  number count = 0;
  for (number i = 0; i < n; ++i) {
    for (number j = i + 1; j < n; ++j) {
      if (edges[i * n + j] == 0) continue;
      for (number k = j + 1; k < n; ++k) count += edges[i * n + k] & edges[j * n + k];
    }
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: serial NAME N\n", stderr), 2;
  const number n = std::atoll(argv[2]);
  static constexpr std::pair<const char*, number (*)(number)> twins[] = {
      {"fib", fib},
      {"nqueens", nqueens},
      {"map_light", map_light},
      {"map_heavy", map_heavy},
      {"mandelbrot", mandelbrot},
      {"primes", primes},
      {"sparse_mxv", sparse_mxv},
      {"merge_sort", merge_sort},
      {"triangle_count", triangle_count},
  };
  if (std::strcmp(argv[1], "line_fit") == 0) return std::printf("%.17g\n", line_fit(n)), 0;
  for (const auto& [name, run] : twins) {
    if (std::strcmp(argv[1], name) == 0) return std::printf("%lld\n", static_cast<long long>(run(n))), 0;
  }
  return std::fprintf(stderr, "serial: no program '%s'\n", argv[1]), 2;
}
