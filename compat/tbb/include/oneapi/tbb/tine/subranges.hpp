// How the algorithms cut a range into subranges. The strand that runs an algorithm runs this code, and so do its
// thieves.
//
// An interval of numbers or iterators runs as a loop of tine, whose chunks it learns. Any other range is split by its
// own constructor, and each split is a fork.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/partitioner.h>
#include <tine/managed/par_fold.hpp>
#include <tine/managed/spork.hpp>
#include <tine/sched/pool.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace tbb::detail::on_tine {

/// An interval that runs as a loop.
template <class R>
inline constexpr bool is_interval = false;
template <class Value>
  requires(std::integral<Value> || std::random_access_iterator<Value>)
inline constexpr bool is_interval<blocked_range<Value>> = true;

/// The body as the chunks of a loop use it: a copy if that is cheap, because the compiler then knows that no iteration
/// changes it.
template <class F>
class held_body {
  // a class without any copy operation is trivially copyable, too
  static constexpr bool is_copied =
      std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F> && sizeof(F) <= 64;

 public:
  explicit held_body(const F& f) : body_{f} {}
  const F& operator*() const { return body_; }

 private:
  std::conditional_t<is_copied, F, const F&> body_;
};

/// Number of pieces into which an algorithm cuts a range of any length: oneTBB's auto_partitioner makes about as many.
/// A body may have a cost of its own for each call, so we don't make more.
inline std::size_t most_pieces() { return std::size_t{128} * tine::worker_count(); }

/// Returns the least length of the pieces of an interval. Without a limit on their number, they are as many as if the
/// range's constructor had split it: it halves ranges that are longer than their grain size. So two workers get equal
/// shares of a short range.
template <class Value>
std::uint64_t least_length(const blocked_range<Value>& r) {
  const std::uint64_t n = r.size(), grain = r.grainsize();
  const std::uint64_t halves = std::bit_ceil(n / grain + (n % grain != 0));
  return std::max({grain / 2 + grain % 2, n / halves, n / most_pieces()});
}

/// Runs `f(subrange)` for the subranges of an interval, each of at least half its grain size.
template <class Value, class F>
void run_as_loop(const blocked_range<Value>& r, const F& f) {
  tine::par_fold(
      r.begin(), r.end(), least_length(r), [] { return tine::void_result{}; },
      [f, grainsize = r.grainsize()](tine::void_result&, Value begin, Value end) {
        f(blocked_range<Value>(begin, end, grainsize));
      },
      [](tine::void_result&, tine::void_result&&) {});
}

/// How many pieces a range is still to be cut into. A part that was stolen is cut into more, because then some part
/// takes long. `Split`: the tag of the splitting constructor, if the range has one for it.
template <class Split>
class piece_count {
 public:
  piece_count() : pieces_{most_pieces()} {}
  bool is_one() const noexcept { return pieces_ <= 1; }
  template <class Range>
  Range split_off(Range& r) const {
    if constexpr (std::is_same_v<Split, proportional_split>) {
      return split_by(r, proportional_split(1, 1));
    } else {
      return Range(r, split());
    }
  }
  piece_count left() const noexcept { return piece_count{pieces_ / 2}; }
  piece_count right() const noexcept { return left(); }
  piece_count stolen() const noexcept { return piece_count{std::max(pieces_ / 2, std::size_t{16})}; }

 private:
  explicit piece_count(std::size_t pieces) noexcept : pieces_{pieces} {}
  std::size_t pieces_;
};

/// Cuts a range until no part is divisible.
struct smallest_pieces {
  static bool is_one() noexcept { return false; }
  template <class Range>
  static Range split_off(Range& r) {
    return Range(r, split());
  }
  static smallest_pieces left() noexcept { return {}; }
  static smallest_pieces right() noexcept { return {}; }
  static smallest_pieces stolen() noexcept { return {}; }
};

/// Cuts a range into a part for each worker, of nearly equal length.
class equal_parts {
 public:
  equal_parts() : parts_{tine::worker_count()} {}
  bool is_one() const noexcept { return parts_ <= 1; }
  template <class Range>
  Range split_off(Range& r) const {
    return split_by(r, proportional_split(left().parts_, right().parts_));
  }
  equal_parts left() const noexcept { return equal_parts{parts_ - parts_ / 2}; }
  equal_parts right() const noexcept { return equal_parts{parts_ / 2}; }
  equal_parts stolen() const noexcept { return right(); }

 private:
  explicit equal_parts(std::size_t parts) noexcept : parts_{parts} {}
  std::size_t parts_;
};

/// How the partitioner `P` cuts a range.
template <class P>
struct cut_by {
  using type = piece_count<split>;
};
template <>
struct cut_by<affinity_partitioner> {
  using type = piece_count<proportional_split>;
};
template <>
struct cut_by<simple_partitioner> {
  using type = smallest_pieces;
};
template <>
struct cut_by<static_partitioner> {
  using type = equal_parts;
};
template <class P>
using cut_of = typename cut_by<std::remove_cvref_t<P>>::type;

/// True if tine chooses the pieces.
template <class Cut>
inline constexpr bool is_automatic = false;
template <class Split>
inline constexpr bool is_automatic<piece_count<Split>> = true;

/// True if a range runs as a loop.
template <class Range, class Cut>
inline constexpr bool runs_as_loop = is_interval<Range> && is_automatic<Cut>;

/// Runs `f(part)` for the pieces of `r`.
template <class Range, class Cut, class F>
void run_in_pieces(Range& r, Cut pieces, const F& f) {
  if (pieces.is_one() || !r.is_divisible()) return f(r);
  Range right = pieces.split_off(r);
  const auto here = [&](tine::void_result) { run_in_pieces(right, pieces.right(), f); };
  tine::spork([&] { run_in_pieces(r, pieces.left(), f); }, [&] { run_in_pieces(right, pieces.stolen(), f); }, here,
              [](tine::void_result, tine::void_result) {}, here);
}

}  // namespace tbb::detail::on_tine
