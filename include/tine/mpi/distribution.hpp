// distribution: which rank of a team runs which iterations of a loop.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/mpi/iteration_ranges.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::mpi {

/// The way in which a loop follows a distribution.
enum class follow : unsigned char {
  strictly,  ///< each rank runs its iterations and no others
  loosely,   ///< each rank begins with its iterations; ranks without work take some from others
};

/// Which rank runs which iterations of a loop, as a value: each iteration from 0 to `size()` belongs to one rank.
/// Iteration `i` is that of index `first + i` in a loop that begins at `first`. Thread-safety: that of a std::vector.
class distribution {
 public:
  /// The iterations from `begin` to `end`, without `end`.
  using range = detail::iteration_range;

  /// No iteration, for no rank.
  distribution() = default;
  /// By rank, the ranges of each rank. Throws std::invalid_argument if an iteration belongs to two ranks, or if there
  /// is a gap.
  TINE_API explicit distribution(std::vector<std::vector<range>> by_rank);
  /// Equal parts of `n` iterations, in the order of the ranks. Throws std::invalid_argument if there is no rank.
  TINE_API static distribution block(std::uint64_t n, int ranks);

  /// Returns the number of iterations.
  std::uint64_t size() const noexcept { return size_; }
  /// Returns the number of ranks.
  int ranks() const noexcept { return static_cast<int>(by_rank_.size()); }
  /// Returns the ranges of a rank in their order.
  const std::vector<range>& ranges_of(int rank) const { return by_rank_.at(static_cast<std::size_t>(rank)); }
  /// Returns the rank of an iteration. Throws std::out_of_range. Takes time in proportion to the number of ranges.
  TINE_API int rank_of(std::uint64_t iteration) const;

  /// Returns the distribution as text: a line `ranks N`, and a line `rank begin end` for each range.
  TINE_API std::string text() const;
  /// Returns the distribution that such a text describes. Throws std::invalid_argument, whose message names the line,
  /// for any other text.
  TINE_API static distribution parse(std::string_view text);

  /// Throws std::invalid_argument if the distribution is for another number of ranks.
  TINE_API void check_ranks(int ranks) const;

  TINE_API friend bool operator==(const distribution& a, const distribution& b) noexcept;

 private:
  std::vector<std::vector<range>> by_rank_;
  std::uint64_t size_ = 0;
};

}  // namespace tine::mpi
