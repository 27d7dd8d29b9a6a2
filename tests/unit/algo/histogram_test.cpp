// histogram against a serial count.
#include <tine/algo/histogram.hpp>

#include <rapidcheck.h>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

std::vector<std::size_t> count(const std::vector<int>& v, std::size_t bins) {
  std::vector<std::size_t> counts(bins);
  for (const int k : v) ++counts[static_cast<std::size_t>(k) % bins];
  return counts;
}

TEST_CASE("histogram counts as a loop does, for few bins and for many") {
  for_each_input([](const std::vector<int>& v) {
    for (const std::size_t bins : {1U, 10U, 1000U, 20'000U}) {
      const auto bin = [bins](int k) { return static_cast<std::size_t>(k) % bins; };
      const auto right = count(v, bins);
      in_pools([&] {
        CHECK(tine::histogram(v, bins, bin) == right);
        CHECK(tine::histogram(v.begin(), v.end(), bins, bin) == right);
      });
    }
  });
  in_pools([] {
    const auto many = keys(large_length, pattern::random);
    CHECK(tine::histogram(many, 256, [](int k) { return static_cast<unsigned char>(k); }) == count(many, 256));
    CHECK(tine::histogram(many, 1 << 20, [](int k) { return k % (1 << 20); }) == count(many, 1 << 20));
  });
}

TEST_CASE("histogram takes projections, and touches nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<keyed> items{1001, at_begin};
      for (std::size_t i = 0; i < items.size(); ++i) items.begin()[i].key = static_cast<int>(i % 3);
      CHECK(tine::histogram(items, 4, &keyed::key) == std::vector<std::size_t>{334, 334, 333, 0});
    }
    CHECK(tine::histogram(std::vector<int>{}, 0).empty());
    CHECK(tine::histogram(std::vector<char>{1, 0, 1}, 2) == std::vector<std::size_t>{1, 2});
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
    const auto refuse = [](int k) -> int {
      if (k >= 1000) throw std::runtime_error{std::to_string(k)};
      return k;
    };
    CHECK_THROWS_WITH(tine::histogram(keys(65'537, pattern::sorted), 1000, refuse), "1000");
  });
}

TEST_CASE("any vector: histogram, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("histogram", [](const std::vector<unsigned char>& v) {
      std::vector<std::size_t> right(256);
      for (const unsigned char k : v) ++right[k];
      const auto sum = [&] { RC_ASSERT(tine::histogram(v, 256) == right); };
      run_in_all_ways(sum);
    }));
  });
}

}  // namespace
