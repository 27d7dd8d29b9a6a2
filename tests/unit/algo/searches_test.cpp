// Searches and counts against the standard library, and the items that they do not look at.
#include <tine/algo/all_of.hpp>
#include <tine/algo/any_of.hpp>
#include <tine/algo/count_if.hpp>
#include <tine/algo/equal.hpp>
#include <tine/algo/find_if.hpp>
#include <tine/algo/is_sorted.hpp>
#include <tine/algo/mismatch.hpp>
#include <tine/algo/none_of.hpp>

#include <deque>
#include <ranges>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(all_of);
TINE_SIDES(any_of);
TINE_SIDES(count_if);
TINE_SIDES(equal);
TINE_SIDES(find_if);
TINE_SIDES(is_sorted);
TINE_SIDES(mismatch);
TINE_SIDES(none_of);

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

}  // namespace
