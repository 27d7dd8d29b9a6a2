// The sums of consecutive blocks of items, kept until we know the sum of everything before them. One strand at a time
// uses a list.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tine::detail {

/// The blocks of a series of consecutive items, at most `most` of them. When the list is full, we unite neighbours, so
/// that the blocks of a long series are nearly equal. `op(a, b)` returns the sum of two consecutive subranges.
template <class Sum>
class prefix_blocks {
 public:
  struct block {
    std::uint64_t begin, end;
    Sum sum;
  };

  bool empty() const noexcept { return blocks_.empty(); }
  std::uint64_t begin() const noexcept { return blocks_.front().begin; }
  std::uint64_t end() const noexcept { return blocks_.back().end; }
  std::size_t size() const noexcept { return blocks_.size(); }
  const block& operator[](std::uint64_t k) const noexcept { return blocks_[k]; }

  /// Appends the block that follows.
  template <class Op>
  void append(block&& next, const Op& op) {
    if (blocks_.size() == most) unite(next.end, op);
    add(std::move(next), op);
  }

  /// Appends the blocks of the series that follows.
  template <class Op>
  void append(prefix_blocks&& later, const Op& op) {
    for (block& b : later.blocks_) append(std::move(b), op);
  }

  /// Replaces each block's sum by the sum of everything before the block. `so_far` is the sum of everything before the
  /// first block, and afterwards that of everything up to the end of the last one.
  template <class Op>
  void resolve(Sum& so_far, const Op& op) {
    for (block& b : blocks_) {
      Sum next = static_cast<Sum>(op(std::as_const(so_far), std::move(b.sum)));
      b.sum = std::exchange(so_far, std::move(next));
    }
  }

 private:
  static constexpr std::size_t most = 256;

  template <class Op>
  void add(block&& next, const Op& op) {
    if (blocks_.empty() || blocks_.back().end - blocks_.back().begin >= least_) {
      blocks_.push_back(std::move(next));
    } else {
      block& last = blocks_.back();
      last.sum = static_cast<Sum>(op(std::move(last.sum), std::move(next.sum)));
      last.end = next.end;
    }
  }

  /// Unites neighbours, so that each block but the last one is at least twice as long as in an equal partition up to
  /// `end`.
  template <class Op>
  void unite(std::uint64_t end, const Op& op) {
    least_ = 2 * (end - begin()) / most + 1;
    std::vector<block> all = std::exchange(blocks_, {});
    blocks_.reserve(most);
    for (block& b : all) add(std::move(b), op);
  }

  std::vector<block> blocks_;
  std::uint64_t least_ = 0;  ///< a shorter block takes the next one in
};

}  // namespace tine::detail
