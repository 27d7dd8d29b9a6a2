// The types that a task may return and take. Values arrive unchanged in every way that a fork can go.
//
// Checks inside a task must not use INFO or CAPTURE: these belong to a thread, and a task may change its thread.
#include <tine/coro.hpp>
#include <tine/stop.hpp>

#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using tine::call;
using tine::eventually;
using tine::fork;
using tine::join;
using tine::task;
using tine::test::check_in_every_way;
using tine::test::in_every_way;
using tine::test::meeting;

/// A type without default constructor, copy and assignment: the least that a result or an argument may offer.
class sealed {
 public:
  explicit sealed(int v) : value_{std::make_unique<int>(v)} {}
  sealed(sealed&&) = default;
  sealed& operator=(sealed&&) = delete;
  int value() const { return *value_; }

 private:
  std::unique_ptr<int> value_;
};

/// A type like `sealed`, but with a trivial destructor. Its place is a plain variable, or an eventually where a
/// variable would need a default constructor.
struct stamped {
  explicit stamped(int v) : value{v} {}
  stamped(stamped&&) = default;
  const int value;
};

struct alignas(64) spacious {
  std::array<std::uint64_t, 24> words;
};

spacious make_spacious(std::uint64_t seed) {
  spacious s{};
  for (std::uint64_t i = 0; i < s.words.size(); ++i) s.words[i] = seed + i;
  return s;
}

bool is_spacious(const spacious& s, std::uint64_t seed) {
  if (reinterpret_cast<std::uintptr_t>(&s) % alignof(spacious) != 0) return false;
  for (std::uint64_t i = 0; i < s.words.size(); ++i) {
    if (s.words[i] != seed + i) return false;
  }
  return true;
}

task<long> number(meeting& m, long v) {
  m.first();
  co_return v;
}
task<int&> chosen(meeting& m, int& a, int& b, bool second) {
  m.first();
  co_return second ? b : a;
}
task<sealed> sealed_up(meeting& m, int v) {
  m.first();
  co_return sealed{v};
}
task<stamped> stamped_on(meeting& m, int v) {
  m.first();
  co_return stamped{v};
}
task<std::string> text(meeting& m, std::string s) {
  m.first();
  co_return s + " and more than fits into the object itself";
}
task<spacious> much(meeting& m, std::uint64_t seed) {
  m.first();
  co_return make_spacious(seed);
}

}  // namespace

TEST_CASE("references come back as themselves") {
  in_every_way([](meeting& m) {
    int one = 1, two = 2;
    auto root = [](meeting& met, int& a, int& b) -> task<int&> {
      int* forked = nullptr;
      co_await fork(&forked, chosen, met, a, b, true);
      met.second();
      int& called = co_await call(chosen, met, a, b, false);
      co_await join;
      CHECK(forked == &b);
      CHECK(&called == &a);
      co_return *forked;
    };
    CHECK(&tine::run(root, m, one, two) == &two);
  });
}

TEST_CASE("results that only move come through eventually") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<sealed> {
      eventually<sealed> forked;
      co_await fork(&forked, sealed_up, met, 30);
      met.second();
      const sealed called = co_await call(sealed_up, met, 4);
      co_await join;
      CHECK(forked.has_value());
      CHECK(forked->value() == 30);
      CHECK(called.value() == 4);
      sealed out = *std::move(forked);
      co_return std::move(out);
    };
    CHECK(tine::run(root, m).value() == 30);
  });
}

TEST_CASE("results without a default constructor, and trivial ones in an eventually") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<stamped> {
      eventually<stamped> a;
      co_await fork(&a, stamped_on, met, 8);
      met.second();
      eventually<long> b;
      co_await fork(&b, number, met, 9L);
      const stamped c = co_await call(stamped_on, met, 7);
      const auto d = co_await tine::call_until_stopped({}, stamped_on, met, 6);
      co_await join;
      CHECK(d->value == 6);
      CHECK(a->value == 8);
      CHECK(*b == 9);
      co_return stamped{c.value + a->value};
    };
    CHECK(tine::run(root, m).value == 15);
    CHECK(tine::submit(root, std::ref(m)).get().value == 15);
  });
  const auto [a, b] = tine::par([] { return stamped{1}; }, [] { return stamped{2}; });
  const auto c = tine::run_until_stopped({}, [] { return stamped{3}; });
  CHECK(a.value + b.value + c->value + tine::submit([] { return stamped{4}; }).get().value == 10);
}

TEST_CASE("an eventually is filled again") {
  check_in_every_way("onetwothr", [](meeting& met) -> task<std::string> {
    eventually<std::string> s;
    CHECK_FALSE(s.has_value());
    std::string all;
    for (const char* word : {"one", "two", "three"}) {
      met.again();
      co_await fork(&s, text, met, std::string{word});
      met.second();
      co_await join;
      all += s->substr(0, 3);
    }
    co_return all;
  });
}

// Compilers align objects in a coroutine's frame to 16 bytes at most (for clang this depends on
// -fcoro-aligned-allocation, for g++ on its bug 104177). Therefore objects with a greater alignment live in scratch
// arrays or outside coroutines.
TEST_CASE("over-aligned results") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<int> {
      auto a = co_await tine::scratch<spacious>(2);
      co_await fork(&a[0], much, met, 100);
      met.second();
      co_await fork(&a[1], much, met, 200);
      co_await join;
      co_return is_spacious(a[0], 100) + is_spacious(a[1], 200);
    };
    CHECK(tine::run(root, m) == 2);
    m.again();
    m.second();
    CHECK(is_spacious(tine::run(much, m, 300), 300));
  });
}

namespace {

task<bool> arrived_aligned(meeting& m, const spacious& s, std::uint64_t seed) {
  m.first();
  co_return is_spacious(s, seed);
}
task<int> consumed(meeting& m, std::unique_ptr<int> p, sealed s) {
  m.first();
  co_return *p * 100 + s.value();
}
task<std::size_t> length(meeting& m, std::string s) {
  m.first();
  co_return s.size();
}
task<> appended(meeting& m, std::vector<int>& to, int v) {
  m.first();
  to.push_back(v);
  co_return;
}
task<long> looked_at(meeting& m, const long& v) {
  m.first();
  co_return v;
}

struct base_part {
  int id = 0;
};
struct derived_part : base_part {
  int more = 0;
};
task<int> id_of(meeting& m, const base_part& b) {
  m.first();
  co_return b.id;
}

struct explicit_source {
  operator std::string() const { return "converted on the way"; }
};

}  // namespace

TEST_CASE("over-aligned arguments") {
  check_in_every_way(2, [](meeting& met) -> task<int> {
    bool a = false;
    auto s = co_await tine::scratch<spacious>(2);
    s[0] = make_spacious(7);
    s[1] = make_spacious(8);
    co_await fork(&a, arrived_aligned, met, s[0], 7);
    met.second();
    const bool b = co_await call(arrived_aligned, met, s[1], 8);
    co_await join;
    co_return a + b;
  });
}

TEST_CASE("arguments that only move") {
  check_in_every_way(304'506, [](meeting& met) -> task<int> {
    int a = 0;
    auto p = std::make_unique<int>(3);
    co_await fork(&a, consumed, met, std::move(p), sealed{4});
    met.second();
    CHECK(p == nullptr);
    const int b = co_await call(consumed, met, std::make_unique<int>(5), sealed{6});
    co_await join;
    co_return a * 1000 + b;
  });
}

TEST_CASE("arguments are converted before the parent continues") {
  check_in_every_way(4, [](meeting& met) -> task<std::size_t> {
    std::array<std::size_t, 3> n{};
    const std::string kept = "a text that has to be on the heap, so that a copy shows";
    co_await fork(&n[0], length, met, "a literal, as long as a literal may well be");
    met.second();
    co_await fork(&n[1], length, met, kept);
    CHECK(kept.size() == 55);
    co_await fork(&n[2], length, met, explicit_source{});
    const std::size_t d = co_await call(length, met, "four");
    co_await join;
    CHECK(n == std::array<std::size_t, 3>{43, 55, 20});
    co_return d;
  });
}

TEST_CASE("arguments by reference are the variables themselves") {
  check_in_every_way(1, [](meeting& met) -> task<int> {
    std::vector<int> a, b;
    long v = 11;
    derived_part d{{5}, 6};
    long read_back = 0;
    int id = 0;
    co_await fork(appended, met, a, 1);
    met.second();
    co_await join;
    met.again();
    co_await fork(appended, met, std::ref(b), 2);
    met.second();
    co_await join;
    co_await fork(&read_back, looked_at, met, v);
    co_await fork(&id, id_of, met, d);
    co_await join;
    CHECK(read_back == 11);
    CHECK(id == 5);
    co_await call(appended, std::ref(met), std::ref(a), 3);
    CHECK(a == std::vector{1, 3});
    CHECK(b == std::vector{2});
    co_return 1;
  });
}

namespace {

/// Reads its parameters after its continuation was stolen, when the native frame of the call no longer exists.
task<long> reads_late(meeting& m, const long& held_number, const std::string& held_text, const std::vector<int>& v) {
  long ignored = 0;
  co_await fork(&ignored, number, m, 1L);
  m.second();
  co_await join;
  co_return held_number + static_cast<long>(held_text.size()) + v[1];
}

}  // namespace

TEST_CASE("a call's temporaries live until it returns") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<long> {
      co_return co_await call(reads_late, met, 1000, std::string(300, 'x'), std::vector<int>(2, 21));
    };
    CHECK(tine::run(root, m) == 1321);
    m.again();
    auto generic = [](auto& met, const auto& n) -> task<long> {
      long ignored = 0;
      co_await fork(&ignored, number, met, 1L);
      met.second();
      co_await join;
      co_return n;
    };
    auto caller = [](auto& g, meeting& met) -> task<long> { co_return co_await call(g, met, 77); };
    CHECK(tine::run(caller, generic, m) == 77);
  });
}

TEST_CASE("an argument that cannot be assigned goes through a fork at any depth") {
  auto down = [](auto& self, long n, sealed s) -> task<long> {
    if (n == 0) co_return s.value();
    long below = 0;
    co_await fork(&below, self, std::ref(self), n - 1, std::move(s));
    co_await join;
    co_return below + 1;
  };
  CHECK(tine::run(down, down, 20'000, sealed{5}) == 20'005);
}

TEST_CASE("co_return takes braces, as return does") {
  struct two {
    int a = 1, b = 2;
  };
  const auto nought = []() -> task<int> { co_return {}; };
  const auto plain = []() -> task<two> { co_return {}; };
  const auto both = []() -> task<two> { co_return {3, 4}; };
  const auto text = []() -> task<std::string> { co_return {"xxx"}; };
  const auto pair = []() -> task<std::pair<int, std::string>> { co_return {5, "five"}; };
  CHECK(tine::run(nought) == 0);
  CHECK(tine::run(plain).b == 2);
  CHECK(tine::run(both).b == 4);
  CHECK(tine::run(text) == "xxx");
  CHECK(tine::run(pair).second == "five");
}
