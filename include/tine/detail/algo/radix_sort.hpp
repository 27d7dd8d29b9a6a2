// The stable radix sort under integer_sort: an array of items that are copied without code, and a buffer of the same
// length.
#pragma once

#include <tine/detail/algo/fold_chunks.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace tine::detail {

/// Storage for `n` items, which does not begin or end them.
template <class T>
class raw_array {
 public:
  explicit raw_array(std::size_t n) : n_{n}, items_{std::allocator<T>{}.allocate(n)} {}
  ~raw_array() { std::allocator<T>{}.deallocate(items_, n_); }
  raw_array(const raw_array&) = delete;
  raw_array& operator=(const raw_array&) = delete;
  T* get() const noexcept { return items_; }

 private:
  std::size_t n_;
  T* items_;
};

/// True if a `T` may be copied over an object, or into storage, by its copy constructor alone. (A std::pair is no
/// trivially copyable type.)
template <class T>
inline constexpr bool copies_without_code =
    std::is_trivially_copy_constructible_v<T> && std::is_trivially_destructible_v<T>;

/// Sorts items by the bits of `key(item)` from `low` up to, but not including, `high`; all other bits are the same in
/// all items. Long arrays are scattered by their highest digit, so that the buckets fit a cache: the array is counted
/// and scattered in blocks, in parallel, and then the buckets are sorted in parallel. Short arrays are sorted from the
/// lowest digit up, in the cache of one worker.
template <class T, class Key>
class radix_sort {
  static_assert(copies_without_code<T>);

 public:
  radix_sort(const Key& key, unsigned low) noexcept : key_{key}, low_{low} {}

  /// Sorts the `n` items at `from`, with storage for as many at `other`. Leaves them at `other` if `to_other`, and
  /// otherwise at `from`. If there are at most `tiny` and they stay at `from`, no other storage is needed.
  void operator()(T* from, T* other, std::size_t n, unsigned high, bool to_other) const {
    const unsigned bits = high > low_ ? high - low_ : 0;
    if (n <= tiny) {
      insert_all(from, to_other ? other : from, n);
    } else if (bits == 0) {
      if (to_other) for_each_chunk(n, [=](std::uint64_t i, std::uint64_t end) { copy(from + i, end - i, other + i); });
    } else if (n <= few || (n * sizeof(T) <= cached_bytes && bits <= 3 * digit)) {
      sort_cached(from, other, n, bits, to_other);
    } else {
      scatter_and_sort(from, other, n, high, to_other);
    }
  }

  static constexpr std::size_t tiny = 32;

 private:
  static constexpr std::size_t few = 1024;
  static constexpr std::size_t cached_bytes =
      std::size_t{256} * 1024;  // with the buffer, half of a usual second-level cache
  static constexpr std::size_t bucket_bytes = std::size_t{16} * 1024;  // the aim of a scatter
  static constexpr std::size_t block_items = 65'536;
  static constexpr std::size_t most_blocks = 256;
  static constexpr unsigned digit = 8;  // bits
  static constexpr std::size_t values = std::size_t{1} << digit;

  using counts = std::array<std::size_t, values>;

  static void copy(const T* from, std::size_t n, T* to) { std::uninitialized_copy_n(from, n, to); }

  void insert_all(const T* from, T* to, std::size_t n) const {
    for (std::size_t i = 0; i != n; ++i) {
      const T item(from[i]);
      const std::uint64_t k = key_(item);
      std::size_t at = i;
      for (; at != 0 && key_(to[at - 1]) > k; --at) std::construct_at(to + at, to[at - 1]);
      std::construct_at(to + at, item);
    }
  }

  /// Sorts from the lowest digit up. Digits in which all items agree are left out.
  TINE_NOINLINE void sort_cached(T* from, T* other, std::size_t n, unsigned bits, bool to_other) const {
    const unsigned passes = (bits + digit - 1) / digit;
    std::array<std::array<std::uint32_t, values>, 64 / digit> places;
    for (unsigned p = 0; p != passes; ++p) places[p].fill(0);
    for (std::size_t i = 0; i != n; ++i) {
      std::uint64_t k = key_(from[i]) >> low_;
      for (unsigned p = 0; p != passes; ++p, k >>= digit) ++places[p][k % values];
    }
    T *source = from, *target = other;
    for (unsigned p = 0; p != passes; ++p) {
      std::uint32_t sum = 0;
      bool agree = false;
      for (std::uint32_t& c : places[p]) {
        agree |= c == n;
        sum += std::exchange(c, sum);
      }
      if (agree) continue;
      for (std::size_t i = 0; i != n; ++i) {
        const std::uint64_t value = (key_(source[i]) >> (low_ + p * digit)) % values;
        std::construct_at(target + places[p][value]++, source[i]);
      }
      std::swap(source, target);
    }
    if ((source == other) != to_other) copy(source, n, target);
  }

  TINE_NOINLINE void scatter_and_sort(T* from, T* other, std::size_t n, unsigned high, bool to_other) const {
    const unsigned wanted = static_cast<unsigned>(std::bit_width(n * sizeof(T) / bucket_bytes)) + 1;
    const unsigned width = std::min({digit, high - low_, wanted}), shift = high - width;
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    const std::size_t blocks = std::clamp<std::size_t>(n / block_items, 1, most_blocks),
                      length = (n + blocks - 1) / blocks;
    std::vector<counts> places(blocks);
    const auto visit = [&](auto visitor) {
      for_each_chunk(blocks, [&](std::uint64_t b, std::uint64_t stop) {
        for (; b != stop; ++b) {
          counts own = places[b];  // a local variable, so that workers do not share cache lines
          const std::size_t end = std::min(n, (b + 1) * length);
          for (std::size_t i = b * length; i < end; ++i) visitor(own, (key_(from[i]) >> shift) & mask, i);
          places[b] = own;
        }
      });
    };
    visit([](counts& own, std::uint64_t value, std::size_t) TINE_INLINED { ++own[value]; });
    const std::vector<std::size_t> begins = find_places(places, mask + 1);
    for (std::uint64_t v = 0; v <= mask; ++v) {
      if (begins[v + 1] - begins[v] == n) return (*this)(from, other, n, shift, to_other);
    }
    visit([from, other](counts& own, std::uint64_t value, std::size_t i)
              TINE_INLINED { std::construct_at(other + own[value]++, from[i]); });
    for_each_chunk(mask + 1, [&](std::uint64_t v, std::uint64_t stop) {
      for (; v != stop; ++v) {
        const std::size_t begin = begins[v];
        (*this)(other + begin, from + begin, begins[v + 1] - begin, shift, !to_other);
      }
    });
  }

  /// Replaces the counts by the places of the first item of each block and value. Returns the begins of all buckets,
  /// and the end.
  static std::vector<std::size_t> find_places(std::vector<counts>& places, std::size_t buckets) {
    std::vector<std::size_t> begins(buckets + 1);
    std::size_t sum = 0;
    for (std::size_t v = 0; v != buckets; ++v) {
      begins[v] = sum;
      for (counts& block : places) sum += std::exchange(block[v], sum);
    }
    begins[buckets] = sum;
    return begins;
  }

  const Key& key_;
  unsigned low_;
};

}  // namespace tine::detail
