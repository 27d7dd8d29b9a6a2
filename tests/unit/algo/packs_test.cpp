// Algorithms that copy, choose, replace or combine items, against the standard library or a loop.
#include <tine/algo/adjacent_difference.hpp>
#include <tine/algo/copy.hpp>
#include <tine/algo/copy_if.hpp>
#include <tine/algo/exclusive_scan.hpp>
#include <tine/algo/fill.hpp>
#include <tine/algo/fold_left.hpp>
#include <tine/algo/for_each.hpp>
#include <tine/algo/generate.hpp>
#include <tine/algo/inplace_merge.hpp>
#include <tine/algo/partial_sort.hpp>
#include <tine/algo/partition_copy.hpp>
#include <tine/algo/remove_if.hpp>
#include <tine/algo/replace.hpp>
#include <tine/algo/reverse.hpp>
#include <tine/algo/rotate.hpp>
#include <tine/algo/shift_left.hpp>
#include <tine/algo/stable_partition.hpp>
#include <tine/algo/swap_ranges.hpp>
#include <tine/algo/unique.hpp>

#include <deque>
#include <numeric>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(copy);
TINE_SIDES(copy_if);
TINE_SIDES(copy_n);
TINE_SIDES(fill_n);
TINE_SIDES(for_each_n);
TINE_SIDES(generate_n);
TINE_SIDES(move);
TINE_SIDES(partial_sort_copy);
TINE_SIDES(partition_copy);
TINE_SIDES(remove);
TINE_SIDES(remove_copy);
TINE_SIDES(remove_copy_if);
TINE_SIDES(remove_if);
TINE_SIDES(replace);
TINE_SIDES(replace_copy);
TINE_SIDES(replace_copy_if);
TINE_SIDES(replace_if);
TINE_SIDES(reverse_copy);
TINE_SIDES(rotate_copy);
TINE_SIDES(swap_ranges);
TINE_SIDES(unique);
TINE_SIDES(unique_copy);

/// Copies with a place for each item that is copied, and for no more.
template <bool Ours>
outcome copies(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  const auto n = static_cast<std::size_t>(std::ranges::count_if(v, is));
  const at_page_end<int> out{n, true}, yes{n}, no{v.size() - n};
  const auto copied = copy_if<Ours>(v, out.begin(), is);
  const auto parts = partition_copy<Ours>(counted(v), std::default_sentinel, yes.begin(), no.begin(), is);
  outcome found{copied.in - v.begin(), copied.out - out.begin(), parts.out1 - yes.begin(), parts.out2 - no.begin()};
  for (const auto* written : {&out, &yes, &no}) append(found, *written);
  return found;
}

/// Fills the items behind the ones that stay, which are unspecified.
template <class Rest>
std::ptrdiff_t cleared(const Rest& rest) {
  for (auto&& item : rest) item = {};
  return std::ranges::distance(rest);
}

template <bool Ours>
outcome removals(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  std::vector<keyed> items = with_places({v.begin(), v.end()});
  outcome found{cleared(remove_if<Ours>(items, is, &keyed::key)),
                cleared(remove_if<Ours>(counted(v), std::default_sentinel, is))};
  for (const keyed& item : items) found.push_back(static_cast<long>(item.place));
  return found;
}

/// Groups of equal neighbours of many lengths, of which the first item stays.
template <bool Ours>
outcome first_of_groups(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> lengths{1, 1, 2, 3, 10, 1000, 3000, 30'000, 600'000};
  std::deque<keyed> items;
  for (const int x : v) items.push_back({x, items.size()});
  for (std::size_t i = 0; k > 0 && i < v.size(); ++i) v[i] = items[i].key = static_cast<int>(i) / lengths[k];
  const auto is_near = [](int a, int b) { return a / 10 == b / 10; };
  outcome found{cleared(unique<Ours>(v)), cleared(unique<Ours>(items.begin(), items.end(), is_near, &keyed::key))};
  for (const keyed& item : items) found.push_back(static_cast<long>(item.place));
  return found;
}

TEST_CASE("packs choose the items that the standard library chooses") {
  check_laws({TINE_LAW(copies), TINE_LAW(removals), TINE_LAW(first_of_groups)});
}

TEST_CASE("each predicate is called once for each item") {
  in_pools([] {
    const std::vector<int> v = keys(65'537, pattern::random);
    std::vector<int> out(v.size()), other(v.size()), own = v;
    std::atomic<long> calls = 0;
    const auto is_odd = [&calls](int k) {
      ++calls;
      return k % 2 != 0;
    };
    tine::copy_if(v, out.begin(), is_odd);
    CHECK(calls == 65'537);
    tine::partition_copy(v, out.begin(), other.begin(), is_odd);
    CHECK(calls == 2 * 65'537);
    tine::remove_if(own, is_odd);
    CHECK(calls == 3 * 65'537);
    tine::unique(own, [&calls](int a, int b) {
      ++calls;
      return a == b;
    });
    CHECK(calls == 4 * 65'537 - 1);
  });
}

TEST_CASE("items that can be moved only are compacted") {
  in_pools([] {
    std::vector<move_only> v;
    for (const int k : keys(65'537, pattern::sorted)) v.emplace_back(k / 2);
    auto rest = tine::unique(v);
    v.erase(rest.begin(), rest.end());
    REQUIRE(v.size() == 32'769);
    rest = tine::remove_if(v, [](int k) { return k % 64 == 63; }, &move_only::key);
    v.erase(rest.begin(), rest.end());
    REQUIRE(v.size() == 32'769 - 512);
    CHECK(std::is_sorted(v.begin(), v.end()));
    bool is_right = true;
    for (std::size_t i = 0; i < v.size(); ++i) is_right = is_right && v[i].key() == static_cast<int>(i + i / 63);
    CHECK(is_right);
  });
}

TEST_CASE("the first exception of a predicate wins") {
  in_pools([] {
    const std::vector<int> v = keys(65'537, pattern::sorted);
    const auto pred = [](int k) { return below_1000(k) % 3 == 0; };
    std::vector<int> out(v.size()), other(v.size()), own = v;
    CHECK_THROWS_WITH(tine::copy_if(v, out.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::partition_copy(v, out.begin(), other.begin(), pred), "1000");
    CHECK_THROWS_WITH(tine::remove_if(own, pred), "1000");
  });
}

TEST_CASE("exceptions of copies, moves and comparisons leave all items alive") {
  in_pools([] {
    const auto from = keys(10'000, pattern::sorted);
    const auto is_odd = [](int k) { return k % 2 != 0; };
    check_lives(from, 20'000, [=](auto& v) {
      const auto half = v.begin() + 5000;
      tine::copy_if(v.begin(), half, half, is_odd, &throwing::key);
      tine::partition_copy(half, v.end(), v.begin(), v.begin() + 3750, is_odd, &throwing::key);
    });
    check_lives(from, 20'000, [=](auto& v) { tine::remove_if(v, is_odd, &throwing::key); });
    check_lives(from, 20'000, [](auto& v) { tine::unique(v); });
  });
}

TEST_CASE("items move left over gaps of any length") {
  in_pools([] {
    for (const std::uint64_t n :
         {std::uint64_t{1}, std::uint64_t{16'384}, std::uint64_t{16'385}, std::uint64_t{33'000}}) {
      for (const std::uint64_t gap :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77}, n / 9 + 1, n / 8 + 1, n / 2 + 1, n, 2 * n}) {
        CAPTURE(n);
        CAPTURE(gap);
        std::vector<std::string> items(n + gap + 1);
        for (std::size_t i = 0; i < n; ++i) items[i + gap] = std::to_string(i);
        tine::detail::move_left(items.begin() + static_cast<std::ptrdiff_t>(gap), n, gap);
        bool is_right = items.back().empty();
        for (std::size_t i = 0; i < n; ++i) is_right = is_right && items[i] == std::to_string(i);
        CHECK(is_right);
      }
    }
  });
}

TEST_CASE("bits are appended and read across words") {
  std::vector<bool> right;
  tine::detail::bit_sequence bits;
  std::mt19937_64 random{7};
  for (int i = 0; i < 300; ++i) {
    const auto count = static_cast<unsigned>(random() % 64 + 1);
    const std::uint64_t word = count == 64 ? random() : random() & ((std::uint64_t{1} << count) - 1);
    tine::detail::bit_sequence more;
    more.append(word, count);
    if (i % 2 == 0) {
      bits.append(word, count);
    } else {
      bits.append(more);
    }
    for (unsigned k = 0; k < count; ++k) right.push_back(((word >> k) & 1) != 0);
  }
  REQUIRE(bits.size() == right.size());
  bool is_right = true;
  for (std::uint64_t at = 0; at + 64 <= right.size(); ++at) {
    const auto count = static_cast<unsigned>(random() % 64 + 1);
    std::uint64_t word = 0;
    for (unsigned k = 0; k < count; ++k) word |= std::uint64_t{right[at + k]} << k;
    is_right = is_right && bits.bits(at, count) == word;
  }
  CHECK(is_right);
}

/// Outputs that have a place for each item, and no more, one after the other.
struct outputs {
  outcome& found;

  /// Runs `write(out)`, and appends its ends and what it has written of `n` places.
  void note(std::span<int> v, std::size_t n, auto write) const {
    const at_page_end<int> out{n, v.size() % 2 == 0};
    const auto ends = write(out.begin());
    found.insert(found.end(), {ends.in - v.begin(), ends.out - out.begin()});
    append(found, out);
  }
};

template <bool Ours>
outcome plain_copies(std::span<int> v, unsigned k) {
  const std::size_t at = place_in(v, k), n = v.size();
  const auto count = static_cast<std::ptrdiff_t>(at);
  const int value = at < n ? v[at] : -5;
  const chosen is{v, k};
  outcome found;
  const outputs out{found};
  out.note(v, n, [&](int* to) { return copy<Ours>(v, to); });
  out.note(v, at, [&](int* to) { return copy_n<Ours>(v.begin(), count, to); });
  out.note(v, n, [&](int* to) { return move<Ours>(v, to); });
  out.note(v, n, [&](int* to) { return reverse_copy<Ours>(v, to); });
  out.note(v, n, [&](int* to) { return rotate_copy<Ours>(v, v.begin() + count, to); });
  out.note(v, n, [&](int* to) { return replace_copy<Ours>(v, to, value, 3); });
  out.note(v, n, [&](int* to) { return replace_copy_if<Ours>(v, to, is, 4, std::negate<>{}); });
  return found;
}

/// Packs with exactly as many places as there are results.
template <bool Ours>
outcome more_packs(std::span<int> v, unsigned k) {
  if (k > 4) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<int>(i / (k * k * k)) % 50;
  }
  const chosen is{v, k};
  const int value = place_in(v, k) < v.size() ? v[place_in(v, k)] : -5;
  const auto is_near = [](int a, int b) { return a / 10 == b / 10; };
  std::vector<int> rest;
  std::ranges::unique_copy(v, std::back_inserter(rest));
  const std::size_t groups = rest.size();
  rest.clear();
  std::ranges::unique_copy(v, std::back_inserter(rest), is_near);
  const auto count_of = [&](auto pred) { return static_cast<std::size_t>(std::ranges::count_if(v, pred)); };
  outcome found;
  const outputs out{found};
  out.note(v, count_of([value](int x) { return x != value; }),
           [&](int* to) { return remove_copy<Ours>(v, to, value); });
  out.note(v, count_of(std::not_fn(is)), [&](int* to) { return remove_copy_if<Ours>(v, to, is); });
  out.note(v, groups, [&](int* to) { return unique_copy<Ours>(v, to); });
  out.note(v, rest.size(), [&](int* to) { return unique_copy<Ours>(v, to, is_near); });
  std::deque<int> queue(v.begin(), v.end());
  queue.erase(remove<Ours>(queue, -value, std::negate<>{}).begin(), queue.end());
  append(found, queue);
  return found;
}

template <bool Ours>
outcome changes(std::span<int> v, unsigned k) {
  const auto n = std::ssize(v), at = static_cast<std::ptrdiff_t>(place_in(v, k));
  const int value = at < n ? v[place_in(v, k)] : -5;
  const chosen is{v, k};
  std::deque<int> other(v.rbegin(), v.rend());
  const auto swapped = swap_ranges<Ours>(v.first(static_cast<std::size_t>(at)), other);
  outcome found{swapped.in1 - v.begin(),
                swapped.in2 - other.begin(),
                replace<Ours>(v, value, 7) - v.begin(),
                replace_if<Ours>(other, is, 8, std::negate<>{}) - other.begin(),
                for_each_n<Ours>(v.begin(), at, [](int& x) { x ^= 1; }).in - v.begin(),
                fill_n<Ours>(v.begin() + at, (n - at) / 2, 5) - v.begin(),
                generate_n<Ours>(v.begin() + (n + at) / 2, (n - at) / 3 - 1, [] { return 6; }) - v.begin()};
  append(found, other);
  return found;
}

/// The standard library's own algorithms of these names take memory by a function that compilers warn of.
template <bool Ours>
long part_stably(auto&& items, const auto& is) {
  if constexpr (Ours) {
    return tine::stable_partition(items, is).begin() - items.begin();
  } else {
    std::vector<std::ranges::range_value_t<decltype(items)>> yes, no;
    for (const auto& item : items) (is(item) ? yes : no).push_back(item);
    std::ranges::copy(no, std::ranges::copy(yes, items.begin()).out);
    return std::ssize(yes);
  }
}
template <bool Ours>
long merge_parts(auto& items, std::ptrdiff_t at) {
  if constexpr (Ours) {
    return tine::inplace_merge(items.begin(), items.begin() + at, items.end(), std::ranges::less{}, &keyed::key) -
           items.begin();
  } else {
    std::vector<keyed> all;
    std::ranges::merge(std::span{items}.first(static_cast<std::size_t>(at)),
                       std::span{items}.subspan(static_cast<std::size_t>(at)), std::back_inserter(all), {}, &keyed::key,
                       &keyed::key);
    std::ranges::copy(all, items.begin());
    return std::ssize(all);
  }
}

/// Items with their places, so that unstable results differ; cheap ones, in an array and in a deque.
template <bool Ours>
outcome orders(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  const auto is_key = [is](const keyed& item) { return is(item.key); };
  const auto at = static_cast<std::ptrdiff_t>(place_in(v, k));
  std::vector<keyed> items = with_places({v.begin(), v.end()});
  std::deque<keyed> queue(items.begin(), items.end());
  outcome found{part_stably<Ours>(queue, is_key), part_stably<Ours>(items, is_key)};
  const auto note = [&](const auto& all) {
    for (const keyed& item : all) found.push_back(item.key * 100'000L + static_cast<long>(item.place));
  };
  note(queue);
  note(items);
  for (keyed& item : items) item.key %= k % 2 == 0 ? 50 : 1 << 30;
  const auto key_and_place = [](const keyed& item) { return std::pair{item.key, item.place}; };
  std::ranges::sort(items.begin(), items.begin() + at, {}, key_and_place);
  std::ranges::sort(items.begin() + at, items.end(), {}, key_and_place);
  found.push_back(merge_parts<Ours>(items, at));
  note(items);
  const at_page_end<int> least{v.size() / (k + 1) + k};
  const auto ends = partial_sort_copy<Ours>(counted(v), std::default_sentinel, least.begin(), least.end(),
                                            std::ranges::less{}, std::negate<>{}, std::negate<>{});
  found.insert(found.end(), {ends.in - counted(v), ends.out - least.begin()});
  append(found, least);
  return found;
}

/// An operation that is associative, and not commutative: it joins the linear functions x * a + b of two numbers.
struct linear {
  unsigned a = 1, b = 0;
  linear() = default;
  linear(int x) : a(static_cast<unsigned>(x) | 1U), b(static_cast<unsigned>(x)) {}
  friend linear operator+(const linear& f, const linear& g) {
    linear both;
    both.a = f.a * g.a;
    both.b = f.b * g.a + g.b;
    return both;
  }
  long hash() const {
    return long{a} << 31 ^ long { b };
  }
};

template <bool Ours>
outcome numerics(std::span<int> v, unsigned k) {
  const at_page_end<long> differences{v.size()}, sums{v.size()};
  const auto places = static_cast<std::ptrdiff_t>(place_in(v, k)) - k % 2;
  std::vector<int> left(v.begin(), v.end()), right = left;
  const auto cut = [&](auto& r, bool to_left) {  // the items that stay
    const auto gap = std::clamp<std::ptrdiff_t>(places, 0, std::ssize(r));
    if constexpr (Ours) {
      const auto stay = to_left ? tine::shift_left(r, places) : tine::shift_right(r.begin(), r.end(), places);
      return stay;
    } else {
      return to_left ? std::ranges::subrange{r.begin() + gap, r.end()}
                     : std::ranges::subrange{r.begin(), r.end() - gap};
    }
  };
  outcome found;
  append(found, cut(left, true));
  append(found, cut(right, false));
  if constexpr (Ours) {
    const auto one = tine::adjacent_difference(v, differences.begin());
    const auto two = tine::transform_exclusive_scan(v, sums.begin(), 5L, std::plus<>{}, std::negate<>{});
    found.insert(found.end(), {one.out - differences.begin(), two.in - v.begin(), two.out - sums.begin()});
    found.push_back(tine::fold_left(v, linear{3}, std::plus<>{}).hash());
    found.push_back(tine::fold_right(counted(v), std::default_sentinel, linear{3}, std::plus<>{}).hash());
    const std::vector<linear> all(v.begin(), v.end());
    const auto first = tine::fold_left_first(all, std::plus<>{}), last = tine::fold_right_last(all, std::plus<>{});
    found.push_back(first.has_value() ? first->hash() : -1);
    found.push_back(last.has_value() ? last->hash() : -1);
  } else {
    std::adjacent_difference(v.begin(), v.end(), differences.begin());
    std::transform_exclusive_scan(v.begin(), v.end(), sums.begin(), 5L, std::plus<>{}, std::negate<>{});
    found.insert(found.end(), 3, std::ssize(v));
    linear left_sum{3}, right_sum, all;
    for (const int x : v) left_sum = left_sum + x, right_sum = right_sum + x, all = all + x;
    right_sum = right_sum + linear{3};
    found.insert(found.end(),
                 {left_sum.hash(), right_sum.hash(), v.empty() ? -1 : all.hash(), v.empty() ? -1 : all.hash()});
  }
  append(found, differences);
  append(found, sums);
  return found;
}

TEST_CASE("copies, changes, stable partitions, merges in place and folds give what the standard library gives") {
  check_laws({TINE_LAW(plain_copies), TINE_LAW(more_packs), TINE_LAW(changes), TINE_LAW(orders), TINE_LAW(numerics)});
}

TEST_CASE("copies move items that can be moved only, and the exception of an item leaves") {
  in_pools([] {
    auto items = made_of<move_only>(keys(5000, pattern::sorted), [](int k) { return move_only{k}; });
    std::vector<move_only> other(5000), third(10);
    CHECK(tine::move(items, other.begin()).out == other.end());
    CHECK(items[4711].key() == -1);
    CHECK(tine::swap_ranges(other, third).in1 == other.begin() + 10);
    CHECK(third[7].key() == 7);
    CHECK(tine::shift_right(other, 1).begin() == other.begin() + 1);
    CHECK(other.back().key() == 4998);
    std::vector<int> v = keys(65'537, pattern::sorted), out(v.size());
    const auto refuse = [](int k) { return below_1000(k) < 0; };
    CHECK_THROWS_WITH(tine::for_each_n(v.begin(), 60'000, below_1000), "1000");
    CHECK_THROWS_WITH(tine::replace_if(v, refuse, 1), "1000");
    CHECK_THROWS_WITH(tine::remove_copy_if(v, out.begin(), refuse), "1000");
    CHECK_THROWS_WITH(tine::replace_copy(v, out.begin(), 5, 6, below_1000), "1000");
    CHECK_THROWS_WITH(tine::adjacent_difference(v, out.begin(), [](int k, int) { return below_1000(k); }), "1000");
    CHECK_THROWS_AS(tine::fold_left(v, 0, [](int, int k) { return below_1000(k); }), std::runtime_error);
    CHECK(tine::fold_left_first(std::vector<int>{}, std::plus<>{}) == std::nullopt);
    CHECK(tine::copy_n(v.begin(), -1, out.begin()).out == out.begin());
  });
}

TEST_CASE("no item is lost in a stable partition or a merge in place that ends early") {
  all_pools().front().run([] {
    auto from = keys(3000, pattern::random);
    std::ranges::sort(from.begin(), from.begin() + 1100);
    std::ranges::sort(from.begin() + 1100, from.end());
    const auto change = [](auto& items, watched_less less) {
      tine::inplace_merge(items, items.begin() + 1100, less);
      tine::stable_partition(items, [&](const auto& item) { return key_of(item) % 3 == 0 && !less(item, item); });
    };
    check_that_no_item_is_lost<int>(from, change);
    check_that_no_item_is_lost<move_only>(from, change);
    check_lives(from, 40'000,
                [](std::vector<throwing>& items) { tine::inplace_merge(items, items.begin() + 1100, std::less<>{}); });
    check_lives(from, 40'000, [](std::vector<throwing>& items) {
      tine::stable_partition(items, [](const throwing& item) { return item.key() % 3 == 0; });
    });
  });
}

}  // namespace
