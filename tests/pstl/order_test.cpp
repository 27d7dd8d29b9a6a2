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
  for (const std::size_t share : {1, 2, 63, 64, 200}) {  // from one 64th of the items on, another way is faster
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
    compare_all(body);
  }
}

TEST_CASE("nth_element") {
  compare_numbers([](auto& d, const auto&... policy) {
    for (const std::size_t share : {1, 2, 50}) {
      const auto nth = d.first() + static_cast<std::ptrdiff_t>(d.in.size() - d.in.size() / share);
      std::nth_element(policy..., d.first(), nth, d.last());
      std::sort(d.first(), nth);  // the order of the two parts is unspecified
      std::sort(nth, d.last());
      std::copy(d.first(), d.last(), d.out.begin());
      std::rotate(d.first(), d.first() + static_cast<std::ptrdiff_t>(d.in.size() / 3), d.last());
    }
    return results{};
  });
}

}  // namespace
