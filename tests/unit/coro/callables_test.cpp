// Callables that can be forked and called: functions, members, lambdas, and callables that are chosen at run time.
#include <tine/coro.hpp>

#include "unit/coro/task_fib.hpp"
#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::task;
using tine::test::check_in_every_way;
using tine::test::in_every_way;
using tine::test::meeting;

task<long> twice(meeting& m, long v) {
  m.first();
  co_return 2 * v;
}
task<long> thrice(meeting& m, long v) noexcept {
  m.first();
  co_return 3 * v;
}
task<> counted_up(meeting& m, int* n) {
  m.first();
  ++*n;
  co_return;
}
task<long> nothing_yet(meeting& m) {
  m.first();
  co_return 1;
}

task<long> forwarded(meeting& m, long v) { return twice(m, v + 1); }

task<long> forks_and_calls_forwarded(meeting& m) {
  long a = 0;
  co_await fork(&a, forwarded, m, 10L);
  m.second();
  co_await join;
  co_return a + co_await call(forwarded, m, 20L);
}

task<long> meet(meeting& m) {
  long a = 0;
  co_await fork(&a, nothing_yet, m);
  m.second();
  co_await join;
  co_return a;
}

/// Each member function calls `meet`, whose continuation may be stolen, and accesses its object afterwards.
class account {
 public:
  explicit account(long v) : value_{v} {}
  task<long> plain(meeting& m, long more) {
    co_await call(meet, m);
    co_return value_ += more;
  }
  task<long> constant(meeting& m) const {
    co_await call(meet, m);
    co_return value_;
  }
  task<long> quiet(meeting& m, long more) noexcept {
    co_await call(meet, m);
    co_return value_ += more;
  }
  task<long> constant_quiet(meeting& m) const noexcept {
    co_await call(meet, m);
    co_return value_;
  }
  task<long> on_lvalue(meeting& m) & {
    co_await call(meet, m);
    co_return value_;
  }
  long value() const { return value_; }

 private:
  long value_;
};

struct functor {
  long factor;
  task<long> operator()(meeting& m, long v) const {
    m.first();
    co_return factor* v;
  }
};

}  // namespace

TEST_CASE("functions that are known when compiling") {
  in_every_way([](meeting& m) {
    CHECK(tine::run(tine::test::task_fib, 12) == 144);
    auto root = [](meeting& met) -> task<long> {
      long a = 0;
      co_await fork<twice>(&a, met, 4);
      met.second();
      const long b = co_await call<thrice>(met, 5L);
      co_await join;
      co_return a * 100 + b;
    };
    CHECK(tine::run(root, m) == 815);
  });
}

TEST_CASE("function pointers chosen at run time") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met, int first) -> task<long> {
      const std::array<task<long> (*)(meeting&, long), 2> table{twice, thrice};
      long a = 0;
      int n = 0;
      co_await fork(&a, table[static_cast<unsigned>(first)], met, 10L);
      met.second();
      task<> (*no_result)(meeting&, int*) = counted_up;
      co_await fork(no_result, met, &n);
      const long b = co_await call(table[static_cast<unsigned>(1 - first)], met, 10L);
      co_await join;
      CHECK(n == 1);
      co_return a * 100 + b;
    };
    CHECK(tine::run(root, m, 0) == 2030);
    m.again();
    CHECK(tine::run(root, m, 1) == 3020);
  });
}

TEST_CASE("member functions work on their object") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<long> {
      account a{100};
      std::array<long, 5> r{};
      co_await fork(&r[0], &account::plain, a, met, 10);
      co_await join;
      CHECK(a.value() == 110);
      met.again();
      co_await fork(&r[1], &account::constant, &a, met);
      co_await join;
      met.again();
      co_await fork(&r[2], &account::constant_quiet, std::as_const(a), met);
      co_await join;
      met.again();
      co_await fork(&r[3], &account::quiet, std::ref(a), met, 1L);
      co_await join;
      co_await fork<&account::on_lvalue>(&r[4], a, met);
      co_await join;
      CHECK(r == std::array<long, 5>{110, 110, 110, 111, 111});
      met.again();
      CHECK(co_await call(&account::plain, a, met, 4) == 115);
      CHECK(co_await call(&account::constant, &a, met) == 115);
      CHECK(co_await call(&account::constant_quiet, account{3}, met) == 3);
      co_return co_await call<&account::quiet>(a, met, 5);
    };
    CHECK(tine::run(root, m) == 120);
    account a{1};
    CHECK(tine::run(&account::plain, a, m, 1) == 2);
  });
}

TEST_CASE("member functions through smart pointers that are variables") {
  in_every_way([](meeting& m) {
    auto root = [](meeting& met) -> task<long> {
      const auto p = std::make_unique<account>(7);
      long r = 0;
      co_await fork(&r, &account::plain, p, met, 1);
      co_await join;
      CHECK(p->value() == 8);
      co_return r;
    };
    CHECK(tine::run(root, m) == 8);
  });
}

TEST_CASE("lambdas without captures, as variables and as temporaries") {
  check_in_every_way(234, [](meeting& met) -> task<long> {
    const auto named = [](meeting& x, long v) -> task<long> {
      x.first();
      co_return v + 1;
    };
    long a = 0, b = 0;
    co_await fork(&a, named, met, 1);
    met.second();
    co_await fork(
        &b,
        [](meeting& x, long v) -> task<long> {
          x.first();
          co_return v + 2;
        },
        met, 1);
    const long c = co_await call([](long v) -> task<long> { co_return v + 3; }, 1);
    co_await join;
    co_return a * 100 + b * 10 + c;
  });
}

TEST_CASE("lambdas with captures, as variables") {
  check_in_every_way(570, [](meeting& met) -> task<long> {
    std::array<long, 40> many{};
    many[39] = 5;
    long sum = 0;
    const auto reader = [many, &met](long i) -> task<long> {
      met.first();
      co_return many[static_cast<unsigned>(i)];
    };
    auto writer = [&sum, own = std::make_unique<int>(3)](long v) mutable -> task<> {
      sum += v * *own;
      ++*own;
      co_return;
    };
    long a = 0;
    co_await fork(&a, reader, 39);
    met.second();
    co_await join;
    co_await fork(writer, 10);
    co_await join;
    co_await call(writer, 10);
    CHECK(co_await call([&many](long i) -> task<long> { co_return many[static_cast<unsigned>(i)]; }, 39) == 5);
    co_return a * 100 + sum;
  });
}

TEST_CASE("recursive lambdas") {
  in_every_way([](meeting& m) {
    const auto fibonacci = [](const auto& self, long n) -> task<long> {
      if (n < 2) co_return n;
      long a = 0;
      co_await fork(&a, self, std::ref(self), n - 1);
      const long b = co_await call(self, self, n - 2);
      co_await join;
      co_return a + b;
    };
    CHECK(tine::run(fibonacci, fibonacci, 13) == 233);
    const auto down = [](const auto& self, meeting& met, long n) -> task<long> {
      if (n == 0) {
        met.first();
        co_return 0;
      }
      long a = 0;
      co_await fork(&a, self, std::ref(self), std::ref(met), n - 1);
      met.second();
      co_await join;
      co_return a + n;
    };
    CHECK(tine::run(down, down, m, 10) == 55);
  });
}

TEST_CASE("objects with a call operator, and run with captures") {
  in_every_way([](meeting& m) {
    const std::array<long, 3> base{1000, 0, 0};
    auto root = [&m, base]() -> task<long> {
      const functor f{7};
      long a = 0;
      co_await fork(&a, f, m, 6L);
      m.second();
      const long b = co_await call(functor{2}, m, 6L);
      co_await join;
      co_return base[0] + a * 10 + b;
    };
    CHECK(tine::run(root) == 1432);
    CHECK(tine::run(functor{3}, m, 3L) == 9);
  });
}

TEST_CASE("a function that returns the task of a coroutine stands for that coroutine") {
  in_every_way([](meeting& m) {
    CHECK(tine::run(forks_and_calls_forwarded, m) == 64);
    m.again();
  });
}
