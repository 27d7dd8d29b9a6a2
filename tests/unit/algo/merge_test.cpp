// merge and the set operations against the standard library.
#include <tine/algo/merge.hpp>
#include <tine/algo/set_difference.hpp>
#include <tine/algo/set_intersection.hpp>
#include <tine/algo/set_union.hpp>

#include "unit/algo/laws.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

TINE_SIDES(merge);
TINE_SIDES(set_difference);
TINE_SIDES(set_intersection);
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
std::vector<Item> sorted_items(std::vector<int> from, int range) {
  std::ranges::sort(from);
  std::vector<Item> all(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    all[i].key = from[i];
    all[i].range = range;
    all[i].place = i;
  }
  return all;
}

/// Runs all operations on two sorted ranges, with projections. The results must come from the same items as those of
/// the standard library.
template <bool Ours, class Item>
void append_operations(outcome& to, const std::vector<int>& first, const std::vector<int>& second) {
  const auto a = sorted_items<Item>(first, 1), b = sorted_items<Item>(second, 2);
  std::vector<Item> out(a.size() + b.size());
  const auto note = [&](auto end) {
    to.push_back(end - out.begin());
    for (auto at = out.begin(); at != end; ++at)
      to.push_back(long{at->key} << 24 | static_cast<long>(at->place) << 2 | at->range);
  };
  const std::ranges::less less;
  const auto key = &origin::key;
  note(merge<Ours>(a, b, out.begin(), less, key, key).out);
  note(set_union<Ours>(a, b, out.begin(), less, key, key).out);
  note(set_intersection<Ours>(a, b, out.begin(), less, key, key).out);
  note(set_difference<Ours>(a, b, out.begin(), less, key, key).out);
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
  append_operations<Ours, origin>(found, one, two);
  if (k % 2 == 0) append_operations<Ours, origin>(found, two, one);
  if (k % 4 == 1) append_operations<Ours, large_origin>(found, one, two);
  return found;
}

TEST_CASE("merges and set operations write the items that those of the standard library write") {
  check_laws({TINE_LAW(operations)});
}

TEST_CASE("merges and set operations return the ends of their ranges") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{3}, std::size_t{20'000}}) {
      const auto a = keys(n, pattern::sorted);
      std::deque<int> b(a.begin() + 1, a.end());
      std::vector<long> out(2 * n);
      const auto merged = tine::merge(a, b, out.begin());
      CHECK(merged.in1 == a.end());
      CHECK(merged.in2 == b.end());
      CHECK(merged.out == out.end() - 1);
      CHECK(std::ranges::is_sorted(out.begin(), out.end() - 1));
      const auto both = tine::set_union(std::counted_iterator{a.begin(), static_cast<std::ptrdiff_t>(n)},
                                        std::default_sentinel, b.begin(), b.end(), out.begin());
      CHECK(both.in1 == std::default_sentinel);
      CHECK(both.in2 == b.end());
      CHECK(both.out - out.begin() == std::ssize(a));
      const auto common = tine::set_intersection(a, b, out.begin());
      CHECK(common.in1 == a.end());
      CHECK(common.in2 == b.end());
      CHECK(std::equal(out.begin(), common.out, b.begin(), b.end()));
      const auto rest = tine::set_difference(a, b, out.begin());
      CHECK(rest.in == a.end());
      CHECK(rest.out - out.begin() == 1);
    }
  });
}

TEST_CASE("merges and set operations touch nothing outside of their ranges") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{10}, std::size_t{5001}, std::size_t{30'000}}) {
      for (const bool at_begin : {false, true}) {
        const at_page_end<int> a{n, at_begin}, b{n, at_begin}, out{2 * n, at_begin};
        std::ranges::copy(keys(n, pattern::sorted), a.begin());
        std::ranges::copy(keys(n, pattern::sorted), b.begin());
        CHECK(tine::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin()).out == out.end());
        for (std::size_t i = 0; i < n; ++i) b.begin()[i] += i % 2 == 0 ? 0 : 1'000'000;
        std::sort(b.begin(), b.end());
        const at_page_end<int> sum{n + n / 2, at_begin}, common{n - n / 2, at_begin}, rest{n / 2, at_begin};
        CHECK(tine::set_union(a.begin(), a.end(), b.begin(), b.end(), sum.begin()).out == sum.end());
        CHECK(tine::set_intersection(a.begin(), a.end(), b.begin(), b.end(), common.begin()).out == common.end());
        CHECK(tine::set_difference(a.begin(), a.end(), b.begin(), b.end(), rest.begin()).out == rest.end());
      }
    }
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
