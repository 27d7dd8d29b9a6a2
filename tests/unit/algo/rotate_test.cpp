// rotate and reverse against the standard library.
#include <tine/algo/reverse.hpp>
#include <tine/algo/rotate.hpp>

#include <rapidcheck.h>

#include <deque>
#include <numeric>
#include <set>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

/// Distances of every kind: to the left and to the right, short, long, and such that the range is left as it is.
std::set<std::size_t> distances(std::size_t n) {
  std::set<std::size_t> all{0, n};
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}, n / 100, n / 8, n / 8 + 1, n / 3, n / 2, n / 2 + 1}) {
    if (k > n) continue;
    all.insert(k);
    all.insert(n - k);
  }
  return all;
}

TEST_CASE("rotate moves the items as the standard library does, and returns the new place of the first item") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      for (const std::size_t by : distances(n)) {
        CAPTURE(n);
        CAPTURE(by);
        const auto middle = static_cast<std::ptrdiff_t>(by);
        auto v = keys(n, pattern::sorted), right = v;
        std::ranges::rotate(right, right.begin() + middle);
        const auto parts = tine::rotate(v, v.begin() + middle);
        CHECK(v == right);
        CHECK((parts.begin() - v.begin() == static_cast<std::ptrdiff_t>(n - by) && parts.end() == v.end()));
        std::deque<int> d(n);
        std::iota(d.begin(), d.end(), 0);
        tine::rotate(d.begin(), d.begin() + middle, d.end());
        CHECK(std::ranges::equal(d, right));
      }
    }
  });
}

TEST_CASE("long ranges are rotated") {
  in_pools([] {
    for (const std::size_t by :
         {std::size_t{5}, large_length / 20, large_length / 3, large_length - large_length / 14}) {
      CAPTURE(by);
      auto v = keys(large_length, pattern::sorted), right = v;
      std::ranges::rotate(right, right.begin() + static_cast<std::ptrdiff_t>(by));
      tine::rotate(v, v.begin() + static_cast<std::ptrdiff_t>(by));
      CHECK(v == right);
    }
  });
}

TEST_CASE("items that can be moved only are rotated and reversed") {
  in_pools([] {
    for (const std::size_t by : distances(1001)) {
      CAPTURE(by);
      std::vector<move_only> v;
      for (int k = 0; k < 1001; ++k) v.emplace_back(k);
      auto right = keys(1001, pattern::sorted);
      tine::rotate(v, v.begin() + static_cast<std::ptrdiff_t>(by));
      std::ranges::rotate(right, right.begin() + static_cast<std::ptrdiff_t>(by));
      CHECK(std::ranges::equal(v, right, {}, &move_only::key));
      tine::reverse(v);
      std::ranges::reverse(right);
      CHECK(std::ranges::equal(v, right, {}, &move_only::key));
    }
  });
}

TEST_CASE("rotate and reverse touch nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<bool> items{4001, at_begin};
      using counted = std::counted_iterator<bool*>;
      for (const std::ptrdiff_t by : {1, 20, 1000, 2000, 3990, 4000}) {
        items.begin()[by] = true;
        tine::rotate(counted{items.begin(), 4001}, counted{items.begin() + by, 4001 - by}, std::default_sentinel);
        CHECK(items.begin()[0]);
        tine::reverse(counted{items.begin(), 4001}, std::default_sentinel);
        CHECK(items.end()[-1]);
        CHECK(std::ranges::count(items, true) == 1);
        items.end()[-1] = false;
      }
    }
  });
}

TEST_CASE("reverse moves the items as the standard library does") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      auto v = keys(n, pattern::sorted), right = v;
      std::ranges::reverse(right);
      CHECK(tine::reverse(v) == v.end());
      CHECK(v == right);
      std::deque<int> d(right.rbegin(), right.rend());
      CHECK(tine::reverse(d.begin(), d.end()) == d.end());
      CHECK(std::ranges::equal(d, right));
    }
    auto many = keys(large_length, pattern::sorted);
    tine::reverse(many);
    CHECK(std::ranges::is_sorted(many, std::greater<>{}));
  });
}

TEST_CASE("an exception of a move leaves all items alive") {
  in_pools([] {
    for (const std::size_t by : {1UL, 100UL, 400UL, 500UL, 950UL}) {
      for (const long uses : {1L, 2L, 3L, 50L, 150L, 500L, 900L, 1000L}) {
        CAPTURE(by);
        CAPTURE(uses);
        {
          std::vector<throwing> v(1001);
          throwing::throw_after(uses);
          CHECK_THROWS_WITH(tine::rotate(v, v.begin() + static_cast<std::ptrdiff_t>(by)), "use");
          throwing::throw_after(uses);
          CHECK_THROWS_WITH(tine::reverse(v), "use");
          throwing::throw_after(0);
          CHECK(throwing::alive == 1001);
        }
        CHECK(throwing::alive == 0);
      }
    }
  });
}

TEST_CASE("a stop request loses no item") {
  in_pools([] {
    for (const std::ptrdiff_t by : {10, 1000, 5000, 9990}) {
      for (const long moves : {1L, 100L, 3000L, 9000L}) {
        CAPTURE(by);
        CAPTURE(moves);
        std::vector<stopping> v;
        for (int k = 0; k < 10'001; ++k) v.emplace_back(k);
        stopping::source = std::stop_source{};
        stopping::left = moves;
        tine::run_until_stopped(stopping::source.get_token(), [&] {
          tine::rotate(v, v.begin() + by);
          tine::reverse(v);
        });
        stopping::left = 0;
        std::vector<int> found;
        for (const stopping& s : v) found.push_back(s.key());
        std::ranges::sort(found);
        CHECK(found == keys(v.size(), pattern::sorted));
      }
    }
  });
}

TEST_CASE("any vector: rotate and reverse, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("rotate", [](const std::vector<int>& v, std::size_t by) {
      const auto middle = static_cast<std::ptrdiff_t>(by % (v.size() + 1));
      auto right = v;
      std::ranges::rotate(right, right.begin() + middle);
      std::ranges::reverse(right);
      const auto move = [&] {
        auto moved = v;
        tine::rotate(moved, moved.begin() + middle);
        tine::reverse(moved);
        RC_ASSERT(moved == right);
      };
      run_in_all_ways(move);
    }));
  });
}

}  // namespace
