// merge and the set operations against the standard library.
#include <tine/algo/merge.hpp>
#include <tine/algo/set_union.hpp>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(merge);
TINE_SIDES(set_difference);
TINE_SIDES(set_intersection);
TINE_SIDES(set_symmetric_difference);
TINE_SIDES(set_union);

/// A key with the range and the place from which it comes.
struct origin {
  int key = 0, range = 0;
  std::size_t place = 0;
};

/// As `origin`, but not cheap.
struct large_origin : origin {
  std::array<int, 8> filled{};
};

template <class Item>
void fill_sorted(const at_page_end<Item>& all, std::vector<int> from, int range) {
  std::ranges::sort(from);
  for (std::size_t i = 0; i < from.size(); ++i) {
    Item& item = all.begin()[i];
    item.key = from[i], item.range = range, item.place = i;
  }
}

/// Runs all operations on two sorted ranges, with projections, between pages without access. The results must come from
/// the same items as those of the standard library, and nothing else may be written.
template <bool Ours, class Item>
void append_operations(outcome& to, const std::vector<int>& first, const std::vector<int>& second, bool at_begin) {
  const at_page_end<Item> a{first.size(), at_begin}, b{second.size(), at_begin};
  fill_sorted(a, first, 1);
  fill_sorted(b, second, 2);
  const auto note = [&](auto operation) {
    const at_page_end<Item> out{a.size() + b.size(), at_begin};
    const auto ends = operation(a, b, out.begin(), std::ranges::less{}, &origin::key, &origin::key);
    if constexpr (requires { ends.in2; }) {
      to.insert(to.end(), {ends.in1 - a.begin(), ends.in2 - b.begin()});
    } else {
      to.push_back(ends.in - a.begin());
    }
    to.push_back(ends.out - out.begin());
    for (const Item& i : out) to.push_back(long{i.key} << 24 | static_cast<long>(i.place) << 2 | i.range);
  };
  note(merge<Ours>);
  note(set_union<Ours>);
  note(set_intersection<Ours>);
  note(set_difference<Ours>);
  note(set_symmetric_difference<Ours>);
}

/// Ranges of several lengths, with many or few equal keys, equal ranges, and ranges that are apart.
template <bool Ours>
outcome operations(std::span<int> v, unsigned k) {
  constexpr std::array<int, variants> different{2, 100, 1 << 30, 100, 1 << 30, 2, 1000, 1 << 20, 1 << 20};
  std::vector<int> one(v.begin(), v.end()), two = keys(k == 4 ? 2'500 : v.size() * (k % 4) / 3, pattern::random, 2);
  if (k == 7) two = one;
  for (int& x : one) x %= different[k];
  for (int& x : two) x = x % different[k] + (k == 8 ? 1 << 20 : 0);
  outcome found;
  append_operations<Ours, origin>(found, one, two, k % 3 == 0);
  if (k % 2 == 0) append_operations<Ours, origin>(found, two, one, k % 4 == 0);
  if (k % 4 == 1) append_operations<Ours, large_origin>(found, one, two, k == 1);
  return found;
}

TEST_CASE("merges and set operations write the items that those of the standard library write, and nothing else") {
  check_laws({TINE_LAW(operations)});
}

TEST_CASE("set operations take other iterators and sentinels") {
  in_pools([] {
    const auto a = keys(20'000, pattern::sorted);
    const std::deque<int> b(a.begin() + 1, a.end());
    std::vector<long> out(2 * a.size());
    const auto both = tine::set_union(std::counted_iterator{a.begin(), 20'000}, std::default_sentinel, b.begin(),
                                      b.end(), out.begin());
    CHECK(both.in1 == std::default_sentinel);
    CHECK(both.in2 == b.end());
    CHECK(std::equal(a.begin(), a.end(), out.begin(), both.out));
  });
}

TEST_CASE("set operations copy strings, and the exception of a comparison leaves no memory behind") {
  in_pools([] {
    auto from1 = keys(30'000, pattern::random, 1), from2 = keys(20'000, pattern::random, 2);
    for (int& k : from1) k %= 20'000;
    for (int& k : from2) k %= 20'000;
    auto a = made_of<std::string>(from1, text_of), b = made_of<std::string>(from2, text_of);
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::vector<std::string> right, out(a.size() + b.size());
    std::ranges::set_union(a, b, std::back_inserter(right));
    CHECK(tine::set_union(a, b, out.begin()).out - out.begin() == std::ssize(right));
    CHECK(std::equal(right.begin(), right.end(), out.begin()));
    for (long calls = 1; calls < 20'000; calls *= 3) {
      std::atomic<long> left{calls};
      const auto less = [&left](const std::string& x, const std::string& y) {
        if (left.fetch_sub(1) == 1) throw std::runtime_error{"comparison"};
        return x < y;
      };
      CHECK_THROWS_WITH(tine::set_union(a, b, out.begin(), less), "comparison");
      left = calls;
      CHECK_THROWS_WITH(tine::merge(a, b, out.begin(), less), "comparison");
    }
  });
}

}  // namespace
