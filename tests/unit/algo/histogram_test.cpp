// histogram against a serial count.
#include <tine/algo/histogram.hpp>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

template <bool Ours>
outcome bins(std::span<int> v, unsigned k) {
  constexpr std::array<std::size_t, variants> numbers{1, 2, 4, 10, 256, 1000, 3000, 20'000, 1 << 20};
  const std::size_t n = numbers[k];
  const auto bin = [n](int x) { return static_cast<std::size_t>(x) % n; };
  std::vector<std::size_t> counts(n);
  if constexpr (Ours) {
    counts = tine::histogram(v, n, bin);
    CHECK(tine::histogram(counted(v), std::default_sentinel, n, bin) == counts);
  } else {
    for (const int x : v) ++counts[bin(x)];
  }
  return {counts.begin(), counts.end()};
}

TEST_CASE("histogram counts as a loop does, for few bins and for many") { check_laws({TINE_LAW(bins)}); }

TEST_CASE("histogram takes members as projections, and small numbers as bins") {
  in_pools([] {
    CHECK(tine::histogram(with_places({0, 2, 0}), 3, &keyed::key) == std::vector<std::size_t>{2, 0, 1});
    CHECK(tine::histogram(std::vector<int>{}, 0).empty());
    CHECK(tine::histogram(std::vector<char>{1, 0, 1}, 2) == std::vector<std::size_t>{1, 2});
    CHECK(tine::histogram(std::vector<int>{300}, 256, [](int k) { return static_cast<unsigned char>(k); })[44] == 1);
  });
}

TEST_CASE("a projection outside of the bins is refused, and the first exception wins") {
  in_pools([] {
    std::vector<int> v(65'537, 3);
    for (const std::size_t bins : {4U, 1'000'000U}) {
      for (const int wrong : {-1, 1'000'000}) {
        v[40'000] = wrong;
        v[50'000] = -7;
        CHECK_THROWS_WITH_AS(
            tine::histogram(v, bins),
            ("tine::histogram: an item is in bin " + std::to_string(wrong) + ", but there are " + std::to_string(bins) +
             " bins, from 0 on: give it more bins, or a projection that returns fewer")
                .c_str(),
            std::out_of_range);
      }
    }
    CHECK_THROWS_AS(tine::histogram(v, 0), std::out_of_range);
    CHECK_THROWS_WITH(tine::histogram(keys(65'537, pattern::sorted), 1000, below_1000), "1000");
  });
}

}  // namespace
