// Set operations of standard algorithms. A series of chunks on one worker collects its output; the first series of a loop writes it to its final
// place, so that one worker makes one pass without a buffer.
#pragma once

#include <tine/detail/pstl/in_chunks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tine::detail::pstl {

/// The state of a series of a set operation: the places in both ranges and in the output where its next chunk begins, and, unless it is the
/// first one of the loop, its output.
template <class It1, class It2, class Out>
struct set_series {
  It1 at1;
  It2 at2;
  Out out;
  bool has_begun, is_first;
  std::vector<std::vector<std::iter_value_t<Out>>> waiting;
};

/// Two sorted ranges, and the operation `op(first1, last1, first2, last2, out, compare)`, one of the standard library.
template <class It1, class It2, class Out, class Compare, class Op>
class set_operation {
 public:
  using series = set_series<It1, It2, Out>;

  set_operation(It1 first1, It1 last1, It2 first2, It2 last2, const Compare& compare, Op op) noexcept
      : first1_{first1}, last1_{last1}, first2_{first2}, last2_{last2}, compare_{compare}, op_{op} {}

  /// Returns the end of the output.
  Out run(Out out) const {
    const std::uint64_t n = count_of(first1_, last1_);
    series all = fold_chunks(
        n, [this, out] { return series{first1_, first2_, out, false, false, {}}; },
        [this, n](series& so_far, std::uint64_t begin, std::uint64_t end) {
          const stop_guard chunk;
          if (!so_far.has_begun) this->begin(so_far, begin);
          this->append(so_far, end, n);
        },
        [](series& so_far, series&& later) { join(so_far, std::move(later)); });
    return all.out;
  }

 private:
  /// Returns the first place from `k` on whose item differs from the one before it, so that equal items are in one chunk.
  It1 bound1(std::uint64_t k, std::uint64_t n) const {
    if (k == 0 || k == n) return index_at(first1_, k);
    const It1 at = index_at(first1_, k);
    if (call(compare_, *(at - 1), *at)) return at;
    return std::upper_bound(at, last1_, *(at - 1), compare_);
  }
  /// Returns the first place from `from` on whose item is not less than that at `at`. The place is often near, and the items between may not be in
  /// the cache, so the search begins with short steps.
  It2 bound2(It2 from, It1 at) const {
    if (at == last1_) return last2_;
    std::iter_difference_t<It2> step = 1;
    while (step < last2_ - from && call(compare_, *(from + step), *at)) {
      from += step;
      step *= 2;
    }
    return std::lower_bound(from, from + std::min(step, last2_ - from), *at, compare_);
  }

  void begin(series& s, std::uint64_t k) const {
    s.has_begun = true;
    s.is_first = k == 0;
    if (s.is_first) return;
    s.at1 = bound1(k, count_of(first1_, last1_));
    s.at2 = bound2(first2_, s.at1);
    s.waiting.emplace_back();
  }

  void append(series& s, std::uint64_t end, std::uint64_t n) const {
    const It1 stop1 = bound1(end, n);
    if (!(s.at1 < stop1) && end != n) return;
    const It2 stop2 = bound2(s.at2, stop1);
    if (s.is_first) {
      s.out = op_(s.at1, stop1, s.at2, stop2, s.out, compare_);
    } else {
      op_(s.at1, stop1, s.at2, stop2, std::back_inserter(s.waiting.back()), compare_);
    }
    s.at1 = stop1;
    s.at2 = stop2;
  }

  static void join(series& so_far, series&& later) {
    if (!later.has_begun) return;
    if (!so_far.has_begun) {
      so_far = std::move(later);
      return;
    }
    for (auto& part : later.waiting) {
      if (so_far.is_first) {
        auto* const from = part.data();
        for_chunks(from, from + part.size(),
                   [from, out = so_far.out](auto* i, auto* j) { std::move(i, j, out + (i - from)); });
        so_far.out += static_cast<std::iter_difference_t<Out>>(part.size());
      } else {
        so_far.waiting.push_back(std::move(part));
      }
    }
    so_far.at1 = later.at1;
    so_far.at2 = later.at2;
  }

  It1 first1_, last1_;
  It2 first2_, last2_;
  const Compare& compare_;
  Op op_;
};

/// As std::set_union and its relatives; `op` is the sequential one. The loop runs over the first range.
template <class It1, class It2, class Out, class Compare, class Op>
Out set_chunks(It1 first1, It1 last1, It2 first2, It2 last2, Out out, const Compare& compare, Op op) {
  const stop_guard whole;
  if (first1 == last1) return op(first1, last1, first2, last2, out, compare);
  return set_operation<It1, It2, Out, Compare, Op>{first1, last1, first2, last2, compare, op}.run(out);
}

}  // namespace tine::detail::pstl
