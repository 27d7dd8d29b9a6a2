// The parallel back end of libstdc++'s algorithms with execution policies. It replaces the one that calls oneTBB.
//
// libstdc++'s <execution> has the algorithms in pstl/*_impl.h, which it shares with LLVM's project "Parallel STL". They
// call a back end: the functions of a namespace `__pstl::__par_backend`. pstl/parallel_backend.h defines this namespace
// once for all, as an alias for that of oneTBB's or of the serial back end. We define the guard of that header here, so
// that our functions take their place.
//
// Names with two underscores are reserved for the implementation, and a program must not define them. This header
// extends the implementation: libstdc++ chose the names, and the functions exist under these names only. Everything
// else is in `tine::detail::pstl`.
//
// Newer versions of Parallel STL pass the tag of the back end first. Each function exists in both forms.
#pragma once

#if defined(_PSTL_PARALLEL_BACKEND_H) || defined(_PSTL_PARALLEL_IMPL_H)
#error \
    "tine: include tine/pstl.hpp before <execution>: libstdc++ has chosen another back end already. The compiler option -include tine/pstl.hpp does so."
#endif

#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/pstl/const_callable.hpp>
#include <tine/detail/pstl/in_chunks.hpp>
#include <tine/detail/pstl/reduce_chunks.hpp>
#include <tine/detail/pstl/scan_chunks.hpp>
#include <tine/detail/pstl/sort_chunks.hpp>
#include <tine/detail/pstl/stop_guard.hpp>
#include <tine/managed/par.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#define _PSTL_PARALLEL_BACKEND_H  // NOLINT(bugprone-reserved-identifier): libstdc++'s
#define _PSTL_PARALLEL_IMPL_H     // NOLINT(bugprone-reserved-identifier): libstdc++'s

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming): libstdc++ names them
namespace __pstl {
namespace __par_backend {

/// Memory for `n` objects. Throws std::bad_alloc.
template <class T>
class __buffer {
 public:
  explicit __buffer(std::size_t n) : memory_{n} {}

  explicit operator bool() const noexcept { return true; }
  T* get() const noexcept { return memory_.begin(); }

 private:
  const tine::detail::raw_buffer<T> memory_;
};

/// Does nothing: a loop ends early by its result.
inline void __cancel_execution() noexcept {}

template <class Policy, class Index, class Brick>
TINE_ALWAYS_INLINE void __parallel_for(Policy&&, Index first, Index last, Brick brick) {
  tine::detail::pstl::for_chunks(first, last, std::move(brick));
}
template <class Tag, class Policy, class Index, class Brick>
TINE_ALWAYS_INLINE void __parallel_for(Tag, Policy&& p, Index first, Index last, Brick brick) {
  __par_backend::__parallel_for(std::forward<Policy>(p), first, last, std::move(brick));
}

template <class Policy, class T, class Index, class Body, class Combine>
T __parallel_reduce(Policy&&, Index first, Index last, const T& identity, const Body& body, const Combine& combine) {
  return tine::detail::pstl::reduce_chunks(first, last, identity, body, combine);
}
template <class Tag, class Policy, class T, class Index, class Body, class Combine>
T __parallel_reduce(Tag, Policy&&, Index first, Index last, const T& identity, const Body& body,
                    const Combine& combine) {
  return tine::detail::pstl::reduce_chunks(first, last, identity, body, combine);
}

template <class Policy, class Index, class Transform, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Policy&&, Index first, Index last, Transform transform, T init, Combine combine,
                              Reduce reduce) {
  return tine::detail::pstl::transform_reduce_chunks(first, last, transform, init, combine, reduce);
}
template <class Tag, class Policy, class Index, class Transform, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Tag, Policy&&, Index first, Index last, Transform transform, T init, Combine combine,
                              Reduce reduce) {
  return tine::detail::pstl::transform_reduce_chunks(first, last, transform, init, combine, reduce);
}

template <class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Policy&&, Index n, T init, Reduce reduce, Combine combine, Scan scan, Apex apex) {
  tine::detail::pstl::strict_scan_chunks(n, init, reduce, combine, scan, apex);
}
template <class Tag, class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Tag, Policy&&, Index n, T init, Reduce reduce, Combine combine, Scan scan, Apex apex) {
  tine::detail::pstl::strict_scan_chunks(n, init, reduce, combine, scan, apex);
}

template <class Policy, class Index, class Transform, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Policy&&, Index n, Transform transform, T init, Combine combine, Reduce reduce, Scan scan) {
  return tine::detail::pstl::transform_scan_chunks(n, transform, init, combine, reduce, scan);
}
template <class Tag, class Policy, class Index, class Transform, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Tag, Policy&&, Index n, Transform transform, T init, Combine combine, Reduce reduce,
                            Scan scan) {
  return tine::detail::pstl::transform_scan_chunks(n, transform, init, combine, reduce, scan);
}

/// Only the first `keep` items need be sorted; 0: all.
template <class Policy, class It, class Compare, class SortLeaf>
void __parallel_stable_sort(Policy&&, It first, It last, Compare compare, SortLeaf leaf_sort, std::size_t keep = 0) {
  tine::detail::pstl::sort_chunks(first, last, compare, leaf_sort, keep);
}
template <class Tag, class Policy, class It, class Compare, class SortLeaf>
void __parallel_stable_sort(Tag, Policy&&, It first, It last, Compare compare, SortLeaf leaf_sort,
                            std::size_t keep = 0) {
  tine::detail::pstl::sort_chunks(first, last, compare, leaf_sort, keep);
}

/// Merges by calls of `merge(x, x_end, y, y_end, out, compare)` for parts of the ranges; these calls may move the
/// items.
template <class Policy, class It1, class It2, class Out, class Compare, class MergeLeaf>
void __parallel_merge(Policy&&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                      MergeLeaf merge) {
  const tine::detail::pstl::stop_guard whole;
  using runs = tine::detail::open_runs<It1, It2>;
  tine::detail::merge_in_branches(runs{first1, last1, first2, last2}, out, tine::detail::pstl::order_of_two(compare),
                                  [&](const runs& part, const Out& to, std::uint64_t) {
                                    const tine::detail::pstl::stop_guard inside;
                                    tine::detail::pstl::call(merge, part.a, part.a_end, part.b, part.b_end, to,
                                                             compare);
                                  });
}
template <class Tag, class Policy, class It1, class It2, class Out, class Compare, class MergeLeaf>
void __parallel_merge(Tag, Policy&& p, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare compare,
                      MergeLeaf merge) {
  __par_backend::__parallel_merge(std::forward<Policy>(p), first1, last1, first2, last2, out, compare, merge);
}

template <class Policy, class F, class G>
void __parallel_invoke(Policy&&, F&& f, G&& g) {
  const tine::detail::pstl::stop_guard whole;
  tine::par([&f] { std::forward<F>(f)(); }, [&g] { std::forward<G>(g)(); });
}
template <class Tag, class Policy, class F, class G>
void __parallel_invoke(Tag, Policy&& p, F&& f, G&& g) {
  __par_backend::__parallel_invoke(std::forward<Policy>(p), std::forward<F>(f), std::forward<G>(g));
}

}  // namespace __par_backend

namespace __internal {

/// libstdc++ runs an algorithm in parallel if this is true for its iterators, and asks for their categories of C++17.
/// An iterator that computes its items has the category `input` there, although it is random access: those of
/// `views::iota`, `views::transform` and `views::zip`. So we add the concept of C++20.
template <class It, class... Others>
struct __is_random_access_iterator;
template <std::random_access_iterator It>
struct __is_random_access_iterator<It> : std::true_type {
  using type = std::true_type;
};

/// Returns what `find(i, j)` finds in subranges of [first, last): the first index if `is_first`, else the last one.
template <class Policy, class Index, class Find, class Compare>
Index __parallel_find(Policy&&, Index first, Index last, Find find, Compare, bool is_first) {
  return is_first ? tine::detail::pstl::find_in_chunks(first, last, find)
                  : tine::detail::pstl::find_last_in_chunks(first, last, find);
}
template <class Tag, class Policy, class Index, class Find, class Compare>
Index __parallel_find(Tag, Policy&& p, Index first, Index last, Find find, Compare compare, bool is_first) {
  return __internal::__parallel_find(std::forward<Policy>(p), first, last, find, compare, is_first);
}

template <class Policy, class Index, class Test>
bool __parallel_or(Policy&&, Index first, Index last, Test test) {
  return tine::detail::pstl::any_in_chunks(first, last, test);
}
template <class Tag, class Policy, class Index, class Test>
bool __parallel_or(Tag, Policy&&, Index first, Index last, Test test) {
  return tine::detail::pstl::any_in_chunks(first, last, test);
}

}  // namespace __internal
}  // namespace __pstl
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
