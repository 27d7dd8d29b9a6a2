// Each program has other work around the site, so that the site's share of the time is between a fifth and nearly all.
#include "studies/whatif/programs.hpp"

#include <tine/tine.hpp>

#include <cstddef>

namespace bench::whatif {

namespace {

/// Computes for about this number of microseconds.
std::uint64_t spin(double us) {
  double x = 1;
  for (auto left = static_cast<std::int64_t>(us * 300); left > 0; --left) {
    x = x * 1.0000001 + 1e-9;
    asm volatile("" : "+x"(x));
  }
  return 1;
}

std::uint64_t tree(int n, double us) {
  if (n == 0) return spin(us);
  return tine::par([=] { return tree(n - 1, us); }, [=] { return tree(n - 1, us); },
                   [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

template <class Iteration>
std::uint64_t sum_of(std::size_t n, Iteration iteration) {
  return tine::par_reduce(std::size_t{0}, n, std::uint64_t{0}, iteration,
                          [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace

// The sites. They are functions of their own, so that each has a name.

[[gnu::noinline]] std::uint64_t changed_tree(int n, double us) {
  if (n == 0) return spin(us);
  return tine::par([=] { return changed_tree(n - 1, us); }, [=] { return changed_tree(n - 1, us); },
                   [](std::uint64_t a, std::uint64_t b) { return a + b; });
}
[[gnu::noinline]] std::uint64_t changed_loop(std::size_t n, double us) {
  return tine::par_reduce(
      std::size_t{0}, n, std::uint64_t{0}, [us](std::size_t i) { return spin(us * static_cast<double>(1 + i % 3)); },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}
[[gnu::noinline]] std::uint64_t changed_rows(std::size_t n, double us) {
  return tine::par_reduce(
      std::size_t{0}, n, std::uint64_t{0}, [us](std::size_t) { return spin(us); },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}
[[gnu::noinline]] std::uint64_t changed_pair(double us) {
  return tine::par([=] { return spin(us); }, [=] { return spin(us / 2); },
                   [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

namespace {

std::uint64_t tree_and_loop(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += changed_tree(8, 20 * scale) + sum_of(600, [](std::size_t) { return spin(13); });
  return sum;
}
std::uint64_t loop_and_tree(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += changed_loop(300, 8 * scale) + tree(8, 25);
  return sum;
}
std::uint64_t inner_loops(double scale) {
  return sum_of(60, [scale](std::size_t) { return spin(500) + changed_rows(80, 10 * scale); });
}
std::uint64_t serial_and_loop(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 10; ++i) sum += spin(4000) + changed_loop(500, 10 * scale);
  return sum;
}
std::uint64_t mostly_site(double scale) { return spin(5000) + changed_tree(13, 15 * scale); }
std::uint64_t chain_of_pairs(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 40; ++i) sum += changed_pair(1500 * scale) + tree(6, 20);
  return sum;
}
std::uint64_t uneven_tree(int n, double us, double scale) {
  if (n <= 1) return spin(us);
  return tine::par([=] { return uneven_tree(n - 1, us, scale); },
                   [=] { return n % 3 == 0 ? changed_rows(20, us * scale) : uneven_tree(n - 2, us, scale); },
                   [](std::uint64_t a, std::uint64_t b) { return a + b; });
}
std::uint64_t below_a_tree(double scale) { return uneven_tree(15, 30, scale) + tree(11, 30); }
std::uint64_t small_share(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 10; ++i) sum += tree(9, 25) + changed_rows(250, 12 * scale);
  return sum;
}

}  // namespace

const std::vector<program>& programs() {
  static const std::vector<program> all{{"tree and loop", "changed_tree", tree_and_loop, 10272},
                                        {"loop and tree", "changed_loop", loop_and_tree, 6672},
                                        {"inner loops", "changed_rows", inner_loops, 4860},
                                        {"serial and loop", "changed_loop", serial_and_loop, 5010},
                                        {"mostly the site", "changed_tree", mostly_site, 8193},
                                        {"chain of pairs", "changed_pair", chain_of_pairs, 2640},
                                        {"below a tree", "changed_rows", below_a_tree, 3830},
                                        {"a small share", "changed_rows", small_share, 7620}};
  return all;
}

}  // namespace bench::whatif
