// inclusive_scan, exclusive_scan and transform_inclusive_scan against the standard library.
#include <tine/algo/exclusive_scan.hpp>
#include <tine/algo/inclusive_scan.hpp>
#include <tine/algo/transform_inclusive_scan.hpp>

#include <rapidcheck.h>

#include <deque>
#include <iterator>
#include <numeric>

#include "unit/algo/inputs.hpp"
#include "unit/algo/observed.hpp"

namespace {

using namespace tine::test;

using words = std::vector<unsigned>;

words to_words(const std::vector<int>& v) { return {v.begin(), v.end()}; }

/// Numbers x -> a x + b, under composition: associative, and not commutative.
struct affine {
  unsigned a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};

constexpr auto compose = [](const affine& f, const affine& g) { return affine{f.a * g.a, f.b * g.a + g.b}; };

std::vector<affine> to_affine(const std::vector<int>& v) {
  std::vector<affine> all;
  for (const int k : v) all.push_back({static_cast<unsigned>(k) | 1, static_cast<unsigned>(k)});
  return all;
}

void check_words(const words& v) {
  words right(v.size()), out(v.size());
  std::inclusive_scan(v.begin(), v.end(), right.begin());
  CHECK(tine::inclusive_scan(v, out.begin()).out == out.end());
  CHECK(out == right);
  out.assign(v.size(), 0);
  CHECK(tine::inclusive_scan(v.begin(), v.end(), out.begin()).in == v.end());
  CHECK(out == right);

  std::inclusive_scan(v.begin(), v.end(), right.begin(), std::plus<>{}, 17U);
  tine::inclusive_scan(v, out.begin(), std::plus<>{}, 17U);
  CHECK(out == right);

  std::exclusive_scan(v.begin(), v.end(), right.begin(), 17U);
  const auto ends = tine::exclusive_scan(v, out.begin(), 17U);
  CHECK(ends.in == v.end());
  CHECK(ends.out == out.end());
  CHECK(out == right);

  const auto square = [](unsigned k) { return k * k; };
  std::transform_inclusive_scan(v.begin(), v.end(), right.begin(), std::bit_xor<>{}, square);
  tine::transform_inclusive_scan(v, out.begin(), std::bit_xor<>{}, square);
  CHECK(out == right);
  std::transform_inclusive_scan(v.begin(), v.end(), right.begin(), std::plus<>{}, square, 3U);
  tine::transform_inclusive_scan(v.begin(), v.end(), out.begin(), std::plus<>{}, square, 3U);
  CHECK(out == right);
}

TEST_CASE("scans write the sums of the standard library") {
  in_pools([] {
    for (const std::size_t n : lengths) {
      CAPTURE(n);
      check_words(to_words(keys(n, pattern::random)));
    }
    check_words(to_words(keys(large_length, pattern::random)));
  });
}

TEST_CASE("scans keep the order of an operation that does not commute") {
  in_pools([] {
    for (const std::size_t n : {std::size_t{1001}, std::size_t{65'537}, std::size_t{75'000}}) {
      CAPTURE(n);
      const std::vector<affine> v = to_affine(keys(n, pattern::random));
      std::vector<affine> right(n), out(n);
      std::inclusive_scan(v.begin(), v.end(), right.begin(), compose);
      tine::inclusive_scan(v, out.begin(), compose);
      CHECK(out == right);
      std::exclusive_scan(v.begin(), v.end(), right.begin(), affine{3, 5}, compose);
      tine::exclusive_scan(v, out.begin(), affine{3, 5}, compose);
      CHECK(out == right);
    }
  });
}

TEST_CASE("scans in place") {
  in_pools([] {
    const words v = to_words(keys(75'000, pattern::random));
    words right(v.size()), own = v;
    std::inclusive_scan(v.begin(), v.end(), right.begin());
    tine::inclusive_scan(own, own.begin());
    CHECK(own == right);
    own = v;
    std::exclusive_scan(v.begin(), v.end(), right.begin(), 9U);
    tine::exclusive_scan(own, own.begin(), 9U);
    CHECK(own == right);
  });
}

TEST_CASE("the sums of a scan have the type of the initial value") {
  in_pools([] {
    const std::vector<std::uint8_t> v(65'537, 255);
    std::vector<std::uint64_t> out(v.size());
    tine::inclusive_scan(v, out.begin(), std::plus<>{}, std::uint64_t{1});
    CHECK(out.back() == 65'537ULL * 255 + 1);
    tine::exclusive_scan(v, out.begin(), std::uint64_t{1});
    CHECK(out.back() == 65'536ULL * 255 + 1);
  });
}

/// A sum that cannot be default-constructed, and that owns memory.
struct longest {
  explicit longest(const std::string& s) : text{s} {}
  std::string text;
};

TEST_CASE("scans over strings, and sums without a default constructor") {
  in_pools([] {
    std::vector<std::string> v;
    for (const int k : keys(3000, pattern::random)) v.push_back(std::to_string(k % 10));
    std::vector<std::string> right(v.size()), out(v.size());
    std::inclusive_scan(v.begin(), v.end(), right.begin(), std::plus<>{}, std::string{"begin"});
    tine::inclusive_scan(v, out.begin(), std::plus<>{}, std::string{"begin"});
    CHECK(out == right);
    std::exclusive_scan(v.begin(), v.end(), right.begin(), std::string{});
    tine::exclusive_scan(v, out.begin(), std::string{});
    CHECK(out == right);

    const auto later = [](const longest& a, const longest& b) { return a.text.size() > b.text.size() ? a : b; };
    std::vector<longest> sums(v.size(), longest{""});
    tine::transform_inclusive_scan(v, sums.begin(), later, [](const std::string& s) { return longest{s}; });
    CHECK(sums.front().text == v.front());
    CHECK(sums.back().text == v.back());
  });
}

TEST_CASE("scans take other iterators and sentinels, and touch nothing outside of the range") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<unsigned> in{10'001, at_begin}, out{10'001, at_begin};
      std::iota(in.begin(), in.end(), 1U);
      tine::inclusive_scan(std::counted_iterator{in.begin(), 10'001}, std::default_sentinel, out.begin());
      CHECK(out.begin()[10'000] == 10'001U * 10'002 / 2);
      tine::exclusive_scan(in.begin(), in.end(), out.begin(), 0U);
      CHECK(out.begin()[10'000] == 10'000U * 10'001 / 2);
    }
    const std::deque<unsigned> in(70'000, 2);
    std::deque<unsigned> out(70'000);
    tine::inclusive_scan(in, out.begin());
    CHECK(out.back() == 140'000);
  });
}

TEST_CASE("on one worker a scan calls its operation once for each item") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    const words v(100'000, 1);
    words out(v.size());
    long calls = 0;
    tine::inclusive_scan(
        v, out.begin(),
        [&calls](unsigned a, unsigned b) {
          ++calls;
          return a + b;
        },
        0U);
    CHECK(calls == 100'000);
  });
}

TEST_CASE("an exception of an operation leaves a scan, and nothing leaks") {
  const long before = throwing::alive;
  in_pools([] {
    {
      std::vector<throwing> in(20'000), out(20'000);
      const auto later = [](const throwing& a, const throwing& b) { return throwing{(a.key() + b.key()) % 1000}; };
      for (const long uses : {1L, 2L, 3L, 100L, 5000L, 19'999L, 30'000L}) {
        throwing::throw_after(uses);
        CHECK_THROWS_AS(tine::inclusive_scan(in, out.begin(), later), std::runtime_error);
        throwing::throw_after(uses);
        CHECK_THROWS_AS(tine::exclusive_scan(in, out.begin(), throwing{1}, later), std::runtime_error);
      }
      throwing::throw_after(0);
    }
    const words v(65'537, 1);
    words out(v.size());
    const auto sum = [](unsigned a, unsigned b) {
      if (b == 1 && a % 20'000 == 19'999) throw std::runtime_error{"sum"};
      return a + b;
    };
    CHECK_THROWS_WITH(tine::inclusive_scan(v, out.begin(), sum), "sum");
  });
  CHECK(throwing::alive == before);
}

TEST_CASE("any vector: scans, also observed, recorded and replayed") {
  in_pools([] {
    CHECK(rc::check("scans", [](const std::vector<int>& numbers) {
      const std::vector<affine> v = to_affine(numbers);
      std::vector<affine> right(v.size());
      std::inclusive_scan(v.begin(), v.end(), right.begin(), compose, affine{7, 1});
      const auto scan = [&] {
        std::vector<affine> out = v;
        tine::inclusive_scan(out, out.begin(), compose, affine{7, 1});
        RC_ASSERT(out == right);
      };
      run_in_all_ways(scan);
    }));
  });
}

TEST_CASE("a scan whose loop runs as a tree of single iterations is right") {
  const words v = to_words(keys(20'000, pattern::random));
  words right(v.size());
  std::inclusive_scan(v.begin(), v.end(), right.begin());
  in_pools([&] {
    words out(v.size());
    CHECK(forks_of([&] { tine::inclusive_scan(v, out.begin()); }) >= 19'999);
    CHECK(out == right);
  });
}

}  // namespace
