// Tests of random streams: a draw depends on strand, count and seed alone; it is the hash of the pedigree; and the
// numbers look random where simple pedigrees would show through.
#include <tine/augment/labels/pedigree.hpp>
#include <tine/augment/random.hpp>

#include "unit/augment/serial_driver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using tine::random_stream;
using tine::test::event;
using tine::test::play;
using tine::test::sp_program;
namespace dot_mix = tine::detail::dot_mix;

static_assert(std::uniform_random_bit_generator<random_stream>);

/// A vertex with both a pedigree and a stream.
struct both {
  tine::labels::labelled<tine::labels::pedigree> names;
  random_stream random{3};
  int drawn = 0;

  void fork(both& l, both& r) {
    names.fork(l.names, r.names);
    random.fork(l.random, r.random);
  }
  void join(both& l, both& r, both& after) {
    names.join(l.names, r.names, after.names);
    random.join(l.random, r.random, after.random);
  }
  void loop(both& subrange, std::uint64_t n) {
    names.loop(subrange.names, n);
    random.loop(subrange.random, n);
  }
  void iteration(std::uint64_t i, std::uint64_t n) {
    names.iteration(i, n);
    random.iteration(i, n);
    drawn = 0;
  }
  void append(both& next) { random.append(next.random); }
  void join_loop(both& subrange, both& after) {
    names.join_loop(subrange.names, after.names);
    random.join_loop(subrange.random, after.random);
  }
};

/// Returns a draw by its definition: the sum of factor times (number plus one) over the pedigree and the number of the
/// draw, mixed.
std::uint64_t by_definition(const std::vector<std::uint64_t>& ranks, int draw, std::uint64_t seed) {
  std::vector<std::uint64_t> list = ranks;
  list.push_back(static_cast<std::uint64_t>(draw));
  __extension__ using wide = unsigned __int128;
  wide total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    total = (total + static_cast<wide>(dot_mix::factor(seed, i)) * (list[i] + 1)) % dot_mix::prime;
  }
  return dot_mix::mixed(static_cast<std::uint64_t>(total));
}

/// Returns 16 draws at each event.
std::vector<std::uint64_t> draws(const sp_program& p, std::uint64_t seed) {
  std::vector<std::uint64_t> all(16 * p.events);
  const auto draw = [&](random_stream& v, event e) {
    for (std::size_t i = 0; i < 16; ++i) all[16 * e + i] = v();
  };
  play<random_stream>(p, 0, draw, random_stream{seed});
  return all;
}

/// Returns Pearson's statistic for equally likely cells, standardised. It is far from 0 if the cells are not equally
/// likely.
double deviation(const std::vector<std::size_t>& cells, std::size_t total) {
  const double expected = static_cast<double>(total) / static_cast<double>(cells.size());
  double chi = 0;
  for (const std::size_t c : cells)
    chi += (static_cast<double>(c) - expected) * (static_cast<double>(c) - expected) / expected;
  const double freedom = static_cast<double>(cells.size() - 1);
  return (chi - freedom) / std::sqrt(2 * freedom);
}

/// Appends the first draw of each strand of a balanced tree of forks, including the strands after joins, in serial
/// order.
void first_draws(random_stream v, int depth, std::vector<std::uint64_t>& to) {
  to.push_back(v());
  if (depth == 0) return;
  random_stream l, r, after;
  v.fork(l, r);
  first_draws(l, depth - 1, to);
  first_draws(r, depth - 1, to);
  v.join(l, r, after);
  to.push_back(after());
}

}  // namespace

TEST_CASE("no two draws of a program are equal, and another seed gives others") {
  const std::uint64_t seed = 18;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 20; ++i) {
    const sp_program p = tine::test::program_maker{random, 200}.make();
    std::vector<std::uint64_t> all = draws(p, 1), others = draws(p, 2);
    all.insert(all.end(), others.begin(), others.end());
    std::sort(all.begin(), all.end());
    REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
  }
}

TEST_CASE("a draw is the mixed dot product of the pedigree") {
  const std::uint64_t seed = 19;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int i = 0; i < 40; ++i) {
    const sp_program p = tine::test::program_maker{random, 60}.make();
    const auto compare = [](both& v, event) {
      const auto ranks = tine::labels::ranks(v.names.label());
      REQUIRE(v.random() == by_definition(ranks, v.drawn, 3));
      ++v.drawn;
    };
    play<both>(p, random(), compare);
  }
}

TEST_CASE("arithmetic in the field") {
  const std::uint64_t p = dot_mix::prime;
  CHECK(dot_mix::sum(p - 1, 1) == 0);
  CHECK(dot_mix::sum(p - 1, p - 1) == p - 2);
  CHECK(dot_mix::sum(std::uint64_t{1} << 63, std::uint64_t{1} << 63) == 59);
  CHECK(dot_mix::product(p - 1, p - 1) == 1);
  CHECK(dot_mix::product(p - 1, 2) == p - 2);
  CHECK(dot_mix::product(std::uint64_t{1} << 32, std::uint64_t{1} << 32) == 59);
  __extension__ using wide = unsigned __int128;
  std::mt19937_64 random{20};
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t x = random() % p, y = p - 1 - random() % 100;
    REQUIRE(dot_mix::product(x, y) == static_cast<std::uint64_t>(static_cast<wide>(x) * y % p));
  }
}

TEST_CASE("one strand's numbers, and those of neighbouring strands, are even") {
  std::vector<std::uint64_t> draws_of_one(1 << 17), strands, iterations(1 << 17);
  random_stream one{11}, root{12}, subrange;
  for (std::uint64_t& x : draws_of_one) x = one();
  first_draws(random_stream{13}, 16, strands);
  root.loop(subrange, iterations.size());
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    subrange.iteration(i, iterations.size());
    iterations[i] = subrange();
  }
  for (const auto* numbers : {&draws_of_one, &strands, &iterations}) {
    for (const int shift : {0, 17, 56}) {
      CAPTURE(shift);
      std::vector<std::size_t> bytes(256), pairs(256);
      for (std::size_t i = 0; i + 1 < numbers->size(); ++i) {
        const std::uint64_t x = (*numbers)[i] >> shift, next = (*numbers)[i + 1] >> shift;
        ++bytes[x & 255];
        ++pairs[(x & 15) << 4 | (next & 15)];
      }
      CHECK(std::abs(deviation(bytes, numbers->size() - 1)) < 5);
      CHECK(std::abs(deviation(pairs, numbers->size() - 1)) < 5);
    }
    std::size_t changed = 0;  // bits that differ between successive numbers: half of 64 on average
    for (std::size_t i = 0; i + 1 < numbers->size(); ++i) changed += std::popcount((*numbers)[i] ^ (*numbers)[i + 1]);
    CHECK(std::abs(static_cast<double>(changed) / static_cast<double>(numbers->size() - 1) - 32) < 0.1);
  }
}
