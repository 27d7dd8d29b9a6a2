// A hash table of keys in the order of their first appearance, each with a value. One strand at a time changes a table.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tine::detail {

/// Mixes the bits of a hash, because std::hash often returns an integer as it is. The highest and the lowest bits of
/// the result depend on all bits.
constexpr std::uint64_t mixed(std::uint64_t hash) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = wide{hash ^ 0x9e3779b97f4a7c15} * 0xd1342543de82ef95;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// The keys lie in a vector with their values; an open-addressed table of words refers to them. A word has the number
/// of an entry and the highest bits of its hash, so that we compare few keys in vain.
template <class Key, class Value>
class key_table {
 public:
  using entry = std::pair<Key, Value>;

  std::vector<entry>& entries() noexcept { return entries_; }

  /// Returns the value of the key. If the key is new, appends it with the value that `make()` returns.
  template <class K, class Equal, class Make>
  TINE_ALWAYS_INLINE Value& at(std::uint64_t hash, K&& key, const Equal& equal, const Make& make) {
    if (Value* const found = find(hash, key, equal)) [[likely]]
      return *found;
    return append(hash, entry(std::forward<K>(key), make()));
  }

  /// Adds the entries of a table of later items. Calls `add(value, later)` for each key that both tables hold, possibly
  /// in parallel, and appends the other keys.
  template <class Equal, class Add>
  void merge(key_table&& later, const Equal& equal, const Add& add) {
    const std::size_t n = later.entries_.size();
    std::vector<char> is_new(n);  // not a std::vector<bool>, because several workers write to neighbours
    for_each_chunk(n, [&](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        const std::size_t i = k;
        entry& e = later.entries_[i];
        if (Value* const found = find(later.hashes_[i], e.first, equal)) {
          add(*found, std::move(e.second));
        } else {
          is_new[i] = 1;
        }
      }
    });
    make_space(entries_.size() + static_cast<std::size_t>(std::ranges::count(is_new, 1)));
    for (std::size_t i = 0; i != n; ++i) {
      if (is_new[i] != 0) append(later.hashes_[i], std::move(later.entries_[i]));
    }
  }

 private:
  static constexpr unsigned index_bits = 40;
  /// Up to this number slots are cheap. So we keep three quarters of them free: then few keys share one, which the
  /// processor would mispredict. In a larger table half of the slots stay free.
  static constexpr std::size_t small_table = 16'384;
  static constexpr std::uint64_t no_slot = 0;  // where an empty table has its slots
  static constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;

  /// Returns the value of the key; null if the table does not hold it.
  template <class K, class Equal>
  TINE_ALWAYS_INLINE Value* find(std::uint64_t hash, const K& key, const Equal& equal) {
    const std::uint64_t* const slots = first_slot_;
    for (std::uint64_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots[at];
      if (slot == 0) return nullptr;
      if (((slot ^ hash) >> index_bits) == 0) {
        entry& e = entries_[(slot & index_mask) - 1];
        if (equal(e.first, key)) [[likely]]
          return &e.second;
      }
    }
  }

  /// Appends a key that is not in the table, and returns its value.
  TINE_NOINLINE Value& append(std::uint64_t hash, entry&& e) {
    if (entries_.size() >= most_) grow(entries_.size() + 1);
    hashes_.push_back(hash);
    try {
      entries_.push_back(std::move(e));
    } catch (...) {
      hashes_.pop_back();
      throw;
    }
    refer(hash, entries_.size());
    return entries_.back().second;
  }

  /// Makes the first free slot of the hash refer to the entry with this number, counted from 1.
  void refer(std::uint64_t hash, std::uint64_t number) noexcept {
    std::uint64_t at = hash & mask_;
    while (slots_[at] != 0) at = (at + 1) & mask_;
    slots_[at] = (hash & ~index_mask) | number;
  }

  /// Makes space for that many entries, so that appending them does not allocate.
  void make_space(std::size_t count) {
    if (count > entries_.capacity()) entries_.reserve(std::max(count, 2 * entries_.size()));
    if (count > hashes_.capacity()) hashes_.reserve(std::max(count, 2 * hashes_.size()));
    if (count > most_) grow(count);
  }

  /// Makes enough slots for that many entries.
  void grow(std::size_t count) {
    if (count > index_mask) throw std::length_error{"tine: a table holds at most 2^40 keys"};
    std::size_t size = 64;
    while (most_of(size) < count) size *= 2;
    slots_.assign(size, 0);
    first_slot_ = slots_.data();
    mask_ = size - 1;
    most_ = most_of(size);
    for (std::size_t i = 0; i != hashes_.size(); ++i) refer(hashes_[i], i + 1);
  }

  static constexpr std::size_t most_of(std::size_t slots) noexcept {
    return slots <= small_table ? slots / 4 : slots / 2;
  }

  std::vector<entry> entries_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> slots_;  ///< none, or a power of two; 0: free
  const std::uint64_t* first_slot_ = &no_slot;
  std::uint64_t mask_ = 0;  ///< the number of slots minus 1
  std::size_t most_ = 0;    ///< with that many entries the slots are full enough
};

}  // namespace tine::detail
