// A sequence of bits that grows at its end. One strand at a time changes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::detail {

/// A growing sequence of bits, which are appended and read up to 64 at a time.
class bit_sequence {
 public:
  std::uint64_t size() const noexcept { return size_; }

  /// Appends the lowest `count` bits of `word`, 1 to 64; its other bits must be 0.
  void append(std::uint64_t word, unsigned count) {
    const unsigned used = static_cast<unsigned>(size_ % 64);
    if (used == 0) {
      words_.push_back(word);
    } else {
      if (used + count > 64) words_.push_back(word >> (64 - used));
      words_[size_ / 64] |= word << used;
    }
    size_ += count;
  }

  void append(const bit_sequence& other) {
    words_.reserve(words_.size() + other.words_.size() + 1);
    for (std::uint64_t at = 0; at < other.size_; at += 64) {
      const std::uint64_t rest = other.size_ - at;
      append(other.words_[at / 64], rest < 64 ? static_cast<unsigned>(rest) : 64);
    }
  }

  /// Returns `count` bits from bit number `at` on, all of which must exist. All higher bits are 0.
  std::uint64_t bits(std::uint64_t at, unsigned count) const noexcept {
    const std::size_t word = at / 64;
    const unsigned shift = static_cast<unsigned>(at % 64);
    std::uint64_t found = words_[word] >> shift;
    if (shift + count > 64) found |= words_[word + 1] << (64 - shift);
    return count == 64 ? found : found & ((std::uint64_t{1} << count) - 1);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

}  // namespace tine::detail
