// One segment of the sieve: the same code in all variants.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench::primes {

using prime = std::uint32_t;

/// Bit b of word w stands for the odd number 2·(64·w + b) + 1, but the very first bit stands for 2, because 1 is no prime.
using word = std::uint64_t;
constexpr std::int64_t numbers_of_word = 128;

constexpr std::array<prime, 4> wheel_primes = {2, 3, 5, 7};

/// The odd numbers that 3, 5 and 7 do not divide: a pattern that repeats after 105 words. Copying it does more than half of all
/// crossing out.
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

  /// Sets the bits of the primes and clears all others. `base` has the primes from 11 to at least the root of the greatest number
  /// in this segment.
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

}  // namespace bench::primes
