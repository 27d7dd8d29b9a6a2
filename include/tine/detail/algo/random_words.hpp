// Random numbers by position: any worker computes those that it needs, in any order.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/splitmix64.hpp>

#include <cstdint>
#include <utility>

namespace tine::detail {

/// A sequence of random words, of which each one is computed from its position.
class random_words {
 public:
  explicit random_words(std::uint64_t seed) noexcept : key_{seed} {}

  TINE_ALWAYS_INLINE std::uint64_t at(std::uint64_t position) const noexcept {
    return base::splitmix64::at(key_, position);
  }

  /// Returns another sequence for each number `k`.
  random_words branch(std::uint64_t k) const noexcept {
    return random_words{base::splitmix64::at(base::splitmix64::mix(key_ ^ other), k)};
  }

 private:
  static constexpr std::uint64_t other = 0xd1b54a32d192ed03;

  std::uint64_t key_;
};

/// Numbers that are uniformly distributed below a bound, from consecutive words of a sequence.
class random_numbers {
 public:
  explicit random_numbers(const random_words& words) noexcept : words_{words} {}

  /// Returns a number from 0 up to, but not including, `bound` (Lemire 2019: one multiplication; few numbers take a
  /// division).
  TINE_ALWAYS_INLINE std::uint32_t below(std::uint32_t bound) noexcept {
    std::uint64_t product = std::uint64_t{next()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
      const std::uint32_t least = -bound % bound;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{next()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  TINE_ALWAYS_INLINE std::uint32_t next() noexcept {
    const std::uint64_t half = position_++;
    if (half % 2 == 0) word_ = words_.at(half / 2);
    return static_cast<std::uint32_t>(std::exchange(word_, word_ >> 32));
  }

  random_words words_;
  std::uint64_t position_ = 0, word_ = 0;
};

}  // namespace tine::detail
