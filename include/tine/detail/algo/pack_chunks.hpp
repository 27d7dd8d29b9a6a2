// The loop under copy_if and partition_copy: a plain sequential loop as long as nothing is stolen. Workers that begin
// in the middle, where the number of chosen items before is not known yet, keep a bit for each of their items; the
// items are copied as soon as that number is known.
#pragma once

#include <tine/detail/algo/bit_sequence.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/prefix_blocks.hpp>

#include <bit>
#include <functional>
#include <memory>

namespace tine::detail {

/// The answers of the predicate in a series that does not begin at item 0.
struct pack_answers {
  bit_sequence bits;                    ///< a bit for each item
  prefix_blocks<std::uint64_t> blocks;  ///< with the numbers of chosen items
};

/// The result of a series of a pack.
struct pack_state {
  std::uint64_t chosen = 0;               ///< in the series that begins at item 0
  bool is_first = false;                  ///< this series is that one
  std::unique_ptr<pack_answers> answers;  ///< in any other series
};

/// Calls `f(k)` for the number k of each bit that is set, in order.
template <class F>
TINE_ALWAYS_INLINE void for_each_bit(std::uint64_t bits, F f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<unsigned>(std::countr_zero(bits)));
}

/// Keeps the answers for the items from `begin` up to `end`.
template <class Items>
TINE_NOINLINE void keep_answers(const Items& items, pack_state& so_far, std::uint64_t begin, std::uint64_t end) {
  if (so_far.answers == nullptr) so_far.answers = std::make_unique<pack_answers>();
  std::uint64_t chosen = 0;
  for (std::uint64_t at = begin; at != end;) {
    const unsigned count = end - at < 64 ? static_cast<unsigned>(end - at) : 64;
    const std::uint64_t word = items.test(at, count);
    chosen += static_cast<std::uint64_t>(std::popcount(word));
    so_far.answers->bits.append(word, count);
    at += count;
  }
  so_far.answers->blocks.append({begin, end, chosen}, std::plus<>{});
}

/// Adds a series that other items preceded. If the number of chosen items before it is known now, copies its items,
/// possibly in parallel.
template <class Items>
void add_pack(const Items& items, pack_state& so_far, pack_state&& later) {
  if (later.answers == nullptr) {
    if (later.is_first) so_far = std::move(later);
  } else if (so_far.is_first) {
    pack_answers& from = *later.answers;
    from.blocks.resolve(so_far.chosen, std::plus<>{});
    for_each_chunk(from.blocks.size(), [&items, &from = std::as_const(from)](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        const auto& b = from.blocks[k];
        std::uint64_t chosen = b.sum;
        for (std::uint64_t at = b.begin; at != b.end;) {
          const unsigned count = b.end - at < 64 ? static_cast<unsigned>(b.end - at) : 64;
          const std::uint64_t word = from.bits.bits(at - from.blocks.begin(), count);
          items.copy_marked(at, count, word, chosen);
          chosen += static_cast<std::uint64_t>(std::popcount(word));
          at += count;
        }
      }
    });
  } else if (so_far.answers != nullptr) {
    so_far.answers->bits.append(later.answers->bits);
    so_far.answers->blocks.append(std::move(later.answers->blocks), std::plus<>{});
  } else {
    so_far.answers = std::move(later.answers);
  }
}

/// Runs a pack over `n` items, and returns the number of items that were chosen. `items` has these members, all const:
///
///     std::uint64_t copy(begin, end, chosen);      // tests and copies items; `chosen` items before them are; returns how many are after them
///     std::uint64_t test(begin, count);            // tests up to 64 items; returns a bit for each
///     void copy_marked(begin, count, bits, chosen);  // copies up to 64 items that were tested
template <class Items>
TINE_ALWAYS_INLINE std::uint64_t pack_chunks(std::uint64_t n, const Items& items) {
  return fold_chunks(
             n, [] { return pack_state{}; },
             [items](pack_state& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
               if (begin == 0) so_far.is_first = true;
               if (so_far.is_first) [[likely]] {
                 so_far.chosen = items.copy(begin, end, so_far.chosen);
               } else {
                 keep_answers(items, so_far, begin, end);
               }
             },
             [&items](pack_state& so_far, pack_state&& later) { add_pack(items, so_far, std::move(later)); })
      .chosen;
}

}  // namespace tine::detail
