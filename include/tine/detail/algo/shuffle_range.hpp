// A random permutation of a range that depends only on the length and the seed. Workers scatter blocks of items to
// buckets, and then shuffle buckets.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/algo/random_words.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/managed/par_for.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace tine::detail {

/// Shuffles a short range on one worker (Fisher–Yates).
template <class It>
void shuffle_here(const It& first, std::uint64_t n, const random_words& words) {
  random_numbers numbers{words};
  for (auto left = static_cast<std::uint32_t>(n); left > 1; --left)
    std::ranges::iter_swap(nth_item(first, left - 1), nth_item(first, numbers.below(left)));
}

/// The shuffle of a long range: each item goes to a random bucket, and then we shuffle every bucket. All permutations
/// are equally probable: given the sizes of the buckets, so are all ways to divide the items among them (Rao 1961,
/// Sandelius 1962).
template <class It>
class bucket_shuffle {
 public:
  using value = std::iter_value_t<It>;
  static constexpr std::uint64_t most_here =
      1 << 18;  ///< so few items are shuffled on one worker: scattering them costs more than it saves

  /// `scratch`: memory for `n` items, in which none lives.
  bucket_shuffle(const It& first, std::uint64_t n, value* scratch, const random_words& words)
      : first_{first},
        scratch_{scratch},
        words_{words},
        n_{n},
        bits_{std::clamp(static_cast<unsigned>(std::bit_width((n - 1) / bucket_length)), 1U, 8U)},
        block_{
            std::max<std::uint64_t>(least_block, (n / most_blocks + items_per_word) / items_per_word * items_per_word)},
        ends_(blocks() * buckets()),
        is_scattered_(blocks()),
        is_returned_(buckets()) {}

  void run() {
    try {
      par_for(std::uint64_t{0}, blocks(), [this](std::uint64_t block) { count(block); });
      find_places();
      par_for(std::uint64_t{0}, blocks(), [this](std::uint64_t block) { scatter(block); });
      is_complete_ = true;
      par_for(std::uint64_t{0}, buckets(), [this](std::uint64_t bucket) { shuffle(bucket); });
    } catch (...) {
      recover();
      throw;
    }
  }

 private:
  static constexpr std::uint64_t items_per_word = 8, bucket_length = 1 << 15, least_block = 1 << 14, most_blocks = 1024,
                                 most_buckets = 256;
  using places = std::array<std::uint64_t, most_buckets>;

  std::uint64_t blocks() const { return (n_ + block_ - 1) / block_; }
  std::uint64_t buckets() const { return std::uint64_t{1} << bits_; }
  std::uint64_t& place(std::uint64_t block, std::uint64_t bucket) { return ends_[block * buckets() + bucket]; }
  std::uint64_t bucket_begin(std::uint64_t bucket) { return bucket == buckets() ? n_ : place(0, bucket); }

  /// Calls `visit(position, bucket)` for the first `n` items of a block.
  template <class Visit>
  TINE_ALWAYS_INLINE void visit_items(std::uint64_t block, std::uint64_t n, const Visit& visit) const {
    const std::uint64_t begin = block * block_, end = begin + n;
    for (std::uint64_t at = begin; at < end; at += items_per_word) {
      std::uint64_t word = words_.at(at / items_per_word);
      for (std::uint64_t k = at, stop = std::min(end, at + items_per_word); k != stop; ++k, word >>= 8)
        visit(k, (word & 255) >> (8 - bits_));
    }
  }
  std::uint64_t items_in(std::uint64_t block) const { return std::min(block_, n_ - block * block_); }

  /// Counts how many items of a block go to each bucket.
  void count(std::uint64_t block) {
    places counts{};
    visit_items(block, items_in(block), [&](std::uint64_t, std::uint64_t bucket) TINE_INLINED { ++counts[bucket]; });
    std::copy_n(counts.begin(), buckets(), &place(block, 0));
  }

  /// Replaces the number of items that a block has for a bucket by where the first of them goes.
  void find_places() {
    std::uint64_t next = 0;
    for (std::uint64_t bucket = 0; bucket < buckets(); ++bucket) {
      for (std::uint64_t block = 0; block < blocks(); ++block) next += std::exchange(place(block, bucket), next);
    }
  }

  void scatter(std::uint64_t block) {
    places next;
    std::copy_n(&place(block, 0), buckets(), next.begin());
    std::uint64_t moved = 0;
    try {
      visit_items(block, items_in(block), [&](std::uint64_t k, std::uint64_t bucket) TINE_INLINED {
        std::construct_at(scratch_ + next[bucket], std::ranges::iter_move(nth_item(first_, k)));
        ++next[bucket];
        ++moved;
      });
    } catch (...) {
      gather(block, moved);
      throw;
    }
    is_scattered_[block] = 1;
  }

  /// Undoes `scatter` for the first `n` items of a block.
  void gather(std::uint64_t block, std::uint64_t n) {
    places next;
    std::copy_n(&place(block, 0), buckets(), next.begin());
    visit_items(block, n, [&](std::uint64_t k, std::uint64_t bucket) { bring_back(k, next[bucket]++); });
  }

  /// Moves an item from the scratch memory to a place of the range, and ends it there. If it can't be moved, it is
  /// lost.
  void bring_back(std::uint64_t to, std::uint64_t from) {
    put_back(nth_item(first_, to), scratch_[from]);
    std::destroy_at(scratch_ + from);
  }

  void shuffle(std::uint64_t bucket);

  void recover() {
    if (!is_complete_) {
      for (std::uint64_t block = 0; block < blocks(); ++block) {
        if (is_scattered_[block] != 0) gather(block, items_in(block));
      }
      return;
    }
    for (std::uint64_t bucket = 0; bucket < buckets(); ++bucket) {
      if (is_returned_[bucket] != 0) continue;
      for (std::uint64_t k = bucket_begin(bucket), end = bucket_begin(bucket + 1); k != end; ++k) bring_back(k, k);
    }
  }
  /// Moves the items of a bucket back into the range. If an item can't be moved, the others are, and then we throw.
  void return_items(std::uint64_t bucket) {
    std::uint64_t k = bucket_begin(bucket);
    const std::uint64_t end = bucket_begin(bucket + 1);
    try {
      for (; k != end; ++k) {
        *nth_item(first_, k) = std::move(scratch_[k]);
        std::destroy_at(scratch_ + k);
      }
    } catch (...) {
      std::destroy_at(scratch_ + k);
      while (++k != end) bring_back(k, k);
      throw;
    }
  }

  const It first_;
  value* const scratch_;
  const random_words words_;
  const std::uint64_t n_;
  const unsigned bits_;
  const std::uint64_t block_;
  std::vector<std::uint64_t> ends_;
  std::vector<unsigned char> is_scattered_, is_returned_;
  bool is_complete_ = false;
};

/// Shuffles a range. If there are more than `most_here` items, `scratch` is memory for as many.
template <class It>
void shuffle_with_scratch(const It& first, std::uint64_t n, std::iter_value_t<It>* scratch, const random_words& words) {
  if (n <= bucket_shuffle<It>::most_here) {
    shuffle_here(first, n, words);
  } else {
    bucket_shuffle<It>{first, n, scratch, words}.run();
  }
}

/// Moves the items of a bucket back into the range, and shuffles them there.
template <class It>
void bucket_shuffle<It>::shuffle(std::uint64_t bucket) {
  const std::uint64_t begin = bucket_begin(bucket), end = bucket_begin(bucket + 1);
  is_returned_[bucket] = 1;
  return_items(bucket);
  shuffle_with_scratch(nth_item(first_, begin), end - begin, scratch_ + begin, words_.branch(bucket));
}

/// Shuffles a range.
template <class It>
void shuffle_range(const It& first, std::uint64_t n, std::uint64_t seed) {
  const raw_buffer<std::iter_value_t<It>> scratch{n <= bucket_shuffle<It>::most_here ? 0 : n};
  shuffle_with_scratch(first, n, scratch.begin(), random_words{seed});
}

}  // namespace tine::detail
