// The reductions of standard algorithms. A series is consecutive chunks on one worker. Its value begins with its first
// items and not with an identity, because the callers' combining functions need not know one.
#pragma once

#include <tine/detail/pstl/in_chunks.hpp>

#include <optional>

namespace tine::detail::pstl {

/// Returns the reduction of [first, last): `body(i, j, value)` reduces a subrange and combines it behind `value`, which
/// is `identity` or the reduction of the subranges before; `combine` combines the reductions of two consecutive series.
template <class Index, class T, class Body, class Combine>
T reduce_chunks(Index first, Index last, const T& identity, const Body& body, const Combine& combine) {
  if (first == last) return identity;
  struct series {
    T value;
    bool is_empty;
  };
  const stop_guard whole;
  return fold_chunks(
             length_of(first, last), [&identity] { return series{identity, true}; },
             [first, body](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
               const stop_guard chunk;
               so_far.value = call(body, nth_item(first, begin), nth_item(first, end), std::move(so_far.value));
               so_far.is_empty = false;
             },
             [&combine](series& so_far, series&& later) {
               const stop_guard chunk;
               if (later.is_empty) return;
               if (so_far.is_empty) {
                 so_far = std::move(later);
               } else {
                 so_far.value = call(combine, std::move(so_far.value), std::move(later.value));
               }
             })
      .value;
}

/// The value of a series of `transform_reduce_chunks`. A series of one item has no value yet, because an item need not
/// convert to a `T`.
template <class T>
struct transformed_series {
  std::optional<T> value;
  std::uint64_t only = 0;  ///< the item of a series of one item
  bool is_empty = true;

  /// `next` may have been computed by a function that returns a reference to the value, so it is an object of its own.
  TINE_ALWAYS_INLINE void set(T next) { value.emplace(std::move(next)); }
};

/// Returns `init` combined with `transform(i)` for all i from `first` up to `last`. `reduce(i, j, value)` does so for a
/// subrange.
template <class Index, class Transform, class T, class Combine, class Reduce>
T transform_reduce_chunks(Index first, Index last, const Transform& transform, const T& init, const Combine& combine,
                          const Reduce& reduce) {
  if (first == last) return init;
  using series = transformed_series<T>;
  const stop_guard whole;
  const auto item = [&](std::uint64_t k) -> decltype(auto) { return call(transform, nth_item(first, k)); };
  series all = fold_chunks(
      length_of(first, last), [] { return series{}; },
      [first, reduce, &item, &combine, &init](series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        const stop_guard chunk;
        if (!so_far.value.has_value()) [[unlikely]] {
          if (begin == 0) {
            so_far.set(init);
          } else if (!so_far.is_empty) {
            so_far.set(call(combine, item(so_far.only), item(begin)));
            ++begin;
          } else if (begin + 1 == end) {
            so_far.only = begin;
          } else {
            so_far.set(call(combine, item(begin), item(begin + 1)));
            begin += 2;
          }
          so_far.is_empty = false;
        }
        if (begin < end && so_far.value.has_value()) {
          T sum = std::move(*so_far.value);
          so_far.set(call(reduce, nth_item(first, begin), nth_item(first, end), std::move(sum)));
        }
      },
      [&item, &combine](series& so_far, series&& later) {
        const stop_guard chunk;
        if (later.is_empty) return;
        if (so_far.is_empty) {
          so_far = std::move(later);
        } else if (so_far.value.has_value() && later.value.has_value()) {
          so_far.set(call(combine, std::move(*so_far.value), std::move(*later.value)));
        } else if (so_far.value.has_value()) {
          so_far.set(call(combine, std::move(*so_far.value), item(later.only)));
        } else if (later.value.has_value()) {
          so_far.set(call(combine, item(so_far.only), std::move(*later.value)));
        } else {
          so_far.set(call(combine, item(so_far.only), item(later.only)));
        }
      });
  return *std::move(all.value);
}

}  // namespace tine::detail::pstl
