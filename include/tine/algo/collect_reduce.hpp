// collect_reduce: reduces the values of each key.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_buckets.hpp>
#include <tine/detail/algo/fold_pairs.hpp>

#include <functional>
#include <vector>

namespace tine {
namespace detail {

struct collect_reduce_function {
  template <std::ranges::input_range R, class Identity, class Op, class Hash = std::hash<key_of<R>>,
            class Equal = std::equal_to<>>
    requires range_of_pairs<R> && std::invocable<Op&, const Identity&, const value_of_key<R>&>
  auto operator()(R&& pairs, Identity identity, Op op, Hash hash = {}, Equal equal = {}) const {
    using result = std::remove_cvref_t<std::invoke_result_t<Op&, const Identity&, const value_of_key<R>&>>;
    static_assert(check_callable<Op, result, const value_of_key<R>&>());
    static_assert(
        std::invocable<const Op&, result, result>,
        "tine: the op of collect_reduce must also take two results: that of some values and that of the following ones");
    const result empty(std::move(identity));
    auto folds = fold_pairs<result, no_arena>(
        pairs, std::move(hash), std::move(equal), [empty] { return empty; },
        [op](no_arena, result& so_far, auto&& value) TINE_INLINED {
          so_far = static_cast<result>(std::invoke(op, std::move(so_far), std::forward<decltype(value)>(value)));
        },
        [op](result& so_far, result&& later) {
          so_far = static_cast<result>(std::invoke(op, std::move(so_far), std::move(later)));
        });
    return std::move(folds.table.entries());
  }
  template <std::ranges::input_range R, class Key, class Value, class T, class Op>
    requires std::regular_invocable<Key&, std::ranges::range_reference_t<R>> &&
             std::regular_invocable<Value&, std::ranges::range_reference_t<R>>
  std::vector<T> operator()(R&& items, std::size_t buckets, Key key, Value value, T identity, Op op) const {
    static_assert(check_range<R>());
    using item = std::ranges::range_reference_t<R>;
    static_assert(check_callable<Key, item>() && check_callable<Value, item>());
    static_assert(std::integral<std::remove_cvref_t<std::invoke_result_t<Key&, item>>>,
                  "tine: the key of a bucket must be an integer");
    static_assert(check_callable<Op, T, std::invoke_result_t<Value&, item>>());
    const auto first = std::ranges::begin(items);
    return fold_buckets(first, items_between(first, std::ranges::end(items)), buckets, std::move(key), std::move(value),
                        std::move(identity), std::move(op));
  }
};

}  // namespace detail

/// Returns each key of `pairs` once, with `op(... op(op(identity, v1), v2) ..., vk)` over its values: a vector of
/// pairs, computed possibly in parallel. The keys are in the order of their first appearance, on any number of workers.
/// `op` must be associative, but need not be commutative, because we keep the order of the values. `identity` must be
/// neutral on the left: each worker starts the reduction of each key with a copy of it. The results have the type that
/// `op` returns for the identity and a value. `op` also takes two results, that of some values and that of the
/// following ones, because workers reduce parts of the range.
///
///     tine::collect_reduce(pairs, identity, op, hash = {}, equal = {})
///     tine::collect_reduce(items, buckets, key, value, identity, op)
///
///     auto counts = tine::collect_reduce(words_with_ones, 0, std::plus<>{});
///
/// Everything else is as in `group_by_key`.
///
/// Returns a vector with the reduction of each of `buckets` buckets, computed possibly in parallel. That of bucket b is
/// `op(... op(identity, value(x1)) ..., value(xk))` over the items x whose `key(x)` is b, in their order. Throws
/// std::out_of_range if a key is not from 0 up to, but not including, `buckets`.
///
/// On one worker this is the sequential loop over the vector, which takes O(n + buckets) time. Other workers keep what
/// they take in a list, and replace the list by a vector of their own as soon as it has an eighth as many items as
/// there are buckets. So k stolen series take O(n + k * buckets) time and memory at most. `key`, `value` and `op` are
/// called as const, on several workers at once; `op` need not be commutative, and also takes two results. Exceptions
/// and stop requests are as in `par_for`.
///
/// Source: ParlayLib (Blelloch, Anderson and Dhulipala 2020), `reduce_by_key`; here as a reduction of hash tables.
inline constexpr detail::collect_reduce_function collect_reduce{};

}  // namespace tine
