// Merging two sorted runs. A loop over the positions of the output merges, so that any worker can begin anywhere: it
// searches for the place in both runs once, and continues from there.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/fork_both.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// Returns the number of items of the left run among the first `n` items of the merged runs: a binary search for the
/// place at which their merge stands after `n` steps. (Siebert and Träff call it co-ranking.)
template <class A, class B, class Order>
std::uint64_t co_rank(const A& a, std::uint64_t a_length, const B& b, std::uint64_t b_length, std::uint64_t n,
                      const Order& order) {
  std::uint64_t least = n > b_length ? n - b_length : 0, most = std::min(n, a_length);
  while (least < most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (order.right_first(*nth_item(b, n - 1 - middle), *nth_item(a, middle))) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// The rest of two runs. The runs do not overlap the output.
template <class A, class B>
struct open_runs {
  A a, a_end;
  B b, b_end;

  TINE_ALWAYS_INLINE std::uint64_t steps_left() const { return std::min(length_of(a, a_end), length_of(b, b_end)); }
};

/// How merges write an item: `put(out, in)`.
struct copy_item {
  template <class Out, class In>
  TINE_ALWAYS_INLINE void operator()(const Out& out, const In& in) const {
    *out = *in;
  }
};
struct move_item {
  template <class Out, class In>
  TINE_ALWAYS_INLINE void operator()(const Out& out, const In& in) const {
    *out = std::ranges::iter_move(in);
  }
};

/// True if the items of both runs are cheap, so that a merge selects an item without a branch.
template <class A, class B>
inline constexpr bool merges_without_branches = is_branchless<A> && std::is_same_v<A, B>;

/// Writes the next item of the merge. Neither run is empty.
template <class A, class B, class Out, class Order, class Put>
TINE_ALWAYS_INLINE void merge_step(open_runs<A, B>& runs, Out& out, const Order& order, const Put& put) {
  const bool takes_right = order.right_first(*runs.b, *runs.a);
  if constexpr (merges_without_branches<A, B>) {
    put(out, takes_right ? runs.b : runs.a);
    runs.b += takes_right;
    runs.a += !takes_right;
  } else if (takes_right) {
    put(out, runs.b);
    ++runs.b;
  } else {
    put(out, runs.a);
    ++runs.a;
  }
  ++out;
}

/// Writes the next `n` items of the merge.
///
/// The loop uses copies of its parameters, which no pointer refers to: the compiler keeps them in registers although it
/// does not know what the items refer to.
template <class A, class B, class Out, class Order, class Put>
TINE_ALWAYS_INLINE void merge_steps(open_runs<A, B>& rest, Out out, std::uint64_t n, const Order& order,
                                    const Put& to_out) {
  open_runs<A, B> runs = rest;
  const Put put = to_out;
  while (const std::uint64_t steps = std::min(n, runs.steps_left())) {  // no step finds an empty run
    for (std::uint64_t k = 0; k < steps; ++k) merge_step(runs, out, order, put);
    n -= steps;
  }
  if (n == 0) {
    // Both runs are as they are.
  } else if (runs.b == runs.b_end) {
    for (const A stop = nth_item(runs.a, n); runs.a != stop; ++runs.a, ++out) put(out, runs.a);
  } else {
    for (const B stop = nth_item(runs.b, n); runs.b != stop; ++runs.b, ++out) put(out, runs.b);
  }
  rest = runs;
}

/// As `merge_steps`. Cheap items are merged in two chains of steps, one from the begin of the output and one from its
/// middle, which the processor overlaps.
template <class A, class B, class Out, class Order, class Put>
TINE_NOINLINE void merge_overlapped(open_runs<A, B>& runs, Out out, std::uint64_t n, const Order& order,
                                    const Put& put) {
  constexpr std::uint64_t least_split = 128;  // below, the search for the middle takes longer than the overlap saves
  if constexpr (merges_without_branches<A, B>) {
    if (n >= least_split) {
      const std::uint64_t half = n / 2;
      const std::uint64_t left =
          co_rank(runs.a, length_of(runs.a, runs.a_end), runs.b, length_of(runs.b, runs.b_end), half, order);
      open_runs<A, B> later{nth_item(runs.a, left), runs.a_end, nth_item(runs.b, half - left), runs.b_end};
      Out out_later = nth_item(out, half);
      std::uint64_t todo = half;
      while (const std::uint64_t steps = std::min({todo, runs.steps_left(), later.steps_left()})) {
        for (std::uint64_t k = 0; k < steps; ++k) {
          merge_step(runs, out, order, put);
          merge_step(later, out_later, order, put);
        }
        todo -= steps;
      }
      merge_steps(runs, out, todo, order, put);
      merge_steps(later, out_later, n - half - (half - todo), order, put);
      runs = later;
      return;
    }
  }
  merge_steps(runs, out, n, order, put);
}

/// Merges two runs into `out` by forks, for moves that change their source: a fork searches for the place in both runs
/// before any item behind or before that place moves. `merge(runs, out, n)` merges parts of the runs with `n` items.
template <class A, class B, class Out, class Order, class Merge>
void merge_in_branches(open_runs<A, B> runs, const Out& out, const Order& order, const Merge& merge) {
  constexpr std::uint64_t least_split = 4096;  // below, the searches show
  const std::uint64_t a_length = length_of(runs.a, runs.a_end), b_length = length_of(runs.b, runs.b_end);
  const std::uint64_t n = a_length + b_length, half = n / 2;
  if (n < least_split) return merge(runs, out, n);
  const std::uint64_t left = co_rank(runs.a, a_length, runs.b, b_length, half, order);
  const A a_middle = nth_item(runs.a, left);
  const B b_middle = nth_item(runs.b, half - left);
  return fork_both([&] { merge_in_branches(open_runs<A, B>{runs.a, a_middle, runs.b, b_middle}, out, order, merge); },
                   [&] {
                     merge_in_branches(open_runs<A, B>{a_middle, runs.a_end, b_middle, runs.b_end}, nth_item(out, half),
                                       order, merge);
                   });
}

/// The place of a merge: `position` items are written, of which `left` are from the left run.
struct merge_place {
  std::uint64_t position = no_position, left = 0;
};

/// Copies the merge of two runs to `out`, in a loop. Equal items of the left run come first.
template <class A, class B, class Out, class Order, class Put>
TINE_ALWAYS_INLINE void merge_in_loop(const A& a, std::uint64_t a_length, const B& b, std::uint64_t b_length,
                                      const Out& out, const Order& order, const Put& put) {
  fold_chunks(
      a_length + b_length, [] { return merge_place{}; },
      [a, a_length, b, b_length, out, put, kept = kept_callable{order}](merge_place& so_far, std::uint64_t begin,
                                                                        std::uint64_t end) TINE_INLINED {
        if (so_far.position != begin) so_far.left = co_rank(a, a_length, b, b_length, begin, kept.call);
        open_runs<A, B> runs{nth_item(a, so_far.left), nth_item(a, a_length), nth_item(b, begin - so_far.left),
                             nth_item(b, b_length)};
        merge_overlapped(runs, nth_item(out, begin), end - begin, kept.call, put);
        so_far = {end, length_of(a, runs.a)};
      },
      [](merge_place& so_far, const merge_place& later) {
        if (later.position != no_position) so_far = later;
      });
}

}  // namespace tine::detail
