// find_if against the standard library, and the items that it does not look at.
#include <tine/algo/find_if.hpp>
#include <tine/augment.hpp>
#include <tine/replay.hpp>

#include <rapidcheck.h>

#include "unit/algo/inputs.hpp"

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
    const auto v = keys(large_length, pattern::sorted);
    for (int round = 0; round < 3; ++round) {
      long looks = 0;
      const auto it = tine::find_if(v, [&looks](int k) {
        ++looks;
        return k == 500'000;
      });
      CHECK(*it == 500'000);
      CHECK(looks == 500'001);
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
      find();
      tine::augment<tine::work_span>(find);
      const auto schedule = tine::record(find);
      tine::replay(schedule, tine::replay_mode::relaxed, find);
    }));
  });
}

/// Counts forks; it sees a loop of n iterations as n - 1 forks.
struct forks_below {
  long forks = 0;
  void join(const forks_below& left, const forks_below& right, forks_below& after) const {
    after.forks = forks + left.forks + right.forks + 1;
  }
};

TEST_CASE("the graph of a loop that ends early is that of the whole loop") {
  const auto v = keys(10'000, pattern::sorted);
  in_pools([&v] {
    CHECK(tine::augment<forks_below>([&v] { tine::find_if(v, [](int k) { return k == 700; }); }).forks == 9'999);
  });
}

}  // namespace
