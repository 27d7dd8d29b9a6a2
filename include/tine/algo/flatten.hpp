// flatten: all items of a range of ranges, as one vector.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/prefix_blocks.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <vector>

namespace tine {
namespace detail {

/// The result of a series of ranges.
struct flatten_state {
  bool is_first = false;  ///< the series begins at range 0
  /// in any other series: blocks of ranges, with the numbers of their items
  std::unique_ptr<prefix_blocks<std::uint64_t>> blocks;
};

/// Copies the items of `from` to `out`, possibly in parallel. Only long ranges are split.
template <class Range, class Out>
void copy_range(Range&& from, Out out) {
  constexpr std::uint64_t short_range = 32'768;
  const auto first = std::ranges::begin(from);
  const std::uint64_t n = items_between(first, std::ranges::end(from));
  if (n <= short_range) {
    std::copy(first, nth_item(first, n), out);
  } else {
    for_each_chunk(n, [first, out](std::uint64_t begin, std::uint64_t end) {
      std::copy(nth_item(first, begin), nth_item(first, end), nth_item(out, begin));
    });
  }
}

/// Appends the ranges of a stolen series, whose blocks have found their places. Items without a default value are first
/// copied to a vector for each block, and then moved.
template <class It, class T>
void append_blocks(It first, std::vector<T>& all, const prefix_blocks<std::uint64_t>& blocks, std::uint64_t items) {
  // Several workers must not write to neighbours in a std::vector<bool>.
  if constexpr (std::default_initializable<T> && !std::same_as<T, bool>) {
    all.resize(items);
    for_each_chunk(blocks.size(), [first, &all, &blocks](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        auto out = nth_item(all.begin(), blocks[k].sum);
        for (std::uint64_t i = blocks[k].begin; i != blocks[k].end; ++i) {
          auto&& range = *nth_item(first, i);
          copy_range(range, out);
          out += static_cast<std::ptrdiff_t>(std::ranges::size(range));
        }
      }
    });
  } else {
    std::vector<std::vector<T>> copies(blocks.size());
    for_each_chunk(blocks.size(), [first, &copies, &blocks](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        for (std::uint64_t i = blocks[k].begin; i != blocks[k].end; ++i) {
          for (auto&& item : *nth_item(first, i)) copies[k].emplace_back(item);
        }
      }
    });
    for (std::vector<T>& c : copies) all.insert(all.end(), std::move_iterator{c.begin()}, std::move_iterator{c.end()});
  }
}

struct flatten_function {
  template <std::ranges::input_range R>
    requires std::ranges::input_range<std::ranges::range_reference_t<R>>
  std::vector<std::ranges::range_value_t<std::ranges::range_reference_t<R>>> operator()(R&& ranges) const {
    using inner = std::ranges::range_reference_t<R>;
    using item = std::ranges::range_value_t<inner>;
    static_assert(check_range<R>() && check_range<inner>());
    const auto first = std::ranges::begin(ranges);
    const auto n = items_between(first, std::ranges::end(ranges));
    const auto count = [first](std::uint64_t begin, std::uint64_t end) {
      std::uint64_t items = 0;
      for (auto i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
        auto&& range = *i;
        items += items_between(std::ranges::begin(range), std::ranges::end(range));
      }
      return items;
    };
    std::vector<item> all;
    all.reserve(static_cast<std::size_t>(fold_chunks(
        n, [] { return std::uint64_t{0}; },
        [count](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end)
            TINE_INLINED { so_far += count(begin, end); },
        [](std::uint64_t& so_far, std::uint64_t later) { so_far += later; })));
    fold_chunks(
        n, [] { return flatten_state{}; },
        [first, count, to = &all](flatten_state& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          if (begin == 0) so_far.is_first = true;
          if (so_far.is_first) [[likely]] {
            for (auto i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
              auto&& range = *i;
              const auto from = std::ranges::begin(range);
              to->insert(to->end(), from, nth_item(from, items_between(from, std::ranges::end(range))));
            }
          } else {
            if (so_far.blocks == nullptr) so_far.blocks = std::make_unique<prefix_blocks<std::uint64_t>>();
            so_far.blocks->append({begin, end, count(begin, end)}, std::plus<>{});
          }
        },
        [first, &all](flatten_state& so_far, flatten_state&& later) {
          if (later.blocks == nullptr) {
            if (later.is_first) so_far = std::move(later);
          } else if (so_far.is_first) {
            std::uint64_t items = all.size();
            later.blocks->resolve(items, std::plus<>{});
            append_blocks(first, all, *later.blocks, items);
          } else if (so_far.blocks != nullptr) {
            so_far.blocks->append(std::move(*later.blocks), std::plus<>{});
          } else {
            so_far.blocks = std::move(later.blocks);
          }
        });
    return all;
  }
};

}  // namespace detail

/// Returns a vector with the items of all ranges in `ranges`, in order, copied possibly in parallel; as
/// `std::views::join`, but not lazy. The ranges, and the range of them, must have random access iterators and known
/// sizes.
///
///     tine::flatten(ranges)
///
/// On one worker the vector grows range by range, in storage that is allocated once. Other workers only add up the
/// sizes of what they take. Then one worker value-initialises their part of the vector, and its items are assigned in
/// parallel, also those of a single long range. A std::vector can't start its items on several workers, so its first
/// pass over the memory is sequential, and cheap items gain little. Items that can't be value-initialised are copied in
/// parallel and moved by one worker. Work O(m + n) for m ranges and n items. Exceptions and stop requests are as in
/// `par_for`.
///
/// Source: ParlayLib (Blelloch, Anderson and Dhulipala 2020), `flatten`, over the adaptive prefix of `copy_if`.
inline constexpr detail::flatten_function flatten{};

}  // namespace tine
