// The problem primes: find the prime numbers up to n.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace bench {

// One segment of the sieve: the same code in all variants.

using prime = std::uint32_t;

/// Bit b of word w stands for the odd number 2·(64·w + b) + 1, but the very first bit stands for 2, because 1 is no
/// prime.
using word = std::uint64_t;
constexpr std::int64_t numbers_of_word = 128;

constexpr std::array<prime, 4> wheel_primes = {2, 3, 5, 7};

/// The odd numbers that 3, 5 and 7 do not divide: a pattern that repeats after 105 words. Copying it does more than
/// half of all crossing out.
inline constexpr auto wheel = [] {
  std::array<word, 3 * 5 * 7> words{};
  for (std::size_t bit = 0; bit < 64 * words.size(); ++bit) {
    const std::size_t number = 2 * bit + 1;
    if (number % 3 != 0 && number % 5 != 0 && number % 7 != 0) words[bit / 64] |= word{1} << bit % 64;
  }
  return words;
}();

/// Some words of the sieve, and the number of the first of them.
struct segment {
  std::span<word> words;
  std::int64_t first;

  /// Sets the bits of the primes and clears all others. `base` has the primes from 11 to at least the root of the
  /// greatest number in this segment.
  void sieve(std::span<const prime> base) const {
    std::size_t spoke = static_cast<std::size_t>(first) % wheel.size();
    for (word& w : words) {
      w = wheel[spoke];
      if (++spoke == wheel.size()) spoke = 0;
    }
    if (first == 0) words[0] |= 0b1111;  // 2, 3, 5, 7

    const std::int64_t bits = static_cast<std::int64_t>(words.size()) * 64;
    for (const std::int64_t p : base) {
      const std::int64_t square = p * p / 2 - first * 64;
      if (square >= bits) break;
      std::int64_t bit = square >= 0 ? square : p - 1 - (-square - 1) % p;
      for (; bit < bits; bit += p) words[static_cast<std::size_t>(bit / 64)] &= ~(word{1} << bit % 64);
    }
  }

  /// Clears the bits of the numbers that are greater than n, where n is a number of the last word.
  void forget_above(std::int64_t n) const {
    const std::int64_t kept = (n % numbers_of_word + 1) / 2;
    if (kept < 64) words.back() &= (word{1} << kept) - 1;
  }

  std::int64_t count() const {
    std::int64_t ones = 0;
    for (const word w : words) ones += std::popcount(w);
    return ones;
  }

  /// Writes the primes to `to`, and returns the end of the written primes.
  prime* write(prime* to) const {
    std::int64_t number = first * numbers_of_word + 1;
    for (word w : words) {
      for (; w != 0; w &= w - 1) *to++ = static_cast<prime>(number + 2 * std::countr_zero(w));
      number += numbers_of_word;
    }
    return to;
  }
};

// The primes up to n by a sieve over any loops. Its segments fit into a cache, and another sieve gives the primes up to
// the square root of n.

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

  /// Returns an upper bound for the number of primes up to n (Rosser and Schoenfeld 1962); for n below 17 it is the
  /// bound for 17.
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

constexpr std::size_t usual_n = 500'000'000;
constexpr std::size_t large_n = 4'000'000'000;

/// The number of primes up to some number, and their sum modulo 2^64.
struct totals {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
};

/// The memory of a sieve, and its answer.
class problem {
 public:
  /// Makes room for the primes up to n if `n` has changed since the last call, and forgets the answer.
  void reset();
  std::size_t answer() const { return found.size(); }
  /// Returns a description of the mistake in `found`; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  workspace space{2};
  std::span<const prime> found;

 private:
  totals expected_;
};

template <class Algorithms>
void solve(problem& p, const Algorithms& algorithms) {
  p.found = find_primes(algorithms, p.space);
}

}  // namespace bench
