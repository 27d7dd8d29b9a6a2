// The study of `tine whatif`: runs one of eight programs, whose site is faster or slower by a factor, and prints a line
// of JSON. Each program has other work around the site, so that the site's share of the time is between a fifth and
// nearly all.
#include "harness/options.hpp"
#include "studies/status_of.hpp"

#include <tine/tine.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace bench::whatif {

/// A program of this study. The function `site` forks or loops, and all the work below it is multiplied by `scale`.
struct program {
  std::string name;
  std::string site;
  std::uint64_t (*run)(double scale);  ///< returns how many pieces of work it has done
  std::uint64_t right;                 ///< that number
};

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
  return tine::par([=] { return tree(n - 1, us); }, [=] { return tree(n - 1, us); }, std::plus<>{});
}

template <class Iteration>
std::uint64_t sum_of(std::size_t n, Iteration iteration) {
  return tine::par_reduce(std::size_t{0}, n, std::uint64_t{0}, iteration, std::plus<>{});
}

}  // namespace

// The sites. They are functions of their own, so that each has a name.

[[gnu::noinline]] std::uint64_t changed_tree(int n, double us) {
  if (n == 0) return spin(us);
  return tine::par([=] { return changed_tree(n - 1, us); }, [=] { return changed_tree(n - 1, us); }, std::plus<>{});
}
[[gnu::noinline]] std::uint64_t changed_loop(std::size_t n, double us) {
  return tine::par_reduce(
      std::size_t{0}, n, std::uint64_t{0}, [us](std::size_t i) { return spin(us * static_cast<double>(1 + i % 3)); },
      std::plus<>{});
}
[[gnu::noinline]] std::uint64_t changed_rows(std::size_t n, double us) {
  return tine::par_reduce(std::size_t{0}, n, std::uint64_t{0}, [us](std::size_t) { return spin(us); }, std::plus<>{});
}
[[gnu::noinline]] std::uint64_t changed_pair(double us) {
  return tine::par([=] { return spin(us); }, [=] { return spin(us / 2); }, std::plus<>{});
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
                   std::plus<>{});
}
std::uint64_t below_a_tree(double scale) { return uneven_tree(15, 30, scale) + tree(11, 30); }
std::uint64_t small_share(double scale) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 10; ++i) sum += tree(9, 25) + changed_rows(250, 12 * scale);
  return sum;
}

}  // namespace

const program programs[]{
    {"tree and loop", "changed_tree", tree_and_loop, 10272}, {"loop and tree", "changed_loop", loop_and_tree, 6672},
    {"inner loops", "changed_rows", inner_loops, 4860},      {"serial and loop", "changed_loop", serial_and_loop, 5010},
    {"mostly the site", "changed_tree", mostly_site, 8193},  {"chain of pairs", "changed_pair", chain_of_pairs, 2640},
    {"below a tree", "changed_rows", below_a_tree, 3830},    {"a small share", "changed_rows", small_share, 7620}};

}  // namespace bench::whatif

namespace {

struct wishes {
  unsigned program = 1;
  unsigned workers = 2;
  double scale = 1;
};

int run(const wishes& o) {
  const bench::whatif::program& p = bench::whatif::programs[o.program - 1];
  tine::pool pool{{.workers = o.workers}};
  std::uint64_t answer = 0;
  const double seconds = bench::seconds_of([&] { pool.run([&] { answer = p.run(o.scale); }); });
  const nlohmann::json line{{"study", "whatif"},
                            {"program", p.name},
                            {"site", p.site},
                            {"workers", o.workers},
                            {"scale", o.scale},
                            {"seconds", seconds},
                            {"verified", answer == p.right}};
  std::puts(line.dump().c_str());
  return answer == p.right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  wishes o;
  bench::options given{"whatif", "Runs a program whose call site is faster or slower by a factor."};
  given.number("--program", o.program, {1, 8}, "Which program");
  given.number("--workers", o.workers, {1, tine::max_workers}, "Workers");
  given.number("--scale", o.scale, {1e-3, 1e3}, "Time of the work below the site, as a multiple of the usual time");
  given.parse(argc, argv);
  return bench::status_of("whatif", [&] { return run(o); });
}
