// group_by_key: collects the values of each key.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_pairs.hpp>
#include <tine/detail/algo/value_list.hpp>

#include <functional>
#include <vector>

namespace tine {
namespace detail {

struct group_by_key_function {
  template <std::ranges::input_range R, class Hash = std::hash<key_of<R>>, class Equal = std::equal_to<>>
    requires range_of_pairs<R>
  std::vector<std::pair<key_of<R>, std::vector<value_of_key<R>>>> operator()(R&& pairs, Hash hash = {},
                                                                             Equal equal = {}) const {
    using value = value_of_key<R>;
    using list = value_list<value>;
    using arena = typename list::arena;
    auto folds = fold_pairs<list, arena>(
        pairs, std::move(hash), std::move(equal), [] { return list{}; },
        [](arena& from, list& so_far, auto&& v) TINE_INLINED { so_far.add(from, std::forward<decltype(v)>(v)); },
        [](list& so_far, list&& later) { so_far.append(std::move(later)); });
    auto& entries = folds.table.entries();
    std::vector<std::pair<key_of<R>, std::vector<value>>> groups;
    groups.reserve(entries.size());
    for (auto& e : entries) groups.emplace_back(std::move(e.first), std::vector<value>{});
    for_each_chunk(entries.size(), [&entries, &groups](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) entries[k].second.move_to(groups[k].second);
    });
    return groups;
  }
};

}  // namespace detail

/// Returns each key of `pairs` once, with the vector of its values: a vector of pairs. The keys are in the order of
/// their first appearance, and the values of a key in the order of the range, on any number of workers. So keys don't
/// need `<`, and equal inputs have equal results, whatever `hash` does. The items of `pairs` are std::pair, or a
/// std::tuple of two.
///
///     tine::group_by_key(pairs, hash = {}, equal = {})
///
/// On one worker this is the sequential loop over a hash table that keeps the values of each key in a list of growing
/// chunks. Other workers collect what they take in tables of their own, which we add to the first one. The lists of
/// keys that both hold are linked in parallel, and one worker appends the new keys. At the end the lists are moved to
/// vectors in parallel.
///
/// Work O(n) expected, if `hash` is good; k stolen series add O(k * keys). Memory for the values twice. `hash` and
/// `equal` are called as const, on several workers at once: `hash` once for each item, `equal` about once, and once
/// more for each key of a stolen series. Exceptions and stop requests are as in `par_for`.
///
/// Source: hashing with linear probing (Knuth, vol. 3, 6.4), as a reduction of tables.
inline constexpr detail::group_by_key_function group_by_key{};

}  // namespace tine
