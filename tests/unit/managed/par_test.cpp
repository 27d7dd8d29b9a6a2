// par: the types that the two branches may have and may return. Results arrive unchanged in every way that a fork can
// go.
//
// Checks inside a body must not use INFO or CAPTURE: these belong to a thread, and a body may change its thread.
#include <tine/tine.hpp>

#include "unit/fib.hpp"
#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

using tine::par;
using tine::test::fib;
using tine::test::in_every_way;
using tine::test::meeting;

/// A type without default constructor, assignment and copy: the least that a result may offer.
class sealed {
 public:
  explicit sealed(int v) : value_{std::make_unique<int>(v)} {}
  sealed(sealed&&) = default;
  sealed& operator=(sealed&&) = delete;
  int value() const { return *value_; }

 private:
  std::unique_ptr<int> value_;
};

/// A result of this size and alignment.
template <std::size_t Bytes, std::size_t Alignment>
struct alignas(Alignment) block {
  std::array<char, Bytes> bytes{};
  explicit block(char c) { bytes.front() = bytes.back() = c; }
  bool is(char c) const {
    return reinterpret_cast<std::uintptr_t>(this) % Alignment == 0 && bytes.front() == c && bytes.back() == c;
  }
};
using spacious = block<3200, 128>;

}  // namespace

TEST_CASE("par returns both values, references and nothing, also what can only be moved") {
  in_every_way([](meeting& m) {
    auto [a, b] = par(m.first([&] { return 7; }),
                      m.second([&] { return std::string{"a string that is too long for its own buffer"}; }));
    static_assert(std::is_same_v<decltype(a), int> && std::is_same_v<decltype(b), std::string>);
    CHECK(a == 7);
    CHECK(b == "a string that is too long for its own buffer");
    m.again();
    int left = 1;
    const std::string right = "right";
    auto both = par(m.first([&]() -> int& { return left; }), m.second([&]() -> const std::string& { return right; }));
    static_assert(std::is_same_v<decltype(both), std::pair<int&, const std::string&>>);
    CHECK(&both.first == &left);
    CHECK(&both.second == &right);
    m.again();
    auto nothing = par(m.first([&] { left = 3; }), m.second([] {}));
    static_assert(std::is_same_v<decltype(nothing), std::pair<tine::void_result, tine::void_result>>);
    CHECK(nothing.first == tine::void_result{});
    CHECK(left == 3);
    m.again();
    auto [c, d] = par(m.first([&] { return sealed{1}; }), m.second([&] { return sealed{2}; }));
    CHECK(c.value() == 1);
    CHECK(d.value() == 2);
  });
}

/// Checks that such results arrive whole, from one branch and from both.
template <class Block>
void check_results() {
  in_every_way([](meeting& m) {
    const auto first = m.first([] { return Block{'a'}; });
    const auto second = m.second([] { return Block{'b'}; });
    auto [a, b] = par(first, second);
    CHECK(a.is('a'));
    CHECK(b.is('b'));
    m.again();
    CHECK(par(first, second, [](const Block& x, Block y) { return x.is('a') && y.is('b'); }));
    m.again();
    CHECK(par([&] { m.first(); }, second, [](tine::void_result, const Block& y) { return y.is('b'); }));
  });
}

TEST_CASE("results may have any size and alignment, also those that no record can hold") {
  check_results<block<16, 16>>();
  check_results<block<8, 64>>();
  check_results<block<192, 64>>();
  check_results<block<1024, 1>>();
  check_results<block<1025, 1>>();
  check_results<block<5000, 1>>();
}

TEST_CASE("closures may be larger than a record keeps") {
  in_every_way([](meeting& m) {
    std::array<long, 100> many{};
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<long>(i);
    auto sum = m.second([many] {
      long s = 0;
      for (const long x : many) s += x;
      return s;
    });
    auto [a, b] = par(m.first([many] { return many[99]; }), sum);
    CHECK(a == 99);
    CHECK(b == 4950);
  });
}

TEST_CASE("closures kept in the record outlive their own forks") {
  in_every_way([](meeting& m) {
    const std::array<long, 6> values{1, 2, 3, 4, 5, 6};
    const long number = par([&] { m.first(); }, m.second([values] {
      const long below = fib(6);
      long n = 0;
      for (const long v : values) n = 10 * n + v;
      return n + below;
    }),
                            [](tine::void_result, long n) { return n; });
    CHECK(number == 123'456 + 8);
  });
}

TEST_CASE("a result may be made from its closure while it is made") {
  in_every_way([](meeting& m) {
    struct echo {
      std::array<long, 8> words;
      explicit echo(const std::array<long, 6>& from) {
        words.fill(-1);
        for (std::size_t i = 0; i < from.size(); ++i) words[i] = from[i];
      }
    };
    const std::array<long, 6> values{1, 2, 3, 4, 5, 6};
    auto [a, b] = par([&] { m.first(); }, m.second([values] { return echo{values}; }));
    static_cast<void>(a);
    CHECK(b.words == std::array<long, 8>{1, 2, 3, 4, 5, 6, -1, -1});
  });
}

TEST_CASE("closures may own what they use, and change it") {
  in_every_way([](meeting& m) {
    auto owned = std::make_unique<int>(41);
    auto [a, b] = par(m.first([owned = std::move(owned)] { return *owned + 1; }),
                      m.second([text = std::string(40, 'x'), n = 10]() mutable {
                        text += "y";
                        return text.substr(39) + std::to_string(++n);
                      }));
    CHECK(a == 42);
    CHECK(b == "xy11");
  });
}

namespace {

/// Trivially copyable, though it can only be moved.
class moved_branch {
 public:
  moved_branch(meeting& m, bool is_first, int value) : meeting_{&m}, is_first_{is_first}, value_{value} {}
  moved_branch(moved_branch&&) = default;
  moved_branch& operator=(moved_branch&&) = default;

  int operator()() const {
    is_first_ ? meeting_->first() : meeting_->second();
    return value_;
  }
  void operator()(int) const {}

 private:
  meeting* meeting_;
  bool is_first_;
  int value_;
};
static_assert(std::is_trivially_copyable_v<moved_branch>);

}  // namespace

TEST_CASE("closures that can only be moved may be branches and bodies") {
  in_every_way([](meeting& m) {
    const auto [a, b] = par(moved_branch{m, true, 3}, moved_branch{m, false, 4});
    CHECK(a * b == 12);
    tine::par_for(0, 10, moved_branch{m, true, 0});
  });
}

TEST_CASE("functions are branches too") {
  in_every_way([](meeting& m) {
    static int calls;
    calls = 0;
    struct plain {
      static int one() { return 1; }
      static void count() { ++calls; }
    };
    auto [a, b] = par(plain::one, &plain::count);
    static_cast<void>(b);
    CHECK(a == 1);
    CHECK(calls == 1);
    par([&] { m.first(); }, [&] { m.second(); });
  });
}

TEST_CASE("combine gets both results") {
  in_every_way([](meeting& m) {
    const auto first = m.first([&] { return sealed{3}; });
    const auto second = m.second([&] { return sealed{4}; });
    const sealed product = par(first, second, [](sealed a, sealed&& b) { return sealed{a.value() * 10 + b.value()}; });
    CHECK(product.value() == 34);
    m.again();
    int seen = 0;
    par(first, second, [&](const sealed& a, sealed b) { seen = a.value() + b.value(); });
    CHECK(seen == 7);
  });
}

TEST_CASE("combine may take and return references, and nothing") {
  in_every_way([](meeting& m) {
    int x = 1, y = 2;
    const auto first = m.first([&]() -> int& { return x; });
    const auto second = m.second([&]() -> int& { return y; });
    decltype(auto) larger = par(first, second, [](int& a, int& b) -> int& { return a < b ? b : a; });
    static_assert(std::is_same_v<decltype(larger), int&>);
    CHECK(&larger == &y);
    m.again();
    const int sum = par([&] { m.first(); }, second, [](tine::void_result, int& b) { return b; });
    CHECK(sum == 2);
  });
}

TEST_CASE("combine may own what it uses and change it") {
  in_every_way([](meeting& m) {
    auto joined = par(m.first([&] { return std::string{"left"}; }), m.second([&] { return std::string{"right"}; }),
                      [between = std::make_unique<std::string>(" and "), n = 0](std::string a, std::string b) mutable {
                        ++n;
                        return std::move(a) + *between + b + std::to_string(n);
                      });
    CHECK(joined == "left and right1");
  });
}

TEST_CASE("three to six branches return a tuple") {
  in_every_way([](meeting& m) {
    int target = 0;
    const auto first = m.first([&] { return 1; });
    const auto second = m.second([&]() -> int& { return target; });
    auto three = par(first, second, [] {});
    static_assert(std::is_same_v<decltype(three), std::tuple<int, int&, tine::void_result>>);
    CHECK(std::get<0>(three) == 1);
    CHECK(&std::get<1>(three) == &target);
    m.again();
    auto [a, b, c, d] = par(first, second, [] { return sealed{3}; }, [] { return spacious{'4'}; });
    CHECK(a == 1);
    CHECK(&b == &target);
    CHECK(c.value() == 3);
    CHECK(d.is('4'));
    m.again();
    auto five = par(first, second, [] { return 3L; }, [] { return 4.0; }, [] { return std::string{"5"}; });
    CHECK(std::get<3>(five) == 4.0);
    CHECK(std::get<4>(five) == "5");
    m.again();
    auto six = par(
        first, second, [] { return std::tuple<int>{3}; }, [] { return std::pair<int, int>{4, 4}; },
        [] { return sealed{5}; }, [] { return std::make_unique<int>(6); });
    CHECK(std::get<0>(std::get<2>(six)) == 3);
    CHECK(std::get<4>(six).value() == 5);
    CHECK(*std::get<5>(six) == 6);
  });
}

TEST_CASE("three and more branches may be combined") {
  in_every_way([](meeting& m) {
    int target = 4;
    const auto first = m.first([&] { return sealed{1}; });
    const auto second = m.second([&]() -> int& { return target; });
    const int three =
        par(first, second, [] {}, [](const sealed& a, int& b, tine::void_result) { return 10 * a.value() + b; });
    CHECK(three == 14);
    m.again();
    decltype(auto) same = par(
        first, second, [] { return 2; }, [] { return spacious{'3'}; },
        [](sealed, int& b, int, spacious s) -> int& { return s.is('3') ? b : (b = 0); });
    static_assert(std::is_same_v<decltype(same), int&>);
    CHECK(&same == &target);
    CHECK(target == 4);
    m.again();
    par(first, second, [] { return 2; }, [&](auto&&, int& b, int c) { b += c; });
    CHECK(target == 6);
  });
}

TEST_CASE("one worker keeps the serial order") {
  for (const auto policy :
       {tine::promotion::on_demand(), tine::promotion::eager(), tine::promotion::heartbeat(20, 5)}) {
    tine::pool p{{.workers = 1, .promote = policy}};
    std::string order;
    p.run([&] {
      par([&] { order += "a"; },
          [&] {
            par([&] { order += "b"; }, [&] { order += "c"; }, [&](auto, auto) { order += "d"; });
            order += "e";
          });
      par([&] { par([&] { order += "f"; }, [&] { order += "g"; }); }, [&] { order += "h"; }, [&] { order += "i"; },
          [&] { order += "j"; });
    });
    CHECK(order == "abcdefghij");
  }
}

TEST_CASE("combine need not take the results of void branches") {
  std::atomic<int> ran{0};
  const auto nought = [&] { ++ran; };
  CHECK(par(nought, [] { return 2; }, [](int b) { return b + 1; }) == 3);
  CHECK(par([] { return 2; }, nought, [](int a) { return a + 2; }) == 4);
  CHECK(par([] { return 2; }, nought, [](int a, tine::void_result) { return a + 3; }) == 5);
  CHECK(par(nought, [] { return 2; }, nought, [] { return 3L; }, [](int b, long d) { return b + d; }) == 5);
  CHECK(*par(nought, [] { return std::make_unique<int>(7); }, [](std::unique_ptr<int> b) { return b; }) == 7);
  CHECK(ran == 6);
}
