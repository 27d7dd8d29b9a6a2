// A set operation on two sorted ranges: set_union, set_intersection and set_difference.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/algo/set_place.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tine::detail {

/// The result of a series of steps. Its results are at the begin of the output, if it is the first series; otherwise it
/// keeps them.
template <class Kept>
struct set_series {
  set_place at;
  std::uint64_t end = no_position;  ///< the steps pass items up to this number of them, or one item less
  std::uint64_t written = 0;
  bool is_first = false;
  kept_results<Kept> kept;
};

/// Makes `steps` steps, which find no empty range, and calls `put(is_left, it)` for each result: the type of `is_left`
/// tells if the result is in the left range.
template <set_operation Operation, class A, class B, class Order, class Put>
TINE_ALWAYS_INLINE void full_steps(A& a_rest, B& b_rest, std::uint64_t steps, const Order& order, const Put& put) {
  A a = a_rest;  // copies, which no pointer refers to: the compiler keeps them in registers
  B b = b_rest;
  for (; steps != 0; --steps) {
    if (order.left_first(*a, *b)) {
      if constexpr (Operation.left_only) put(std::true_type{}, a);
      ++a;
    } else if (order.right_first(*b, *a)) {
      if constexpr (Operation.right_only) put(std::false_type{}, b);
      ++b;
    } else {
      if constexpr (Operation.both) put(std::true_type{}, a);
      ++a;
      ++b;
    }
  }
  a_rest = a;
  b_rest = b;
}

/// Makes all steps that pass at most `n` items, and calls `put(is_left, it)` for each result. Returns the number of
/// items that have not passed, which is 0 or 1.
template <set_operation Operation, class A, class B, class Order, class Put>
TINE_ALWAYS_INLINE std::uint64_t set_steps(open_runs<A, B>& rest, std::uint64_t n, const Order& order, const Put& put) {
  while (n != 0) {
    if (rest.a == rest.a_end) {
      for (; n != 0; --n, ++rest.b) {
        if constexpr (Operation.right_only) put(std::false_type{}, rest.b);
      }
    } else if (rest.b == rest.b_end) {
      for (; n != 0; --n, ++rest.a) {
        if constexpr (Operation.left_only) put(std::true_type{}, rest.a);
      }
    } else {
      const std::uint64_t steps = std::max(std::min(n / 2, rest.steps_left()), std::uint64_t{1});
      if (n == 1 && !order.left_first(*rest.a, *rest.b) && !order.right_first(*rest.b, *rest.a)) return n;
      const A a = rest.a;
      const B b = rest.b;
      full_steps<Operation>(rest.a, rest.b, steps, order, put);
      n -= length_of(a, rest.a) + length_of(b, rest.b);
    }
  }
  return n;
}

/// A set operation on two ranges that writes to `out`.
template <set_operation Operation, class A, class B, class Order, class Out>
struct set_run {
  /// A series keeps cheap items. It keeps twice the positions of other items in the left range; in the right range,
  /// plus 1.
  static constexpr bool keeps_items = merges_without_branches<A, B>;
  using kept = std::conditional_t<keeps_items, std::iter_value_t<A>, std::uint64_t>;
  using series = set_series<kept>;

  sorted_ranges<A, B, Order> in;
  Out out;

  /// Continues a series to `end`, or begins it at `begin`.
  TINE_ALWAYS_INLINE void run(series& s, std::uint64_t begin, std::uint64_t end) const {
    if (s.end == no_position) {
      s.at = place_after(in, begin);
      s.is_first = begin == 0;
    }
    s.end = end;
    open_runs<A, B> rest{nth_item(in.a, s.at.left), nth_item(in.a, in.a_length), nth_item(in.b, s.at.right),
                         nth_item(in.b, in.b_length)};
    std::uint64_t n = end - s.at.passed();
    if constexpr (keeps_items) n = run_cheap_steps(s, rest, n);
    if (s.is_first) {
      Out to = nth_item(out, s.written);
      const Out before = to;
      set_steps<Operation>(rest, n, in.order(), [&to](auto, const auto& it) TINE_INLINED {
        *to = *it;
        ++to;
      });
      s.written += length_of(before, to);
    } else {
      kept* const before = s.kept.reserve(n);
      kept* to = before;
      set_steps<Operation>(rest, n, in.order(),
                           [&](auto is_left, const auto& it) TINE_INLINED { *to++ = to_keep(is_left, it); });
      s.kept.add(length_of(before, to));
    }
    s.at = {length_of(in.a, rest.a), length_of(in.b, rest.b)};
  }

  /// Joins two series. If the place of the results of the first one is known, so is that of the second one, which are
  /// written in a loop.
  void join(series& s, series&& later) const {
    if (later.end == no_position) return;
    if (s.end == no_position) {
      s = std::move(later);
      return;
    }
    if (s.is_first) {
      later.kept.for_each(
          [this, before = s.written](const kept& result, std::uint64_t k) { write(result, before + k); });
      s.written += later.kept.size();
    } else {
      s.kept.append(std::move(later.kept));
    }
    s.at = later.at;
    s.end = later.end;
  }

 private:
  template <class IsLeft, class It>
  TINE_ALWAYS_INLINE kept to_keep(IsLeft, const It& it) const {
    if constexpr (keeps_items) {
      return *it;
    } else if constexpr (IsLeft::value) {
      return 2 * length_of(in.a, it);
    } else {
      return 2 * length_of(in.b, it) + 1;
    }
  }
  TINE_ALWAYS_INLINE void write(const kept& result, std::uint64_t position) const {
    if constexpr (keeps_items) {
      *nth_item(out, position) = result;
    } else if (result % 2 == 0) {
      *nth_item(out, position) = *nth_item(in.a, result / 2);
    } else {
      *nth_item(out, position) = *nth_item(in.b, result / 2);
    }
  }

  TINE_ALWAYS_INLINE void write_items(series& s, const kept* from, std::uint64_t n) const {
    if (s.is_first) {
      std::copy(from, from + n, nth_item(out, s.written));
      s.written += n;
    } else {
      std::copy(from, from + n, s.kept.reserve(n));
      s.kept.add(n);
    }
  }

  /// Makes steps as long as neither range ends and two of the `n` items are left. Returns the number of items that are
  /// left.
  ///
  /// A step takes no branch: it writes an item to a small buffer, and advances there if the item is a result. But if
  /// nearly all of the latest steps were of one kind, the next ones take branches, which the processor predicts.
  TINE_ALWAYS_INLINE std::uint64_t run_cheap_steps(series& s, open_runs<A, B>& rest, std::uint64_t n) const {
    constexpr std::uint64_t most = 256;
    small_buffer<kept, most> buffer;
    kept* const results = buffer.begin();
    std::uint64_t tried = 32;  // the first steps only show if steps are regular
    for (bool is_regular = false;; tried = most) {
      const std::uint64_t steps = std::min({tried, rest.steps_left(), n / 2});
      if (steps == 0) return n;
      kept* to = results;
      const A a = rest.a;
      const B b = rest.b;
      if (is_regular) {
        full_steps<Operation>(rest.a, rest.b, steps, in.order(),
                              [&to](auto, const auto& it) TINE_INLINED { *to++ = *it; });
      } else {
        to = steps_without_branches(rest, steps, results);
      }
      write_items(s, results, length_of(results, to));
      const std::uint64_t left = length_of(a, rest.a), right = length_of(b, rest.b);
      n -= left + right;
      is_regular = std::max({steps - left, steps - right, left + right - steps}) >= steps - steps / 8;
    }
  }

  /// Makes `steps` steps, which find no empty range, and returns the end of their results.
  TINE_ALWAYS_INLINE kept* steps_without_branches(open_runs<A, B>& rest, std::uint64_t steps, kept* to) const {
    A a = rest.a;
    B b = rest.b;
    for (; steps != 0; --steps) {
      const bool left = in.order().left_first(*a, *b), right = in.order().right_first(*b, *a);
      *to = *(Operation.right_only && right ? b : a);
      to += (Operation.left_only && left) || (Operation.right_only && right) || (Operation.both && !left && !right);
      a += !right;
      b += !left;
    }
    rest.a = a;
    rest.b = b;
    return to;
  }
};

/// Runs a set operation in a loop. Returns the number of results.
template <set_operation Operation, class A, class B, class Order, class Out>
TINE_ALWAYS_INLINE std::uint64_t run_set_operation(const sorted_ranges<A, B, Order>& in, const Out& out) {
  using operation = set_run<Operation, A, B, Order, Out>;
  using series = typename operation::series;
  const operation run{in, out};
  return fold_chunks(
             in.length(), [] { return series{}; },
             [run](series& s, std::uint64_t begin, std::uint64_t end) TINE_INLINED { run.run(s, begin, end); },
             [run](series& s, series&& later) { run.join(s, std::move(later)); })
      .written;
}

/// The whole of a set operation. Returns the ends of the two ranges and of the results.
template <set_operation Operation, class It1, class End1, class It2, class End2, class Out, class Comp, class Proj1,
          class Proj2>
TINE_ALWAYS_INLINE std::ranges::in_in_out_result<It1, It2, Out> set_operation_between(It1 first1, End1 last1,
                                                                                      It2 first2, End2 last2, Out out,
                                                                                      Comp comp, Proj1 proj1,
                                                                                      Proj2 proj2) {
  static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>() && check_iterators<Out>());
  static_assert(check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
  const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2);
  const cross_order order{std::move(comp), std::move(proj1), std::move(proj2)};
  const sorted_ranges in{plain_input<It2>(first1), n1, plain_input<It1>(first2), n2, kept_callable{order}};
  const std::uint64_t written = run_set_operation<Operation>(in, plain_iterator(out));
  return {nth_item(first1, n1), nth_item(first2, n2), nth_item(out, written)};
}

}  // namespace tine::detail
