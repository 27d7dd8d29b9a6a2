// Merges and set operations, with execution policies.
#include "pstl/compare.hpp"

namespace {

using namespace tine::test;

TEST_CASE("merge, inplace_merge") {
  compare_all(
      [](auto& d, const auto&... policy) {
        const auto end =
            std::merge(policy..., d.first(), d.last(), d.other.begin(), d.other.end(), d.out.begin(), less_of_tens{});
        for (const std::size_t share : {2, 7}) {
          const auto middle = static_cast<std::ptrdiff_t>(d.in.size() / share);
          std::rotate(d.first(), d.last() - middle, d.last());
          std::inplace_merge(policy..., d.first(), d.first() + middle, d.last());
        }
        return results{end - d.out.begin()};
      },
      true);
}

TEST_CASE("set_union, set_intersection, set_difference, set_symmetric_difference") {
  compare_all(
      [](auto& d, const auto&... policy) {
        collector written{d};
        for (int round = 0; round < 3; ++round) {
          for (const bool is_swapped : {false, true}) {
            auto &a = is_swapped ? d.other : d.in, &b = is_swapped ? d.in : d.other;
            written.add(std::set_union(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(std::set_intersection(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(std::set_difference(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
            written.add(
                std::set_symmetric_difference(policy..., a.begin(), a.end(), b.begin(), b.end(), d.out.begin()));
          }
          // Then one range that ends before the other one, and an empty one.
          auto& cut = round == 0 ? d.other : d.in;
          cut.resize(round == 0 ? cut.size() / 3 : 0);
        }
        return written.take();
      },
      true);
}

TEST_CASE("a merge of many items keeps the order of equal ones") {
  for (const std::size_t n : {100UL, 90'000UL}) {
    CAPTURE(n);
    std::vector<keyed> a = with_places(keys(60'000, pattern::random)), b = with_places(keys(n, pattern::random, 2));
    const auto by_key = [](const keyed& x, const keyed& y) { return x.key < y.key; };
    for (keyed& k : a) k.key %= 500;
    for (keyed& k : b) k = {k.key % 500, k.place + a.size()};
    std::stable_sort(a.begin(), a.end(), by_key);
    std::stable_sort(b.begin(), b.end(), by_key);
    std::vector<keyed> expected(a.size() + n);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), by_key);
    in_all_pools([&] {
      std::vector<keyed> out(a.size() + n), both = a;
      std::merge(std::execution::par, a.begin(), a.end(), b.begin(), b.end(), out.begin(), by_key);
      CHECK(out == expected);
      both.insert(both.end(), b.begin(), b.end());
      std::inplace_merge(std::execution::par, both.begin(), both.begin() + 60'000, both.end(), by_key);
      CHECK(both == expected);
    });
  }
}

TEST_CASE("set operations of many items") {
  std::vector<int> a = keys(100'000, pattern::random), b = keys(70'000, pattern::random, 2);
  for (int& k : a) k %= 200'000;
  for (int& k : b) k %= 200'000;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int> expected(a.size() + b.size());
  expected.erase(std::set_union(a.begin(), a.end(), b.begin(), b.end(), expected.begin()), expected.end());
  in_all_pools([&] {
    std::vector<int> out(a.size() + b.size());
    out.erase(std::set_union(std::execution::par, a.begin(), a.end(), b.begin(), b.end(), out.begin()), out.end());
    CHECK(out == expected);
  });
}

}  // namespace
