// The outcome of one call in raw storage: a value, a reference, nothing or an exception, each taken or dropped exactly
// once.
#include <tine/detail/base/result.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using tine::detail::outcome;
using tine::detail::result_of;

/// Counts the objects that are alive.
struct living {
  static inline int alive = 0;
  explicit living(int v) : value{v} { ++alive; }
  living(living&& other) noexcept : value{other.value} { ++alive; }
  living& operator=(living&&) = delete;
  ~living() { --alive; }
  int value;
};

}  // namespace

TEST_CASE("a void call has no value, every other call has its value") {
  static_assert(std::is_same_v<result_of<void (*)()>, tine::void_result>);
  static_assert(std::is_same_v<result_of<int& (*)()>, int&>);
  static_assert(std::is_same_v<result_of<int && (*)()>, int&&>);
  static_assert(std::is_same_v<result_of<std::string (*)(int), int>, std::string>);
  CHECK(tine::detail::value_of([] {}) == tine::void_result{});
}

TEST_CASE("a value is moved out and leaves nothing behind") {
  outcome<living> o;
  auto f = [] { return living{5}; };
  CHECK_FALSE(o.fill(f));
  CHECK(living::alive == 1);
  CHECK(o.take(false).value == 5);
  CHECK(living::alive == 0);
}

TEST_CASE("a dropped value is destroyed") {
  outcome<living> o;
  auto f = [] { return living{5}; };
  o.drop(o.fill(f));
  CHECK(living::alive == 0);
}

TEST_CASE("an exception is thrown again, and its object dies with its handler") {
  outcome<std::string> o;
  auto f = []() -> std::string { throw living{7}; };
  const bool threw = o.fill(f);
  CHECK(threw);
  CHECK(living::alive == 1);
  try {
    o.take(threw);
    FAIL("nothing was thrown");
  } catch (const living& e) {
    CHECK(e.value == 7);
  }
  CHECK(living::alive == 0);
}

TEST_CASE("a dropped exception is destroyed") {
  outcome<tine::void_result> o;
  auto f = [] { throw living{7}; };
  o.drop(o.fill(f));
  CHECK(living::alive == 0);
}

TEST_CASE("references stay references") {
  int x = 1;
  outcome<int&> o;
  auto f = [&]() -> int& { return x; };
  CHECK(&o.take(o.fill(f)) == &x);
  std::string text = "moved";
  outcome<std::string&&> r;
  auto g = [&]() -> std::string&& { return std::move(text); };
  std::string moved = r.take(r.fill(g));
  CHECK(moved == "moved");
}

TEST_CASE("a move that throws on the way out destroys what was kept") {
  struct awkward {
    awkward() = default;
    // NOLINTNEXTLINE(performance-noexcept-move-constructor): the test is about a move that throws
    awkward(awkward&&) { throw std::runtime_error{"moved"}; }
    living inside{1};
  };
  outcome<awkward> o;
  auto f = [] { return awkward{}; };
  const bool threw = o.fill(f);
  CHECK_FALSE(threw);
  CHECK_THROWS_AS(o.take(threw), std::runtime_error);
  CHECK(living::alive == 0);
}

TEST_CASE("const and move-only values") {
  outcome<std::unique_ptr<int>> o;
  auto f = [] { return std::make_unique<int>(3); };
  CHECK(*o.take(o.fill(f)) == 3);
  outcome<const std::string> c;
  auto g = []() -> const std::string { return "constant"; };
  CHECK(c.take(c.fill(g)) == "constant");
}
