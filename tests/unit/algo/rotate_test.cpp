// rotate and reverse against the standard library.
#include <tine/algo/reverse.hpp>
#include <tine/algo/rotate.hpp>

#include <set>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(reverse);
TINE_SIDES(rotate);

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

template <bool Ours>
outcome turns(std::span<int> v, unsigned k) {
  outcome found;
  std::deque<int> items(v.begin(), v.end());
  std::size_t i = 0;
  for (const std::size_t distance : distances(v.size())) {
    if (++i % 3 != k % 3) continue;
    const auto by = static_cast<std::ptrdiff_t>(distance);
    const auto rest = rotate<Ours>(v, v.begin() + by);
    found.push_back(rest.begin() - v.begin());
    found.push_back(rest.end() - v.begin());
    rotate<Ours>(counted(v), counted(v) + by, std::default_sentinel);
    rotate<Ours>(items, items.begin() + by);
  }
  found.push_back(reverse<Ours>(v) - v.begin());
  reverse<Ours>(counted(v.first(v.size() / 2)), std::default_sentinel);
  reverse<Ours>(items);
  append(found, items);
  return found;
}

TEST_CASE("rotate and reverse move the items as the standard library does, and return their new places") {
  check_laws({TINE_LAW(turns)});
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

TEST_CASE("an exception of a move leaves all items alive") {
  in_pools([] {
    const auto from = keys(1001, pattern::sorted);
    for (const std::ptrdiff_t by : {1, 100, 400, 500, 950}) {
      check_lives(from, 1000, [by](auto& items) { tine::rotate(items, items.begin() + by); });
    }
    check_lives(from, 1000, [](auto& items) { tine::reverse(items); });
  });
}

}  // namespace
