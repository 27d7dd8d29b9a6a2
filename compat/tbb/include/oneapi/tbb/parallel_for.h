// parallel_for: calls a body for the parts of a range, or a function for each index. Any thread may call it.
#pragma once

#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/subranges.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// An index type: it counts, and can be made of an int.
template <class T>
concept index = std::copyable<T> && std::constructible_from<T, int> && requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
  { a - b } -> std::convertible_to<std::size_t>;
  { a + b } -> std::convertible_to<T>;
};

template <class F, class Argument>
concept callable_with = requires(const F& f, Argument a) { f(static_cast<Argument>(a)); };

/// Returns the number of indices. Integers wrap in size_t, so that no difference overflows.
template <class Index>
std::size_t count_of(const Index& first, const Index& last, const Index& step) {
  if (!(Index(0) < step)) throw std::invalid_argument{"tbb::parallel_for: the step must be positive"};
  if (!(first < last)) return 0;
  if constexpr (std::integral<Index>) {
    return (static_cast<std::size_t>(last) - static_cast<std::size_t>(first) - 1) / static_cast<std::size_t>(step) + 1;
  } else {
    return static_cast<std::size_t>((last - first - Index(1)) / step) + 1;
  }
}

/// Returns the index number `k`.
template <class Index>
Index nth_index(const Index& first, std::size_t k, const Index& step) {
  if constexpr (std::integral<Index>) {
    return static_cast<Index>(static_cast<std::size_t>(first) + k * static_cast<std::size_t>(step));
  } else if constexpr (std::constructible_from<Index, std::size_t>) {
    return static_cast<Index>(first + static_cast<Index>(k) * step);
  } else {
    return static_cast<Index>(first + static_cast<Index>(static_cast<int>(k)) * step);
  }
}

/// The body that calls a function for the indices of a part.
template <class Index, class F>
class for_indices {
 public:
  for_indices(const Index& first, const Index& step, const F& f) : first_{first}, step_{step}, function_{f} {}

  void operator()(const blocked_range<std::size_t>& part) const {
    if constexpr (std::integral<Index>) {
      if (step_ == Index(1)) {
        const Index end = nth_index(first_, part.end(), step_);
        for (Index i = nth_index(first_, part.begin(), step_); i != end; ++i) (*function_)(i);
        return;
      }
    }
    for (std::size_t k = part.begin(); k != part.end(); ++k) (*function_)(nth_index(first_, k, step_));
  }

 private:
  Index first_, step_;
  held_body<F> function_;
};

template <class Cut, class Range, class Body>
void for_parts(const Range& r, const Body& body, task_group_context& context) {
  if (r.empty()) return;
  call_in_context call{context};
  call.run([&] {
    const auto guarded = [body = held_body<Body>{body}, &call](auto&& part) { call.body([&] { (*body)(part); }); };
    if constexpr (runs_as_loop<Range, Cut>) {
      run_as_loop(r, guarded);
    } else {
      Range whole(r);
      run_in_pieces(whole, Cut{}, guarded);
    }
  });
}

template <range Range, callable_with<Range&> Body, partitioner P>
void parallel_for(const Range& r, const Body& body, P&&, task_group_context& context) {
  for_parts<cut_of<P>>(r, body, context);
}

template <range Range, callable_with<Range&> Body>
void parallel_for(const Range& r, const Body& body, task_group_context& context) {
  on_tine::parallel_for(r, body, auto_partitioner{}, context);
}

template <range Range, callable_with<Range&> Body, partitioner P = auto_partitioner>
void parallel_for(const Range& r, const Body& body, P&& p = P{}) {
  task_group_context context;
  on_tine::parallel_for(r, body, std::forward<P>(p), context);
}

/// Calls `f` for each `step`-th index from `first` up to, but not including, `last`. Throws std::invalid_argument if
/// `step` is not positive.
template <index Index, callable_with<Index> F, partitioner P>
void parallel_for(Index first, Index last, Index step, const F& f, P&& p, task_group_context& context) {
  const std::size_t n = count_of(first, last, step);
  on_tine::parallel_for(blocked_range<std::size_t>(0, n), for_indices<Index, F>{first, step, f}, std::forward<P>(p),
                        context);
}

template <index Index, callable_with<Index> F>
void parallel_for(Index first, Index last, Index step, const F& f, task_group_context& context) {
  on_tine::parallel_for(first, last, step, f, auto_partitioner{}, context);
}

template <index Index, callable_with<Index> F, partitioner P = auto_partitioner>
void parallel_for(Index first, Index last, Index step, const F& f, P&& p = P{}) {
  task_group_context context;
  on_tine::parallel_for(first, last, step, f, std::forward<P>(p), context);
}

template <index Index, callable_with<Index> F, partitioner P>
void parallel_for(Index first, Index last, const F& f, P&& p, task_group_context& context) {
  on_tine::parallel_for(first, last, Index(1), f, std::forward<P>(p), context);
}

template <index Index, callable_with<Index> F>
void parallel_for(Index first, Index last, const F& f, task_group_context& context) {
  on_tine::parallel_for(first, last, Index(1), f, auto_partitioner{}, context);
}

template <index Index, callable_with<Index> F, partitioner P = auto_partitioner>
void parallel_for(Index first, Index last, const F& f, P&& p = P{}) {
  task_group_context context;
  on_tine::parallel_for(first, last, Index(1), f, std::forward<P>(p), context);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::parallel_for;
}
}  // namespace tbb
