// integer_sort: a stable sort by an integer key.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/algo/radix_sort.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tine {
namespace detail {

/// Maps a key to an unsigned integer with the same place in the order.
template <std::integral K>
TINE_ALWAYS_INLINE constexpr std::uint64_t in_unsigned_order(K k) noexcept {
  static_assert(sizeof(K) <= sizeof(std::uint64_t), "tine: the key of integer_sort has at most 64 bits");
  if constexpr (std::is_signed_v<K>) {
    constexpr auto sign = std::uint64_t{1} << std::numeric_limits<K>::digits;
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<K>>(k)) ^ sign;
  } else {
    return static_cast<std::uint64_t>(k);
  }
}

/// Returns the bits in which the keys of `n` items differ.
template <class T, class Key>
std::uint64_t differing_bits(const T* items, std::uint64_t n, const Key& key) {
  return fold_chunks(
      n, [] { return std::uint64_t{0}; },
      [items, key, one = key(items[0])](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        std::uint64_t bits = 0;
        for (std::uint64_t i = begin; i != end; ++i) bits |= key(items[i]) ^ one;
        so_far |= bits;
      },
      [](std::uint64_t& so_far, std::uint64_t later) { so_far |= later; });
}

/// Sorts `n` items; there is at least one.
template <class T, class Key>
void radix_sort_items(T* items, std::size_t n, const Key& key) {
  const std::uint64_t bits = differing_bits(items, n, key);
  if (bits == 0) return;
  const radix_sort<T, Key> sort{key, static_cast<unsigned>(std::countr_zero(bits))};
  const raw_array<T> buffer{n <= sort.tiny ? 0 : n};
  sort(items, buffer.get(), n, static_cast<unsigned>(std::bit_width(bits)), false);
}

/// The key of an item, and where it was.
struct keyed_place {
  std::uint64_t key;
  std::uint64_t place;
};

/// Moves items so that item k is the one that was at `order[k].place`. If that ends early, the items in the buffer
/// return to the places that are empty.
template <class It>
void permute(It first, std::size_t n, const keyed_place* order) {
  std::vector<std::optional<std::iter_value_t<It>>> buffer(n);
  bool is_out = false;
  try {
    for_each_chunk(n, [first, order, &buffer](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) buffer[k].emplace(std::ranges::iter_move(nth_item(first, order[k].place)));
    });
    is_out = true;
    for_each_chunk(n, [first, &buffer](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        *nth_item(first, k) = *std::move(buffer[k]);
        buffer[k].reset();
      }
    });
  } catch (...) {
    for (std::size_t k = 0; k != n; ++k) {
      if (buffer[k]) put_back(nth_item(first, is_out ? k : order[k].place), *buffer[k]);
    }
    throw;
  }
}

struct integer_sort_function {
  template <std::permutable It, std::sentinel_for<It> End, class Key = std::identity>
    requires std::regular_invocable<Key&, const std::iter_value_t<It>&>
  It operator()(It first, End last, Key key = {}) const {
    static_assert(check_iterators<It, End>());
    using item = std::iter_value_t<It>;
    static_assert(check_callable<Key, const item&>());
    static_assert(std::integral<std::remove_cvref_t<std::invoke_result_t<Key&, const item&>>>,
                  "tine: the key of integer_sort must be an integer; sort by other keys with tine::stable_sort");
    const std::uint64_t n = items_between(first, last);
    const It end = nth_item(first, n);
    if (n < 2) return end;
    const auto ordered = [key](const item& i) TINE_INLINED { return in_unsigned_order(std::invoke(key, i)); };
    if constexpr (std::contiguous_iterator<It> && copies_without_code<item>) {
      radix_sort_items(std::to_address(first), n, ordered);
    } else {
      const raw_array<keyed_place> places{n};
      for_each_chunk(n, [first, ordered, to = places.get()](std::uint64_t k, std::uint64_t stop) {
        for (; k != stop; ++k) std::construct_at(to + k, ordered(*nth_item(first, k)), k);
      });
      radix_sort_items(places.get(), n, [](const keyed_place& p) TINE_INLINED { return p.key; });
      permute(first, n, places.get());
    }
    return end;
  }
  template <std::ranges::forward_range R, class Key = std::identity>
    requires std::permutable<std::ranges::iterator_t<R>> &&
             std::regular_invocable<Key&, const std::ranges::range_value_t<R>&>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, Key key = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(key));
  }
};

}  // namespace detail

/// Sorts [first, last) by the integers that `key` returns for the items, lowest first, possibly in parallel. Returns
/// the end. The sort is stable.
///
///     tine::integer_sort(first, last, key = {})
///     tine::integer_sort(range, key = {})
///
///     tine::integer_sort(edges, [](const edge& e) { return e.from; });
///
/// `key` returns a signed or unsigned integer of at most 64 bits. One pass finds the bits in which keys differ, and we
/// sort only by the bits from the lowest to the highest of these: work O(n) for each 8 of them. A long range needs at
/// most two passes over the memory for each 8 bits, down to buckets that fit a cache. Span O(log n) for each pass over
/// blocks of 65536 items. Memory for n more items. Items that are not in an array, or need code to be copied, move
/// twice, by way of a buffer, after we have sorted an array of their keys and places (16 bytes each).
///
/// `key` must return the same integer each time. It is called as const, on several workers at once: once for each item
/// that needs code to be copied, and otherwise once and then at most twice for each 8 bits. If its first call for an
/// item throws, the range is unchanged. After a stop request, which is as in `par_for`, the range has the same items in
/// some order. An exception of a move leaves all of them alive.
///
/// Source: the radix sort of ParlayLib (Blelloch, Anderson and Dhulipala 2020), `integer_sort`: from the highest digit
/// down, in blocks; then from the lowest digit up (Knuth, vol. 3, 5.2.5) inside of a cache.
inline constexpr detail::integer_sort_function integer_sort{};

}  // namespace tine
