// Searches, comparisons and counts against the standard library or a loop, and the items that they do not look at.
#include <tine/algo/adjacent_find.hpp>
#include <tine/algo/any_of.hpp>
#include <tine/algo/count_if.hpp>
#include <tine/algo/equal.hpp>
#include <tine/algo/find_if.hpp>
#include <tine/algo/includes.hpp>
#include <tine/algo/is_heap.hpp>
#include <tine/algo/is_sorted.hpp>
#include <tine/algo/mismatch.hpp>
#include <tine/algo/partition.hpp>
#include <tine/algo/search.hpp>

#include <cmath>
#include <deque>
#include <list>
#include <ranges>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(adjacent_find);
TINE_SIDES(all_of);
TINE_SIDES(any_of);
TINE_SIDES(count);
TINE_SIDES(count_if);
TINE_SIDES(equal);
TINE_SIDES(find);
TINE_SIDES(find_end);
TINE_SIDES(find_first_of);
TINE_SIDES(find_if);
TINE_SIDES(find_if_not);
TINE_SIDES(includes);
TINE_SIDES(is_heap);
TINE_SIDES(is_heap_until);
TINE_SIDES(is_partitioned);
TINE_SIDES(is_sorted);
TINE_SIDES(is_sorted_until);
TINE_SIDES(lexicographical_compare);
TINE_SIDES(mismatch);
TINE_SIDES(none_of);
TINE_SIDES(search);
TINE_SIDES(search_n);

template <bool Ours>
outcome questions(std::span<int> v, unsigned k) {
  const chosen is{v, k};
  const auto is_not = std::not_fn(is);
  return {any_of<Ours>(v, is),
          all_of<Ours>(v, is_not),
          none_of<Ours>(v, is),
          any_of<Ours>(counted(v), std::default_sentinel, is_not, std::identity{}),
          all_of<Ours>(counted(v), std::default_sentinel, is),
          none_of<Ours>(counted(v), std::default_sentinel, is_not)};
}

template <bool Ours>
outcome finds_and_counts(std::span<int> v, unsigned k) {
  std::deque<char> places(v.size());
  for (std::size_t i = place_in(v, k); i < v.size(); i += k + 1) places[i] = 1;
  const auto is_set = [](char c) { return c == 1; };
  const chosen is{v, k};
  return {find_if<Ours>(v, is) - v.begin(), count_if<Ours>(v, is), find_if<Ours>(places, is_set) - places.begin(),
          count_if<Ours>(counted(v), std::default_sentinel, std::not_fn(is), std::negate<>{})};
}

template <bool Ours>
outcome comparisons(std::span<int> v, unsigned k) {
  std::vector<int> same(v.begin(), v.end());
  std::deque<int> longer(v.begin(), v.end());
  longer.resize(v.size() + k % 3);
  if (const std::size_t at = place_in(v, k); at < v.size()) same[at] = longer[at] = -5;
  const auto one = mismatch<Ours>(v, longer);
  const auto two = mismatch<Ours>(longer.begin(), longer.end(), v.begin(), v.end(), std::ranges::equal_to{},
                                  std::negate<>{}, std::negate<>{});
  return {equal<Ours>(v, same),
          equal<Ours>(v, longer),
          equal<Ours>(same, v, std::ranges::less_equal{}),
          equal<Ours>(counted(v), std::default_sentinel, same.begin(), same.end(), std::ranges::equal_to{},
                      std::identity{}, std::negate<>{}),
          one.in1 - v.begin(),
          one.in2 - longer.begin(),
          two.in1 - longer.begin(),
          two.in2 - v.begin()};
}

template <bool Ours>
outcome orders(std::span<int> v, unsigned k) {
  std::vector<int> most(v.begin(), v.end());
  std::ranges::sort(most);
  if (const std::size_t at = place_in(v, k); at < v.size()) most[at] = k % 2 == 0 ? -5 : 1 << 30;
  const std::vector<double> doubles(most.begin(), most.end()), down(most.rbegin(), most.rend());
  return {is_sorted<Ours>(v),
          is_sorted<Ours>(most),
          is_sorted<Ours>(doubles),
          is_sorted<Ours>(down, std::greater<>{}),
          is_sorted<Ours>(most, std::ranges::less{}, std::negate<>{}),
          is_sorted<Ours>(counted(v), std::default_sentinel),
          is_sorted<Ours>(most, [](int a, int b) { return a < b; })};
}

TEST_CASE("searches answer as the standard library does") {
  check_laws({TINE_LAW(questions), TINE_LAW(finds_and_counts), TINE_LAW(comparisons), TINE_LAW(orders)});
}

TEST_CASE("on one worker no item behind the one that settles the answer is looked at") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    constexpr int middle = large_length / 2;
    const auto v = keys(large_length, pattern::sorted);
    for (int round = 0; round < 3; ++round) {
      long looks = 0;
      const auto looked_at = [&looks](auto search) {
        looks = 0;
        search();
        return looks;
      };
      const auto is_wanted = [&looks](int k) { return ++looks, k == middle; };
      const auto is_other = [&looks](int k) { return ++looks, k != middle; };
      CHECK(looked_at([&] { CHECK(tine::any_of(v, is_wanted)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK(*tine::find_if(v, is_wanted) == middle); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::none_of(v, is_wanted)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::all_of(v, is_other)); }) == middle + 1);
      CHECK(looked_at([&] { CHECK(*tine::mismatch(v, v, {}, is_other).in1 == 0); }) == 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::equal(v, v, [&](int k, int) { return is_other(k); })); }) == middle + 1);
      CHECK(looked_at([&] { CHECK_FALSE(tine::is_sorted(v, [&](int k, int) { return is_wanted(k); })); }) == middle);
      CHECK(looked_at([&] { CHECK(*tine::mismatch(v, v, [&](int k, int) { return is_other(k); }).in1 == middle); }) ==
            middle + 1);
    }
  });
}

TEST_CASE("an answer stops the workers that look at items before and behind it") {
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager()}};
  p.run([] {
    // The first items are looked at until the answer is known; it is known behind them.
    std::atomic<bool> is_known{false};
    std::atomic<long> looks{0};
    const bool found = tine::any_of(std::views::iota(0, 100'000'000), [&](int k) {
      if (k >= 50'000'000) is_known.store(true);
      if (looks.fetch_add(1) == 0) {
        while (!is_known.load()) tine::par([] {}, [] {});
      }
      return k >= 50'000'000;
    });
    CHECK(found);
    CHECK(looks < 50'000'000);
  });
}

TEST_CASE("an item that throws behind the result does not matter, and before it wins") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    const auto find = [&v](int result, int thrown) {
      return *tine::find_if(v, [=](int k) {
        if (k == thrown) throw std::runtime_error{"thrown"};
        return k == result;
      });
    };
    for (const int k : {0, 1, 1000, 40'000, 65'000}) {
      CAPTURE(k);
      CHECK(find(k, k + 5) == k);
      CHECK_THROWS_WITH(find(k + 5, k), "thrown");
    }
  });
}

TEST_CASE("the first exception of a predicate leaves the search") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    const auto refuse = [](int k) { return below_1000(k) < 0; };
    const auto accept = std::not_fn(refuse);
    CHECK_THROWS_WITH(tine::any_of(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::count_if(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::none_of(v, refuse), "1000");
    CHECK_THROWS_WITH(tine::all_of(v, accept), "1000");
    CHECK_THROWS_WITH(tine::equal(v, v, [&accept](int k, int) { return accept(k); }), "1000");
    CHECK_THROWS_WITH(tine::mismatch(v, v, [&accept](int k, int) { return accept(k); }), "1000");
    CHECK_THROWS_WITH(tine::is_sorted(v, [&refuse](int k, int) { return refuse(k); }), "1000");
    CHECK(tine::mismatch(v, v, [&](int k, int) { return k != 900 && accept(k); }).in1 == v.begin() + 900);
  });
}

TEST_CASE("the graph of a search is that of the whole loop") {
  const auto v = keys(10'000, pattern::sorted);
  in_pools([&v] {
    CHECK(forks_of([&v] { CHECK(tine::any_of(v, [](int k) { return k == 700; })); }) == 9'999);
    CHECK(forks_of([&v] { tine::find_if(v, [](int k) { return k == 700; }); }) == 9'999);
    CHECK(forks_of([&v] { CHECK(tine::is_sorted(v)); }) == 9'998);
  });
}

/// The last position at which `holds` is true, or the length: what find_last of C++23 finds.
long last_position(const auto& v, auto holds) {
  for (std::size_t k = v.size(); k != 0; --k) {
    if (holds(v[k - 1])) return static_cast<long>(k - 1);
  }
  return std::ssize(v);
}

template <bool Ours>
outcome finds(std::span<int> v, unsigned k) {
  const int value = place_in(v, k) < v.size() ? v[place_in(v, k)] : -5;
  const chosen is{v, k};
  const auto is_not = std::not_fn(is);
  const std::deque<int> queue(v.begin(), v.end());
  const std::vector<double> doubles(v.begin(), v.end());
  const std::list<int> wanted{-1, value, -2};
  outcome found{find<Ours>(v, value) - v.begin(),
                find<Ours>(doubles, static_cast<double>(value)) - doubles.begin(),
                find<Ours>(queue, value) - queue.begin(),
                find<Ours>(counted(v), std::default_sentinel, -value, std::negate<>{}) - counted(v),
                find_if_not<Ours>(v, is_not) - v.begin(),
                count<Ours>(v, value),
                count<Ours>(counted(v), std::default_sentinel, -value, std::negate<>{}),
                find_first_of<Ours>(v, wanted) - v.begin(),
                find_first_of<Ours>(queue.begin(), queue.end(), wanted.begin(), wanted.end(), std::ranges::equal_to{},
                                    std::negate<>{}, std::negate<>{}) -
                    queue.begin()};
  if constexpr (Ours) {
    const auto end = tine::find_last(v, value).end();
    found.insert(found.end(), {tine::find_last(v, value).begin() - v.begin(),
                               tine::find_last(queue.begin(), queue.end(), value).begin() - queue.begin(),
                               tine::find_last_if(v, is).begin() - v.begin(),
                               tine::find_last_if_not(counted(v), std::default_sentinel, is).begin() - counted(v),
                               tine::contains(v, value), tine::contains(v, -7), end - v.begin()});
  } else {
    const auto same = [value](int x) { return x == value; };
    found.insert(found.end(), {last_position(v, same), last_position(v, same), last_position(v, is),
                               last_position(v, is_not), std::ranges::find(v, value) != v.end(), false, std::ssize(v)});
  }
  return found;
}

/// Parts of the range itself that are searched, with more and more items, and one that isn't there.
template <bool Ours>
outcome parts(std::span<int> v, unsigned k) {
  for (std::size_t i = 0; k % 3 == 1 && i < v.size(); ++i) v[i] = static_cast<int>(i * i) % 3 + v[i] % 2;
  const std::size_t begin = place_in(v, k), n = std::min<std::size_t>(v.size() - begin, k * k);
  std::vector<int> part(v.begin() + static_cast<long>(begin), v.begin() + static_cast<long>(begin + n));
  const std::deque<int> queue(v.begin(), v.end());
  outcome found;
  for (int round = 0; round < 2; ++round) {
    const auto one = search<Ours>(v, part);
    const auto other = find_end<Ours>(counted(v), std::default_sentinel, part.begin(), part.end());
    const auto queued = search<Ours>(queue.begin(), queue.end(), part.begin(), part.end(), std::ranges::equal_to{},
                                     std::negate<>{}, std::negate<>{});
    found.insert(found.end(), {one.begin() - v.begin(), one.end() - v.begin(), other.begin() - counted(v),
                               other.end() - counted(v), queued.begin() - queue.begin()});
    if constexpr (Ours) {
      found.insert(found.end(), {tine::contains_subrange(v, part), tine::starts_with(v, part), tine::ends_with(v, part),
                                 tine::ends_with(part, v), tine::starts_with(v, v)});
    } else {
      const auto is_part = [&](auto from) { return std::ranges::equal(from, part); };
      found.insert(found.end(), {part.empty() || !std::ranges::search(v, part).empty(), is_part(v.first(part.size())),
                                 is_part(v.last(part.size())), is_part(v), true});
    }
    if (!part.empty()) part[part.size() / 2] = -5;
  }
  return found;
}

/// Runs of odd items and of equal ones, up to the longest of all.
template <bool Ours>
outcome runs(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> lengths{1, 2, 3, 10, 65, 1000, 5000, 9000, 0};
  if (k > 3) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i % static_cast<std::size_t>(lengths[k] + 2) > 1 ? 1 : 2;
    if (k > 5 && v.size() > 2) v.back() = 1;
  }
  const auto is_odd = [](int x, int odd) { return x % 2 == odd; };
  const auto one = search_n<Ours>(v, lengths[k], 1, is_odd);
  const auto more = search_n<Ours>(counted(v), std::default_sentinel, lengths[k] + 1, -1, is_odd, std::negate<>{});
  const auto equal = search_n<Ours>(v, 2, v.empty() ? 0 : v.back());
  return {one.begin() - v.begin(),
          one.end() - v.begin(),
          more.begin() - counted(v),
          equal.begin() - v.begin(),
          equal.end() - v.begin(),
          adjacent_find<Ours>(v) - v.begin(),
          adjacent_find<Ours>(counted(v), std::default_sentinel, std::ranges::greater{}, std::negate<>{}) - counted(v)};
}

template <bool Ours>
outcome states(std::span<int> v, unsigned k) {
  std::vector<int> most(v.begin(), v.end()), few, heap;
  for (int& x : most) x %= k % 2 == 0 ? 100 : 1 << 30;
  heap = most;
  std::ranges::make_heap(heap);
  std::ranges::sort(most);
  for (std::size_t i = 0; i < most.size(); i += 1 + (k * 7) % 23) few.push_back(most[i]);
  const std::vector<int> all = most;
  if (k % 3 == 1 && !few.empty()) few[few.size() / 2] += k % 2 == 0 ? 0 : 1;
  if (k % 3 == 2 && !few.empty()) few.insert(few.begin() + std::ssize(few) / 2, few[few.size() / 2]);
  std::ranges::sort(few);
  if (const std::size_t at = place_in(v, k); at < v.size()) most[at] = heap[at] = k % 2 == 0 ? -5 : 1 << 30;
  const std::vector<double> doubles(most.begin(), most.end());
  std::ranges::partition(v, chosen{v, k});
  if (const std::size_t at = place_in(v, k); k % 2 == 1 && at < v.size()) std::swap(v.front(), v[at]);
  const chosen is{v, k};
  return {includes<Ours>(all, few),
          includes<Ours>(few, all),
          includes<Ours>(all.rbegin(), all.rend(), few.rbegin(), few.rend(), std::ranges::less{}, std::negate<>{},
                         std::negate<>{}),
          is_sorted_until<Ours>(most) - most.begin(),
          is_sorted_until<Ours>(doubles) - doubles.begin(),
          is_sorted_until<Ours>(counted(v), std::default_sentinel, std::ranges::less{}, std::negate<>{}) - counted(v),
          is_heap<Ours>(heap),
          is_heap<Ours>(most, std::ranges::greater{}),
          is_heap_until<Ours>(heap) - heap.begin(),
          is_heap_until<Ours>(most.begin(), most.end(), std::ranges::less{}, std::negate<>{}) - most.begin(),
          is_partitioned<Ours>(v, is),
          is_partitioned<Ours>(counted(v), std::default_sentinel, std::not_fn(is)),
          lexicographical_compare<Ours>(most, all),
          lexicographical_compare<Ours>(all, most),
          lexicographical_compare<Ours>(all.begin(), all.end() - std::min<long>(k, std::ssize(all)), all.begin(),
                                        all.end(), std::ranges::greater{}, std::negate<>{}, std::negate<>{})};
}

TEST_CASE("the other searches answer as the standard library does") {
  check_laws({TINE_LAW(finds), TINE_LAW(parts), TINE_LAW(runs), TINE_LAW(states)});
}

TEST_CASE("on one worker the other searches look at no item behind the one that settles the answer") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    constexpr int middle = large_length / 2;
    const auto v = keys(large_length, pattern::sorted);
    long looks = 0;
    const auto looked_at = [&looks](auto search) {
      looks = 0;
      search();
      return looks;
    };
    const auto is_wanted = [&looks](int k) { return ++looks, k == middle; };
    const auto same = [&looks](int a, int b) { return ++looks, a == b; };
    CHECK(looked_at([&] { CHECK(*tine::find_if_not(v, std::not_fn(is_wanted)) == middle); }) == middle + 1);
    CHECK(looked_at([&] { CHECK(tine::find_last_if(v, is_wanted).size() == large_length - middle); }) ==
          large_length - middle);
    CHECK(looked_at([&] { CHECK_FALSE(tine::is_partitioned(v, is_wanted)); }) == middle + 1);
    CHECK(looked_at([&] { tine::adjacent_find(v, [&](int k, int) { return is_wanted(k); }); }) == middle + 1);
    CHECK(looked_at([&] { tine::search(v, std::vector{middle, middle + 1}, same); }) == middle + 2);
    CHECK(looked_at([&] { tine::find_end(v, std::vector{middle, middle + 1}, same); }) == large_length - middle);
    // A run of 1000 items that starts in the middle: in the first half, only each 1000th item is looked at.
    CHECK(looked_at([&] {
            CHECK(tine::search_n(v, 1000, middle, [&](int k, int least) { return ++looks, k >= least; }).begin() -
                      v.begin() ==
                  middle);
          }) <= middle / 1000 + 1001);
  });
}

TEST_CASE("searches for a number find neither NaN nor items behind the range") {
  in_pools([] {
    const std::vector<double> numbers(1000, std::nan(""));
    CHECK(tine::find(numbers, std::nan("")) == numbers.end());
    CHECK_FALSE(tine::contains(numbers, std::nan("")));
    const std::vector<int> v = keys(1000, pattern::sorted);
    for (int end = 0; end < 1000; ++end) CHECK(tine::find(v.begin(), v.begin() + end, end) == v.begin() + end);
    CHECK(tine::find(v, 700L) == v.begin() + 700);
  });
}

TEST_CASE("in the other searches an item that throws behind the result does not matter, and before it wins") {
  in_pools([] {
    const auto v = keys(65'537, pattern::sorted);
    const auto throws_at = [](int thrown) {
      return [thrown](int k) { return k == thrown ? throw std::runtime_error{"thrown"} : k; };
    };
    for (const int k : {0, 1, 1000, 40'000, 65'000}) {
      CAPTURE(k);
      CHECK(*tine::find(v, k, throws_at(k + 5)) == k);
      CHECK_THROWS_WITH(tine::find(v, k + 5, throws_at(k)), "thrown");
      CHECK(*tine::find_last(v, k + 5, throws_at(k)).begin() == k + 5);
      CHECK_THROWS_WITH(tine::find_last(v, k, throws_at(k + 5)), "thrown");
      CHECK(*tine::search(v, std::vector{k, k + 1}, {}, throws_at(k + 5)).begin() == k);
      CHECK_THROWS_WITH(tine::search(v, std::vector{k + 5}, {}, throws_at(k)), "thrown");
      CHECK_THROWS_WITH(tine::count(v, k + 5, throws_at(k)), "thrown");
      CHECK_THROWS_WITH(tine::includes(v, v, {}, {}, throws_at(k)), "thrown");
      CHECK_THROWS_WITH(tine::is_heap(v, std::ranges::greater{}, throws_at(k)), "thrown");
    }
  });
}

TEST_CASE("searches compare items that can be moved only, and strings") {
  in_pools([] {
    std::vector<move_only> items;
    std::vector<std::string> texts;
    for (int k = 0; k < 5000; ++k) items.emplace_back(k), texts.push_back(std::to_string(k));
    CHECK(tine::find(items, 4711, &move_only::key) - items.begin() == 4711);
    CHECK(tine::find(items, items[4711]) - items.begin() == 4711);
    CHECK(tine::find(texts, "4711") - texts.begin() == 4711);
    CHECK(tine::count(texts, texts[4711]) == 1);
    CHECK(tine::includes(items, std::span{items}.last(10), std::less<>{}));
    CHECK_FALSE(tine::lexicographical_compare(items, items, std::less<>{}));
  });
}

}  // namespace
