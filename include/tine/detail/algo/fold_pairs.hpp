// The loop under group_by_key and collect_reduce: a fold of the values of each key.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/key_table.hpp>

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace tine::detail {

/// True for ranges of std::pair, or of another type with two parts that std::get takes.
template <class R>
concept range_of_pairs = requires(std::ranges::range_reference_t<R>&& item) {
  requires std::tuple_size<std::remove_cvref_t<std::ranges::range_reference_t<R>>>::value == 2;
  std::get<0>(std::forward<decltype(item)>(item));
  std::get<1>(std::forward<decltype(item)>(item));
};

template <class R>
using key_of = std::remove_cvref_t<std::tuple_element_t<0, std::remove_cvref_t<std::ranges::range_reference_t<R>>>>;
template <class R>
using value_of_key =
    std::remove_cvref_t<std::tuple_element_t<1, std::remove_cvref_t<std::ranges::range_reference_t<R>>>>;

/// The folds of a series.
template <class Key, class Fold, class Arena>
struct pair_folds {
  Arena arena;  ///< memory to which the folds refer
  key_table<Key, Fold> table;
};

/// Stands for the arena of folds that refer to none.
struct no_arena {
  void take(no_arena) const noexcept {}
};

/// Returns each key of `pairs`, in the order of the first appearances, with the fold of its values, and the arena.
/// `make()` begins a fold, `add_value(arena, fold, value)` adds a value, and `add_fold(fold, later)` the fold of later
/// values.
template <class Fold, class Arena, class R, class Hash, class Equal, class Make, class AddValue, class AddFold>
TINE_ALWAYS_INLINE pair_folds<key_of<R>, Fold, Arena> fold_pairs(R& pairs, Hash hash, Equal equal, Make make,
                                                                 AddValue add_value, AddFold add_fold) {
  static_assert(check_range<R>());
  static_assert(check_callable<Hash, const key_of<R>&>());
  static_assert(check_callable<Equal, const key_of<R>&, const key_of<R>&>());
  using folds = pair_folds<key_of<R>, Fold, Arena>;
  const auto first = std::ranges::begin(pairs);
  return fold_chunks(
      items_between(first, std::ranges::end(pairs)), [] { return folds{}; },
      [first, hash, equal, make, add_value](folds& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        for (auto i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
          auto&& item = *i;
          auto&& key = std::get<0>(std::forward<decltype(item)>(item));
          const std::uint64_t hashed = mixed(static_cast<std::uint64_t>(std::invoke(hash, std::as_const(key))));
          Fold& fold = so_far.table.at(hashed, std::forward<decltype(key)>(key), equal, make);
          add_value(so_far.arena, fold, std::get<1>(std::forward<decltype(item)>(item)));
        }
      },
      [equal, add_fold](folds& so_far, folds&& later) {
        so_far.arena.take(std::move(later.arena));
        so_far.table.merge(std::move(later.table), equal, add_fold);
      });
}

}  // namespace tine::detail
