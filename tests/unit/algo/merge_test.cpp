// merge and the set operations against the standard library.
#include <tine/algo/merge.hpp>
#include <tine/algo/set_difference.hpp>
#include <tine/algo/set_intersection.hpp>
#include <tine/algo/set_union.hpp>

#include <rapidcheck.h>

#include "unit/algo/observed.hpp"
#include "unit/algo/with_exceptions.hpp"

namespace {

using namespace tine::test;

/// A key with the range and the place from which it comes.
struct origin {
  int key = 0, range = 0;
  std::size_t place = 0;
  friend bool operator==(const origin&, const origin&) = default;
};

/// As `origin`, but not cheap.
struct large_origin : origin {
  std::array<int, 8> filled{};
  friend bool operator==(const large_origin& a, const large_origin& b) {
    return static_cast<const origin&>(a) == static_cast<const origin&>(b);
  }
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

using way = void (*)(const std::function<void()>&);

/// Checks all operations on two sorted ranges, with projections; their results must come from the same items as those
/// of the standard library. `run` runs the operations.
template <class Item>
void check_operations(const std::vector<Item>& a, const std::vector<Item>& b, way run = in_pools) {
  using operation = std::function<std::ptrdiff_t(std::vector<Item>&)>;
  const auto check = [&](const operation& ours, const operation& theirs) {
    std::vector<Item> right(a.size() + b.size());
    const auto end = theirs(right);
    run([&] {
      std::vector<Item> left(right.size());
      CHECK(ours(left) == end);
      CHECK(left == right);
    });
  };
  const auto key = &origin::key;
  check([&](auto& out) { return tine::merge(a, b, out.begin(), {}, key, key).out - out.begin(); },
        [&](auto& out) { return std::ranges::merge(a, b, out.begin(), {}, key, key).out - out.begin(); });
  check([&](auto& out) { return tine::set_union(a, b, out.begin(), {}, key, key).out - out.begin(); },
        [&](auto& out) { return std::ranges::set_union(a, b, out.begin(), {}, key, key).out - out.begin(); });
  check([&](auto& out) { return tine::set_intersection(a, b, out.begin(), {}, key, key).out - out.begin(); },
        [&](auto& out) { return std::ranges::set_intersection(a, b, out.begin(), {}, key, key).out - out.begin(); });
  check([&](auto& out) { return tine::set_difference(a, b, out.begin(), {}, key, key).out - out.begin(); },
        [&](auto& out) { return std::ranges::set_difference(a, b, out.begin(), {}, key, key).out - out.begin(); });
}

TEST_CASE("merges and set operations write the items that those of the standard library write") {
  for (const std::size_t n1 : {std::size_t{0}, std::size_t{1}, std::size_t{30}, std::size_t{10'000}}) {
    for (const std::size_t n2 : {std::size_t{0}, std::size_t{33}, std::size_t{12'500}}) {
      for (const int different : {2, 100, 1 << 30}) {
        CAPTURE(n1);
        CAPTURE(n2);
        CAPTURE(different);
        auto from1 = keys(n1, pattern::random, 1), from2 = keys(n2, pattern::random, 2);
        for (int& k : from1) k %= different;
        for (int& k : from2) k %= different;
        check_operations(sorted_items<origin>(from1, 1), sorted_items<origin>(from2, 2));
        if (different == 100) {
          check_operations(sorted_items<large_origin>(from1, 1), sorted_items<large_origin>(from2, 2));
        }
      }
    }
  }
}

TEST_CASE("merges and set operations of ranges that are apart, or that are the same") {
  const auto low = sorted_items<origin>(keys(15'000, pattern::sorted), 1);
  auto high = sorted_items<origin>(keys(17'500, pattern::sorted), 2);
  check_operations(low, high);
  for (origin& o : high) o.key += 100'000;
  check_operations(low, high);
  check_operations(high, low);
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

TEST_CASE("any two vectors: merge and set operations, also observed, recorded and replayed") {
  const way here = [](const std::function<void()>& body) { body(); };
  in_pools([&] {
    CHECK(rc::check("set operations", [&](std::vector<unsigned char> v, std::vector<unsigned char> w) {
      const auto narrow = [](std::vector<unsigned char>& from) {
        std::vector<int> all;
        for (const unsigned char k : from) all.push_back(k % 8);
        return all;
      };
      check_operations(sorted_items<origin>(narrow(v), 1), sorted_items<origin>(narrow(w), 2), here);
    }));
    auto from1 = keys(3000, pattern::random, 1), from2 = keys(2000, pattern::random, 2);
    for (int& k : from1) k %= 700;
    for (int& k : from2) k %= 700;
    const auto a = sorted_items<origin>(from1, 1), b = sorted_items<origin>(from2, 2);
    check_operations(a, b, run_observed);
  });
}

}  // namespace
