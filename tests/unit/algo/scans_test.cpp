// inclusive_scan, exclusive_scan and transform_inclusive_scan against the standard library.
#include <tine/algo/exclusive_scan.hpp>
#include <tine/algo/inclusive_scan.hpp>
#include <tine/algo/transform_inclusive_scan.hpp>

#include <deque>
#include <numeric>

#include "unit/algo/laws.hpp"

namespace {

using namespace tine::test;

using words = std::vector<unsigned>;

/// Numbers x -> a x + b, under composition: associative, and not commutative.
struct affine {
  unsigned a = 1, b = 0;
};

constexpr auto compose = [](const affine& f, const affine& g) { return affine{f.a * g.a, f.b * g.a + g.b}; };

/// The standard library returns the end of the output alone.
#define TINE_SCAN(algorithm)                                                    \
  template <bool Ours>                                                          \
  constexpr auto algorithm = [](auto first, auto last, auto out, auto... all) { \
    if constexpr (Ours) {                                                       \
      const auto ends = tine::algorithm(first, last, out, all...);              \
      CHECK(ends.in == last);                                                   \
      return ends.out;                                                          \
    } else {                                                                    \
      return std::algorithm(first, last, out, all...);                          \
    }                                                                           \
  }
TINE_SCAN(exclusive_scan);
TINE_SCAN(inclusive_scan);
TINE_SCAN(transform_inclusive_scan);

/// Sums whose type is that of the initial value.
template <bool Ours>
outcome sums(std::span<int> v, unsigned k) {
  const auto square = [](long x) { return x % 1000 * (x % 1000); };
  const long init = 17L * k;
  outcome out(v.size()), found;
  const auto first = v.begin(), last = v.end();
  const auto note = [&](auto end) {
    found.push_back(end - out.begin());
    append(found, out);
  };
  note(inclusive_scan<Ours>(first, last, out.begin(), std::plus<>{}, init));
  note(exclusive_scan<Ours>(first, last, out.begin(), init));
  note(transform_inclusive_scan<Ours>(first, last, out.begin(), std::bit_xor<>{}, square));
  note(transform_inclusive_scan<Ours>(first, last, out.begin(), std::plus<>{}, square, init));
  const std::deque<unsigned> items(first, last);
  words own(items.begin(), items.end());
  inclusive_scan<Ours>(items.begin(), items.end(), own.begin());
  append(found, own);
  exclusive_scan<Ours>(own.begin(), own.end(), own.begin(), 9U);  // in place
  append(found, own);
  return found;
}

template <bool Ours>
outcome compositions(std::span<int> v, unsigned k) {
  std::vector<affine> functions;
  for (const int x : v) functions.push_back({static_cast<unsigned>(x) | 1, static_cast<unsigned>(x)});
  std::vector<affine> out(v.size()), own = functions;
  inclusive_scan<Ours>(own.begin(), own.end(), own.begin(), compose);
  exclusive_scan<Ours>(functions.begin(), functions.end(), out.begin(), affine{3, k}, compose);
  outcome found;
  for (const auto* all : {&own, &out}) {
    for (const affine& f : *all) found.insert(found.end(), {long{f.a}, long{f.b}});
  }
  return found;
}

TEST_CASE("scans write the sums of the standard library") { check_laws({TINE_LAW(sums), TINE_LAW(compositions)}); }

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

TEST_CASE("scans take ranges and sentinels, and touch nothing outside of them") {
  in_pools([] {
    for (const bool at_begin : {false, true}) {
      const at_page_end<unsigned> in{10'001, at_begin}, out{10'001, at_begin};
      std::iota(in.begin(), in.end(), 1U);
      tine::inclusive_scan(std::counted_iterator{in.begin(), 10'001}, std::default_sentinel, out.begin());
      CHECK(out.begin()[10'000] == 10'001U * 10'002 / 2);
      tine::exclusive_scan(in, out.begin(), 0U);
      CHECK(out.begin()[10'000] == 10'000U * 10'001 / 2);
    }
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

}  // namespace
