// Algorithms that sort, partition and select, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("sort, stable_sort") {
  const auto body = [](auto& d, const auto&... policy) {
    using item = item_of<decltype(d)>;
    std::stable_sort(policy..., d.other.begin(), d.other.end(), as_relation<item, less_of_tens>());
    std::sort(policy..., d.in.begin(), d.in.end(), as_relation<item, std::greater<item>>());
    return results{};
  };
  compare_texts(body);
  compare_numbers([](auto& d, const auto&... policy) {
    std::sort(policy..., d.first(), d.last());
    std::stable_sort(policy..., d.other.begin(), d.other.end());
    return results{};
  });
}

TEST_CASE("partition, stable_partition") {
  compare_all([](auto& d, const auto&... policy) {
    const auto middle = std::stable_partition(policy..., d.first(), d.last(), is_odd{});
    const auto n = std::distance(d.first(), middle);
    std::vector sorted(d.out.begin(), d.out.end());  // a partition may leave any order in the two parts
    std::copy(d.first(), d.last(), sorted.begin());
    sorted.resize(d.in.size());
    std::rotate(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 3), sorted.end());
    const auto other = std::partition(policy..., sorted.begin(), sorted.end(), is_odd{});
    const bool is_right = std::is_partitioned(sorted.begin(), sorted.end(), is_odd{});
    std::sort(sorted.begin(), sorted.end());
    std::copy(sorted.begin(), sorted.end(), d.out.begin());
    return results{n, other - sorted.begin(), is_right};
  });
}

TEST_CASE("a stable partition of many items, with blocks that overlap and that do not") {
  for (const int share : {2, 50, 1000}) {
    CAPTURE(share);
    const std::vector<keyed> v = with_places(keys(60'000, pattern::random));
    for (const bool is_rare : {false, true}) {
      const auto pred = [=](const keyed& k) { return (k.key % share == 0) == is_rare; };
      std::vector<keyed> expected = v;
      const auto middle = std::stable_partition(expected.begin(), expected.end(), pred) - expected.begin();
      in_all_pools([&] {
        std::vector<keyed> w = v;
        CHECK(std::stable_partition(std::execution::par, w.begin(), w.end(), pred) - w.begin() == middle);
        CHECK(w == expected);
      });
    }
  }
}

/// Sorts the items behind the first `n`, whose order is unspecified.
template <class Data>
void sort_behind(Data& d, std::size_t n) {
  std::sort(d.first() + static_cast<std::ptrdiff_t>(n), d.last());
}

TEST_CASE("partial_sort, partial_sort_copy") {
  for (const std::size_t share : {1, 2, 200}) {
    const auto body = [share](auto& d, const auto&... policy) {
      using item = item_of<decltype(d)>;
      const auto n = static_cast<std::ptrdiff_t>(d.in.size() / share);
      const auto less = as_relation<item, std::less<item>>(), greater = as_relation<item, std::greater<item>>();
      const auto copy = [&](auto& from, auto to_end, relation<item> order) {
        return std::partial_sort_copy(policy..., from.begin(), from.end(), d.out.begin(), to_end, order) -
               d.out.begin();
      };
      results found{copy(d.in, d.out.begin() + n, less)};
      std::partial_sort(policy..., d.first(), d.first() + n, d.last(), less);
      sort_behind(d, d.in.size() / share);
      found.push_back(copy(d.other, d.out.end(), greater));
      return found;
    };
    compare_texts(body);
  }
}

TEST_CASE("partial_sort of many items") {
  const std::vector<int> v = keys(50'000, pattern::random);
  data<std::vector<int>> expected{v, {}, {}};
  std::sort(expected.in.begin(), expected.in.end());
  for (const std::size_t n : {1UL, 781UL, 782UL, 30'000UL, 50'000UL}) {
    CAPTURE(n);
    in_all_pools([&] {
      data<std::vector<int>> d{v, {}, std::vector<int>(n)};
      std::partial_sort_copy(std::execution::par, v.begin(), v.end(), d.out.begin(), d.out.end());
      CHECK(std::equal(d.out.begin(), d.out.end(), expected.in.begin()));
      std::partial_sort(std::execution::par, d.in.begin(), d.in.begin() + static_cast<std::ptrdiff_t>(n), d.in.end());
      sort_behind(d, n);
      CHECK(d.in == expected.in);
    });
  }
}

TEST_CASE("nth_element") {
  for (const pattern p : {pattern::random, pattern::few_keys, pattern::organ_pipe}) {
    CAPTURE(std::string{name_of(p)});
    const std::vector<int> v = keys(80'000, p);
    std::vector<int> sorted = v;
    std::sort(sorted.begin(), sorted.end());
    for (const std::size_t n : {0UL, 40'000UL, 80'000UL}) {
      CAPTURE(n);
      in_all_pools([&] {
        std::vector<int> w = v;
        const auto nth = w.begin() + static_cast<std::ptrdiff_t>(n);
        std::nth_element(std::execution::par, w.begin(), nth, w.end());
        if (nth != w.end()) {
          CHECK(*nth == sorted[n]);
          CHECK(std::all_of(w.begin(), nth, [&](int k) { return k <= *nth; }));
          CHECK(std::all_of(nth, w.end(), [&](int k) { return k >= *nth; }));
        }
        std::sort(w.begin(), w.end());
        CHECK(w == sorted);
      });
    }
  }
}

}  // namespace
