// The primes up to n by a sieve over any loops. Its segments fit into a cache, and another sieve gives the primes up to the
// square root of n.
#pragma once

#include "programs/primes/segment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace bench::primes {

/// A segment fits into the first cache and takes a fifth of a millisecond or more.
constexpr std::int64_t segment_words = 4096;

/// The memory that `find_primes` writes.
struct workspace {
  explicit workspace(std::int64_t up_to)
      : n{up_to},
        words{n / numbers_of_word + 1},
        segments{(words + segment_words - 1) / segment_words},
        sieve(static_cast<std::size_t>(words)),
        count(static_cast<std::size_t>(segments)),
        primes(static_cast<std::size_t>(most_primes())) {}

  segment number(std::int64_t s) {
    const std::int64_t first = s * segment_words;
    const std::int64_t size = std::min(segment_words, words - first);
    return {{sieve.data() + first, static_cast<std::size_t>(size)}, first};
  }

  /// Returns an upper bound for the number of primes up to n (Rosser and Schoenfeld 1962); for n below 17 it is the bound for 17.
  std::int64_t most_primes() const {
    const auto x = static_cast<double>(std::max(n, std::int64_t{17}));
    return static_cast<std::int64_t>(1.25506 * x / std::log(x)) + 1;
  }

  std::int64_t n;
  std::int64_t words;
  std::int64_t segments;
  std::vector<word> sieve;
  std::vector<std::int64_t> count;  ///< first of the primes in each segment, then of the primes before it
  std::vector<prime> primes;        ///< has room for more primes than there are
};

/// Returns the primes from 11 to the root of n.
template <class FindPrimes>
std::vector<prime> base_primes(std::int64_t n, FindPrimes find_primes) {
  if (n < 11 * 11) return {};
  workspace root{static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)))};
  const std::span<const prime> found = find_primes(root);
  return {found.begin() + wheel_primes.size(), found.end()};
}

/// Finds the primes up to w.n, which is at least 2, and returns them. They lie in w.primes.
template <class Loops>
std::span<const prime> find_primes(const Loops& loops, workspace& w) {
  const std::vector<prime> base = base_primes(w.n, [&loops](workspace& root) { return find_primes(loops, root); });
  loops.for_each(std::int64_t{0}, w.segments, [&](std::int64_t s) {
    const segment here = w.number(s);
    here.sieve(base);
    if (s == w.segments - 1) here.forget_above(w.n);
    w.count[static_cast<std::size_t>(s)] = here.count();
  });
  const std::int64_t in_last = w.count.back();
  std::exclusive_scan(w.count.begin(), w.count.end(), w.count.begin(), std::int64_t{0});
  loops.for_each(std::int64_t{0}, w.segments,
                 [&](std::int64_t s) { w.number(s).write(w.primes.data() + w.count[static_cast<std::size_t>(s)]); });
  w.primes[0] = 2;  // `write` gives 1 for its bit
  return {w.primes.data(), static_cast<std::size_t>(w.count.back() + in_last)};
}

}  // namespace bench::primes
