// The common code of the twins in C++: the bodies of their loops, memory like that of the IR's `alloc`, and their
// command line.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

namespace twins {

using number = std::int64_t;
using bits = std::uint64_t;  // where numbers wrap around

struct release {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using cells = std::unique_ptr<T[], release>;

/// Returns zeros on pages that no thread has touched: if they are first written in parallel, each page lies near its
/// first writer.
template <class T = number>
cells<T> alloc(number n) {
  auto* p = static_cast<T*>(std::calloc(static_cast<std::size_t>(n) + (n == 0), sizeof(T)));
  if (p == nullptr) std::fputs("no memory for so large a program; give it a smaller number\n", stderr), std::exit(1);
  return cells<T>{p};
}

inline number scramble(number i) {
  const auto x = static_cast<number>(static_cast<bits>(i) * 6364136223846793005u + 1442695040888963407u);
  return x ^ (x >> 29);
}

inline number light(number i, number round) { return (i * 3 + round) ^ (i >> 2); }
constexpr number light_rounds = 500;

inline number heavy(number x) {
  for (int k = 0; k < 100; ++k) x = scramble(x);
  return (x >> 33) & 1023;
}

inline double fit_x(number i) { return static_cast<double>((i * 7919) & 1023); }
inline double fit_y(number i) { return static_cast<double>(3 * ((i * 7919) & 1023) + 7 + (i & 15)); }
inline double slope(number n, double x, double y, double xx, double xy) {
  const auto count = static_cast<double>(n);
  return (count * xy - x * y) / (count * xx - x * x);
}

inline number escape(number j, number i, number n) {
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

inline bool is_prime(number i) {
  if (i < 2) return false;
  for (number d = 2; d * d <= i; ++d) {
    if (i % d == 0) return false;
  }
  return true;
}

constexpr int products = 50;
inline number entries_of(number i) { return (i * 2654435761 >> 7) & 31; }
inline number entry_times(number k, number i, const number* x, number n) {
  return (k + 1) * x[(i * 31 + k * k * 17) % n];
}

inline number key(number i) { return scramble(i) & 16777215; }
inline void merge_halves(number* p, number* q, number low, number middle, number high) {
  for (number i = low, j = middle, k = low; k < high; ++k)
    q[k] = i < middle && (j >= high || p[i] <= p[j]) ? p[i++] : p[j++];
  for (number c = low; c < high; ++c) p[c] = q[c];
}

inline void connect(number i, number* edges, number n) {
  for (number j = 0; j < n; ++j) {
    const number low = i < j ? i : j, high = i < j ? j : i;
    const auto hash = static_cast<number>(static_cast<bits>(low * 7919 + high * 104729) * 2654435761u);
    edges[i * n + j] = ((hash >> 20) & 3) == 0;
  }
}

/// A program, which returns a number or a fraction.
struct twin {
  const char* name;
  number (*run)(number n);
  double (*fit)(number n) = nullptr;
};

/// The main function of both twins: `NAME N` prints the output of the program NAME in Spork IR.
inline int answer(int argc, char** argv, std::span<const twin> all) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s NAME N\n", argv[0]), 2;
  const number n = std::atoll(argv[2]);
  for (const twin& t : all) {
    if (std::strcmp(argv[1], t.name) != 0) continue;
    if (t.fit != nullptr) return std::printf("%.17g\n", t.fit(n)), 0;
    return std::printf("%lld\n", static_cast<long long>(t.run(n))), 0;
  }
  return std::fprintf(stderr, "%s: no program '%s'\n", argv[0], argv[1]), 2;
}

}  // namespace twins
