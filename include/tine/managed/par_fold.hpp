// par_fold: a loop over subranges with a result, for front ends and for bodies that are worth calling only for many
// iterations at once. Any thread may call it.
#pragma once

#include <tine/detail/managed/iterations.hpp>
#include <tine/detail/managed/loop.hpp>

#include <bit>
#include <utility>

namespace tine {
namespace detail {

/// A partition of `n` iterations into blocks whose lengths differ by at most one, each of at least `least` iterations.
struct block_partition {
  std::uint64_t n, blocks, length, longer;  ///< the first `longer` blocks have one iteration more than `length`

  block_partition(std::uint64_t all, std::uint64_t least) noexcept
      : n{all}, blocks{all <= least || least == 0 ? 1 : all / least}, length{all / blocks}, longer{all % blocks} {}

  TINE_ALWAYS_INLINE std::uint64_t begin_of(std::uint64_t k) const noexcept {
    return k * length + (k < longer ? k : longer);
  }
};

/// The job of a fold. Its iterations are blocks.
template <class Space, class Identity, class Fold, class Combine>
struct fold_blocks_job {
  using result = std::invoke_result_t<const Identity&>;
  struct kernel {
    Space space;
    Fold fold;
    block_partition partition;
  };
  kernel parts;
  Identity empty;
  Combine combine;

  static constexpr bool is_copied = cheap_to_copy<kernel>;

  TINE_ALWAYS_INLINE result identity() const { return empty(); }
  TINE_ALWAYS_INLINE std::conditional_t<is_copied, kernel, const kernel&> kept() const noexcept { return parts; }
  TINE_ALWAYS_INLINE static void pass(const kernel& k, result& so_far, std::uint64_t begin, std::uint64_t end) {
    k.fold(so_far, k.space.at(k.partition.begin_of(begin)), k.space.at(k.partition.begin_of(end)));
  }
  void add(result& so_far, result&& later) const { combine(so_far, std::move(later)); }

  /// How many blocks make a chunk depends on their length. So passes learn from those with blocks of nearly the same
  /// length.
  TINE_ALWAYS_INLINE learned_loop& own_learned() const noexcept {
    return learned[static_cast<unsigned>(std::bit_width(parts.partition.length)) / 2];
  }

 private:
  static inline constinit learned_loop learned[33];
};

template <class Space, class Identity, class Fold, class Combine>
TINE_ALWAYS_INLINE auto fold_blocks(Space space, std::uint64_t n, std::uint64_t least, Identity& identity, Fold& fold,
                                    Combine& combine) {
  using result = std::invoke_result_t<const Identity&>;
  using bound = decltype(space.at(0));
  static_assert(std::movable<result>, "tine: the identity of par_fold returns a value that can be moved");
  static_assert(
      std::invocable<const Fold&, result&, bound, bound>,
      "tine: the body of par_fold takes the result so far, the start and the end of a subrange, and must be callable as const");
  static_assert(
      std::invocable<const Combine&, result&, result>,
      "tine: the combine of par_fold takes the result of some iterations, by reference, and that of the following ones");
  if (n == 0) return identity();
  const block_partition partition{n, least};
  fold_blocks_job<Space, Identity, Fold, Combine> job{
      {space, std::move(fold), partition}, std::move(identity), std::move(combine)};
  return run_loop(job, partition.blocks);
}

}  // namespace detail

/// Runs `fold(result, begin, end)` for subranges that together are all iterations from `lo` up to, but not including,
/// `hi`; possibly in parallel. Returns the result.
///
///     auto longest = tine::par_fold(0, n, 1000, [] { return run{}; },
///                                   [&](run& so_far, int begin, int end) { so_far.extend(&x[begin], end - begin); },
///                                   [](run& so_far, run&& later) { so_far.append(later); });
///
/// A *part* is a series of consecutive subranges that one worker runs, one after the other. Each part has a result of
/// its own, which starts with `identity()`. `combine(result, later)` adds the result of the part that follows. As long
/// as no worker is idle, the loop is a single part: a part that doesn't start at `lo` was stolen. So a fold whose
/// parts are expensive to make or to combine pays for the parts that run elsewhere only.
///
/// No subrange is shorter than `least` iterations, unless the loop is. Use it for bodies whose calls have a cost of
/// their own. Everything else is as in `par_for_chunks`: the three functions are called as const, on several workers at
/// once, and the first exception in the order of the iterations is rethrown.
template <std::integral Lo, std::integral Hi, class Identity, class Fold, class Combine>
TINE_ALWAYS_INLINE auto
par_fold(Lo lo, Hi hi, std::uint64_t least, Identity identity, Fold fold, Combine combine) TINE_REFUSE_IF(
    (detail::changes<Hi>(lo) || detail::changes<Lo>(hi)),
    "tine: one bound of a loop is negative and the other one unsigned: give both the same signedness, as in tine::par_for(-1, std::ssize(v), ...)") {
  return detail::fold_blocks(detail::indices_from(lo, hi), detail::distance(lo, hi), least, identity, fold, combine);
}

/// As `par_fold(lo, hi, ...)`, over random access iterators from `first` up to `last`.
template <detail::random_access It, class Identity, class Fold, class Combine>
TINE_ALWAYS_INLINE auto par_fold(It first, It last, std::uint64_t least, Identity identity, Fold fold,
                                 Combine combine) {
  return detail::fold_blocks(detail::items<It>{first}, detail::distance(first, last), least, identity, fold, combine);
}

}  // namespace tine
