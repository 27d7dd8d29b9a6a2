// Algorithms that look at items and change none, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("all_of, any_of, none_of") {
  compare_all([](auto& d, const auto&... policy) {
    return results{std::all_of(policy..., d.first(), d.last(), is_odd{}),
                   std::any_of(policy..., d.first(), d.last(), is_odd{}),
                   std::none_of(policy..., d.first(), d.last(), is_odd{})};
  });
}

TEST_CASE("count, count_if") {
  compare_all([](auto& d, const auto&... policy) {
    return results{std::count(policy..., d.first(), d.last(), d.other.front()),
                   std::count_if(policy..., d.first(), d.last(), is_odd{})};
  });
}

TEST_CASE("find, find_if, find_if_not") {
  compare_all([](auto& d, const auto&... policy) {
    const auto at = [&](auto it) { return it - d.first(); };
    return results{at(std::find(policy..., d.first(), d.last(), d.other.front())),
                   at(std::find_if(policy..., d.first(), d.last(), is_odd{})),
                   at(std::find_if_not(policy..., d.first(), d.last(), is_odd{}))};
  });
}

/// A range of a few items, from the middle of the data or from elsewhere.
template <class Container>
Container some_of(const data<Container>& d, std::size_t n) {
  Container some;
  auto at = std::next(d.in.begin(), static_cast<std::ptrdiff_t>(d.in.size() / 2));
  for (; at != d.in.end() && n > 0; ++at, --n) some.push_back(*at);
  return some;
}

TEST_CASE("find_end, search, find_first_of") {
  compare_texts([](auto& d, const auto&... policy) {
    const auto at = [&](auto it) { return it - d.first(); };
    results found;
    for (const std::size_t n : {0, 1, 3}) {
      auto some = some_of(d, n);
      found.push_back(at(std::search(policy..., d.first(), d.last(), some.begin(), some.end())));
      found.push_back(at(std::find_end(policy..., d.first(), d.last(), some.begin(), some.end())));
      found.push_back(at(std::find_first_of(policy..., d.first(), d.last(), some.begin(), some.end())));
    }
    return found;
  });
  compare_numbers([](auto& d, const auto&... policy) {
    const auto at = [&](auto it) { return it - d.first(); };
    results found;
    for (const std::size_t n : {0, 1, 3}) {
      auto some = some_of(d, n);
      found.push_back(at(std::search(policy..., d.first(), d.last(), some.begin(), some.end(), equal_parity{})));
      found.push_back(at(std::find_end(policy..., d.first(), d.last(), some.begin(), some.end(), equal_parity{})));
    }
    return found;
  });
}

TEST_CASE("search_n, adjacent_find") {
  compare_texts([](auto& d, const auto&... policy) {
    return results{std::search_n(policy..., d.first(), d.last(), 2, d.other.front()) - d.first(),
                   std::adjacent_find(policy..., d.first(), d.last()) - d.first()};
  });
  compare_numbers([](auto& d, const auto&... policy) {
    return results{std::search_n(policy..., d.first(), d.last(), 5, d.other.front(), equal_parity{}) - d.first(),
                   std::adjacent_find(policy..., d.first(), d.last(), equal_parity{}) - d.first()};
  });
}

TEST_CASE("mismatch, equal, lexicographical_compare") {
  compare_texts([](auto& d, const auto&... policy) {
    auto copy = d.in;
    results found;
    for (int round = 0; round < 2; ++round) {
      const auto [a, b] = std::mismatch(policy..., d.first(), d.last(), copy.begin());
      found.push_back(a - d.first());
      found.push_back(b - copy.begin());
      found.push_back(std::equal(policy..., d.first(), d.last(), copy.begin()));
      found.push_back(std::lexicographical_compare(policy..., d.first(), d.last(), copy.begin(), copy.end()));
      found.push_back(std::lexicographical_compare(policy..., d.other.begin(), d.other.end(), d.first(), d.last()));
      if (!copy.empty()) copy[copy.size() * 2 / 3] = d.other.front();
    }
    return found;
  });
  compare_numbers([](auto& d, const auto&... policy) {
    auto copy = d.in;
    results found;
    for (int round = 0; round < 2; ++round) {
      const auto [a, b] = std::mismatch(policy..., d.first(), d.last(), d.other.begin(), d.other.end());
      found.push_back(a - d.first());
      found.push_back(b - d.other.begin());
      found.push_back(std::equal(policy..., d.first(), d.last(), copy.begin(), copy.end()));
      found.push_back(std::equal(policy..., d.first(), d.last(), d.other.begin(), d.other.end()));
      if (!copy.empty()) copy[copy.size() * 2 / 3] = d.other.front();
    }
    return found;
  });
}

TEST_CASE("min_element, max_element, minmax_element") {
  compare_texts([](auto& d, const auto&... policy) {
    const auto [least, greatest] = std::minmax_element(policy..., d.first(), d.last());
    return results{std::min_element(policy..., d.first(), d.last(), less_of_tens{}) - d.first(), least - d.first(),
                   greatest - d.first()};
  });
  compare_numbers([](auto& d, const auto&... policy) {
    return results{std::min_element(policy..., d.first(), d.last()) - d.first(),
                   std::max_element(policy..., d.first(), d.last()) - d.first()};
  });
}

TEST_CASE("is_sorted, is_sorted_until, is_partitioned, includes") {
  for (const bool is_sorted : {false, true}) {
    compare_texts(
        [](auto& d, const auto&... policy) {
          results found;
          found.push_back(std::is_sorted(policy..., d.first(), d.last(), less_of_tens{}));
          found.push_back(std::is_sorted_until(policy..., d.first(), d.last()) - d.first());
          found.push_back(std::is_partitioned(policy..., d.first(), d.last(), is_odd{}));
          auto some = d.in;
          const auto middle = std::partition(some.begin(), some.end(), is_odd{});
          found.push_back(std::is_partitioned(policy..., some.begin(), middle, is_odd{}));
          found.push_back(std::is_partitioned(policy..., some.begin(), some.end(), is_odd{}));
          return found;
        },
        is_sorted);
    compare_numbers(
        [](auto& d, const auto&... policy) { return results{std::is_sorted(policy..., d.first(), d.last())}; },
        is_sorted);
  }
  compare_texts(
      [](auto& d, const auto&... policy) {
        auto some = some_of(d, 100);
        return results{std::includes(policy..., d.first(), d.last(), some.begin(), some.end()),
                       std::includes(policy..., d.first(), d.last(), d.other.begin(), d.other.end())};
      },
      true);
}

TEST_CASE("is_heap, is_heap_until") {
  compare_numbers([](auto& d, const auto&... policy) {
    results found;
    for (int round = 0; round < 2; ++round) {
      found.push_back(std::is_heap(policy..., d.first(), d.last()));
      found.push_back(std::is_heap_until(policy..., d.first(), d.last()) - d.first());
      std::make_heap(d.first(), d.last());
    }
    return found;
  });
}

TEST_CASE("a search ends early, also on several workers") {
  const auto v = keys(400'000, pattern::sorted);
  in_all_pools([&v] {
    std::atomic<long> looks{0};
    const auto look = [&looks](bool found) {
      looks.fetch_add(1, std::memory_order_relaxed);
      return found;
    };
    CHECK(*std::find_if(std::execution::par, v.begin(), v.end(), [&](int k) { return look(k == 1000); }) == 1000);
    CHECK(std::any_of(std::execution::par, v.begin(), v.end(), [&](int k) { return look(k == 1000); }));
    CHECK(*std::adjacent_find(std::execution::par, v.begin(), v.end(), [&](int k, int) { return look(k == 1000); }) ==
          1000);
    CHECK_FALSE(std::is_sorted(std::execution::par, v.begin(), v.end(), [&](int k, int) { return look(k == 1000); }));
    CHECK(looks.load() >= 4 * 1000);
  });
}

TEST_CASE("a search on one worker looks at no item behind the result") {
  const auto v = keys(100'000, pattern::sorted);
  tine::pool one{{.workers = 1}};
  one.run([&v] {
    long looks = 0;
    const auto is_wanted = [&looks](int k) { return ++looks, k == 5000; };
    CHECK(*std::find_if(std::execution::par, v.begin(), v.end(), is_wanted) == 5000);
    CHECK(std::exchange(looks, 0) == 5001);
    CHECK(std::any_of(std::execution::par, v.begin(), v.end(), is_wanted));
    CHECK(std::exchange(looks, 0) == 5001);
    const auto is_wanted_pair = [&looks](int, int k) { return ++looks, k == 5000; };
    CHECK(*std::adjacent_find(std::execution::par, v.begin(), v.end(), is_wanted_pair) == 4999);
    CHECK(looks == 5000);
  });
}

}  // namespace
