// find_if against the standard library, and the items that it does not look at.
#include <tine/algo/find_if.hpp>

#include <rapidcheck.h>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

TEST_CASE("find_if finds the first item") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{97}, n / 2 + 1}) {
        for (std::size_t first = 0; first <= n; first += n / 7 + 1) {
          std::vector<char> v(n);
          for (std::size_t i = first; i < n; i += step) v[i] = 1;
          const auto is_set = [](char c) { return c == 1; };
          CHECK(tine::find_if(v, is_set) - v.begin() == std::ranges::find_if(v, is_set) - v.begin());
        }
      }
    }
  });
}

TEST_CASE("find_if on one worker looks at no item behind the chunk of the result") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    constexpr int middle = large_length / 2;
    const auto v = keys(large_length, pattern::sorted);
    for (int round = 0; round < 3; ++round) {
      long looks = 0;
      const auto it = tine::find_if(v, [&looks](int k) {
        ++looks;
        return k == middle;
      });
      CHECK(*it == middle);
      CHECK(looks == middle + 1);
    }
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

TEST_CASE("any vector: find_if, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("find_if", [](const std::vector<int>& v, int wanted) {
      const auto is_wanted = [wanted](int k) { return k % 8 == wanted % 8; };
      const auto right = std::ranges::find_if(v, is_wanted);
      const auto find = [&] { RC_ASSERT(tine::find_if(v, is_wanted) == right); };
      run_in_all_ways(find);
    }));
  });
}

TEST_CASE("the graph of a loop that ends early is that of the whole loop") {
  const auto v = keys(10'000, pattern::sorted);
  in_pools([&v] { CHECK(forks_of([&v] { tine::find_if(v, [](int k) { return k == 700; }); }) == 9'999); });
}

}  // namespace
