// The words of a text, and a hash table of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace bench::word_frequencies {

/// Returns true for a space and the characters that break lines.
inline bool separates(char c) { return c == ' ' || static_cast<unsigned char>(c - '\t') < 5; }

/// Calls `visit` with each word that begins in [begin, end), in order.
template <class Visit>
void for_each_word(std::string_view text, std::size_t begin, std::size_t end, const Visit& visit) {
  std::size_t at = begin;
  if (at > 0)
    while (at < end && !separates(text[at - 1])) ++at;
  while (true) {
    while (at < end && separates(text[at])) ++at;
    if (at >= end) return;
    const std::size_t first = at;
    while (at < text.size() && !separates(text[at])) ++at;
    visit(text.substr(first, at - first));
  }
}

/// The words that were added, each once, in the order in which they were first added, with the sums of their counts: a
/// hash table with linear probing (Knuth, vol. 3, 6.4).
class word_table {
 public:
  struct entry {
    std::string_view word;
    std::uint64_t hash;
    std::uint32_t count;
  };

  static std::uint64_t hash_of(std::string_view word) { return std::hash<std::string_view>{}(word); }

  /// Adds `count` to the count of the word, and returns the number of its entry.
  std::uint32_t add(std::string_view word, std::uint64_t hash, std::uint32_t count) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].number != none; at = (at + 1) & mask) {
      entry& here = entries_[slots_[at].number];
      if (slots_[at].tag == tag_of(hash) && here.word == word) {
        here.count += count;
        return slots_[at].number;
      }
    }
    const auto number = static_cast<std::uint32_t>(entries_.size());
    slots_[at] = {tag_of(hash), number};
    entries_.push_back({word, hash, count});
    if (entries_.size() > slots_.size() / 2) grow();
    return number;
  }

  /// Adds `count` to the count of entry `number`.
  void add_to(std::uint32_t number, std::uint32_t count) { entries_[number].count += count; }

  const std::vector<entry>& entries() const { return entries_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The tag saves most visits to entries with other words.
  struct slot {
    std::uint32_t tag;
    std::uint32_t number;  ///< of the entry
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 24); }

  void grow() {
    slots_.assign(slots_.size() * 2, slot{0, none});
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      std::size_t at = entries_[k].hash & mask;
      while (slots_[at].number != none) at = (at + 1) & mask;
      slots_[at] = {tag_of(entries_[k].hash), static_cast<std::uint32_t>(k)};
    }
  }

  std::vector<entry> entries_;
  std::vector<slot> slots_ = std::vector<slot>(1024, slot{0, none});
};

}  // namespace bench::word_frequencies
