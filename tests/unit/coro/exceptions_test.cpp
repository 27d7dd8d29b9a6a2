// Exceptions in tasks: the place where they surface, the exception that wins, and that every object ends exactly once,
// in every way that a fork can go.
#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include "unit/managed/failure.hpp"
#include "unit/ways.hpp"

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <string>

namespace {

using tine::call;
using tine::eventually;
using tine::fork;
using tine::join;
using tine::pool;
using tine::promotion;
using tine::task;
using tine::test::census;
using tine::test::counted;
using tine::test::counted_failure;
using tine::test::failure;
using tine::test::in_every_way;
using tine::test::meeting;
using tine::test::thrown_by;

/// Runs a task in each way, and checks its result and that every object has ended.
template <class Root>
void check_in_every_way(int expected, Root root) {
  in_every_way([&](meeting& m) {
    census c;
    CHECK(tine::run(root, m, c) == expected);
    CHECK(c.is_even());
  });
}

task<long> throws(meeting& m, census& c, int code) {
  const counted local{c};
  m.first();
  throw failure{"thrown", code};
  co_return 0;
}
task<counted> throws_instead(meeting& m, census& c, int code) {
  const counted local{c};
  m.first();
  if (code != 0) throw counted_failure{counted{c}, code};
  co_return counted{c};
}
task<> throws_nothing(meeting& m, census& c, counted) {
  const counted local{c};
  m.first();
  co_return;
}
task<long> rethrows(meeting& m, census& c, int depth) {
  const counted local{c};
  if (depth == 0) co_return co_await call(throws, m, c, 70);
  long r = 0;
  if (depth % 2 == 0) {
    r = co_await call(rethrows, m, c, depth - 1);
  } else {
    co_await fork(&r, rethrows, m, c, depth - 1);
    m.second();
    co_await join;
  }
  co_return r + 1;
}

void wait_until(const std::atomic<bool>& flag) {
  while (!flag.load()) {
    tine::poll();
    sched_yield();
  }
}

}  // namespace

TEST_CASE("an exception of a called task surfaces at the call") {
  check_in_every_way(78, [](meeting& met, census& cs) -> task<int> {
    int seen = 0;
    met.second();
    try {
      seen = static_cast<int>(co_await call(throws, met, cs, 7));
    } catch (const failure& e) {
      seen = e.code;
    }
    met.again();
    co_await fork(throws_nothing, met, cs, counted{cs});
    met.second();
    co_await join;
    try {
      co_await call(throws_instead, met, cs, 8);
    } catch (const counted_failure& e) {
      seen = seen * 10 + e.code;
    }
    co_return seen;
  });
}

TEST_CASE("an exception of a forked task surfaces at the join") {
  check_in_every_way(15, [](meeting& met, census& cs) -> task<int> {
    int before = 0;
    try {
      long r = 0;
      co_await fork(&r, throws, met, cs, 5);
      met.second();
      before = 10;
      co_await join;
      before = 99;
    } catch (const failure& e) {
      co_return before + e.code;
    }
    co_return 0;
  });
}

TEST_CASE("an eventually stays empty when its task throws") {
  check_in_every_way(4, [](meeting& met, census& cs) -> task<int> {
    eventually<counted> e, full;
    try {
      co_await fork(&e, throws_instead, met, cs, 4);
      met.second();
      co_await fork(&full, throws_instead, met, cs, 0);
      co_await join;
    } catch (const counted_failure& f) {
      CHECK(full.has_value());
      CHECK_FALSE(e.has_value());
      co_return f.code;
    }
    co_return 0;
  });
}

TEST_CASE("an eventually of a type that needs no destruction stays empty when its task throws") {
  check_in_every_way(5, [](meeting& met, census& cs) -> task<int> {
    const auto gives = [](meeting& other) -> task<long> {
      other.first();
      co_return 5;
    };
    eventually<long> e, full, known;
    int code = 0;
    try {
      co_await fork(&e, throws, met, cs, 4);
      met.second();
      co_await fork(&full, gives, met);
      co_await fork<throws>(&known, met, cs, 4);
      co_await join;
    } catch (const failure& f) {
      code = f.code;
    }
    CHECK(full.has_value());
    CHECK(*full == 5);
    CHECK_FALSE(e.has_value());
    CHECK_FALSE(known.has_value());
    // a task that throws empties a full eventually, and a task that returns fills an empty one
    try {
      co_await fork(&full, throws, met, cs, 4);
      co_await fork(&e, gives, met);
      co_await join;
    } catch (const failure&) {
      ++code;
    }
    CHECK_FALSE(full.has_value());
    CHECK(e.has_value());
    CHECK(*e == 5);
    co_return code;
  });
}

TEST_CASE("an exception leaves a root") {
  in_every_way([](meeting& m) {
    census c;
    m.second();
    CHECK(thrown_by([&] { tine::run(throws, m, c, 3); }) == "thrown3");
    m.again();
    const auto root = [](meeting& met, census& cs) -> task<counted> {
      co_await fork(throws_nothing, met, cs, counted{cs});
      met.second();
      co_await join;
      throw failure{"late", 4};
    };
    CHECK(thrown_by([&] { tine::run(root, m, c); }) == "late4");
    CHECK(c.is_even());
  });
}

TEST_CASE("an exception goes up through forks and calls") {
  in_every_way([](meeting& m) {
    census c;
    CHECK(thrown_by([&] { tine::run(rethrows, m, c, 9); }) == "thrown70");
    CHECK(c.is_even());
  });
}

TEST_CASE("a task catches an exception and continues to fork") {
  check_in_every_way(100, [](meeting& met, census& cs) -> task<int> {
    int caught = 0;
    for (int i = 0; i < 50; ++i) {
      met.again();
      try {
        long r = 0;
        co_await fork(&r, throws, met, cs, i);
        met.second();
        co_await fork(throws_nothing, met, cs, counted{cs});
        co_await join;
      } catch (const failure& e) {
        caught += e.code == i;
      }
      long fine = 0;
      co_await fork(&fine, [](long v) -> task<long> { co_return v; }, i);
      co_await join;
      caught += fine == i;
    }
    co_return caught;
  });
}

TEST_CASE("an exception between fork and join waits for the children") {
  for (const int code_of_child : {0, 9}) {  // the exception of the parent wins over its child's
    check_in_every_way(22, [code_of_child](meeting& met, census& cs) -> task<int> {
      const auto parent = [](meeting& m, census& c, int code) -> task<> {
        const counted local{c};
        eventually<counted> result;
        co_await fork(&result, throws_instead, m, c, code);
        m.second();
        co_await fork(throws_nothing, m, c, counted{c});
        throw failure{"between", 2};
      };
      int code = 0;
      try {
        co_await call(parent, met, cs, code_of_child);
      } catch (const failure& e) {
        CHECK(cs.is_even());
        code = e.code;
      }
      met.again();
      try {
        co_await fork(parent, met, cs, code_of_child);
        co_await join;
      } catch (const failure& e) {
        CHECK(cs.is_even());
        code = code * 10 + e.code;
      }
      co_return code;
    });
  }
}

TEST_CASE("one exception of several children is rethrown, and all children end") {
  check_in_every_way(1, [](meeting& met, census& cs) -> task<int> {
    eventually<counted> a, b, d;
    try {
      co_await fork(&a, throws_instead, met, cs, 1);
      met.second();
      co_await fork(&b, throws_instead, met, cs, 2);
      co_await fork(&d, throws_instead, met, cs, 3);
      co_await join;
    } catch (const counted_failure& f) {
      co_return f.code >= 1 && f.code <= 3;
    }
    co_return 0;
  });
}

TEST_CASE("with one worker the first exception is heard") {
  pool p{{.workers = 1}};
  census c;
  meeting m{false};
  const auto root = [](meeting& met, census& cs) -> task<> {
    long a = 0, b = 0;
    co_await fork(&a, throws, met, cs, 1);
    co_await fork(&b, throws, met, cs, 2);
    co_await join;
  };
  CHECK(thrown_by([&] { p.run(root, m, c); }) == "thrown1");
  CHECK(c.is_even());
}

TEST_CASE("a child outlives its parent's try block only in time: scopes wait") {
  pool p{{.workers = 3, .idle = tine::idle_policy::busy, .promote = promotion::eager()}};
  std::atomic<bool> may_end{false};
  std::atomic<bool> has_ended{false};
  std::atomic<bool> is_elsewhere{false};
  const auto child = [&]() -> task<std::string> {
    wait_until(is_elsewhere);
    wait_until(may_end);
    has_ended.store(true);
    co_return std::string(100, 'x');
  };
  const auto root = [&]() -> task<bool> {
    bool right = false;
    try {
      eventually<std::string> s;
      co_await fork(&s, child);
      is_elsewhere.store(true);
      may_end.store(true);
      throw 5;
    } catch (int) {
      right = has_ended.load();  // the eventually has waited for the child
    }
    co_await join;
    co_return right;
  };
  CHECK(p.run(root));
}

TEST_CASE("a destructor that throws after co_return takes the value back") {
  in_every_way([](meeting& m) {
    struct thrower {
      ~thrower() noexcept(false) { throw failure{"at the end", 6}; }
    };
    census c;
    const auto child = [](meeting& met, census& cs) -> task<counted> {
      const thrower t;
      met.first();
      co_return counted{cs};
    };
    const auto root = [](const auto& ch, meeting& met, census& cs) -> task<> {
      eventually<counted> result;
      try {
        co_await fork(&result, ch, met, cs);
        met.second();
        co_await join;
      } catch (const failure&) {
        CHECK_FALSE(result.has_value());
        CHECK(cs.is_even());
      }
      co_await call(ch, met, cs);
    };
    CHECK(thrown_by([&] { tine::run(root, child, m, c); }) == "at the end6");
    CHECK(c.is_even());
  });
}

namespace {

/// A type whose copy constructor throws if `breaks` is set.
struct brittle {
  bool breaks = false;
  brittle() = default;
  brittle(const brittle& other) : breaks{other.breaks} {
    if (breaks) throw failure{"copied", 7};
  }
  brittle(brittle&&) noexcept = default;
};
task<int> takes(brittle) { co_return 1; }

}  // namespace

TEST_CASE("arguments that cannot be copied: the exception is the parent's") {
  check_in_every_way(77, [](meeting& met, census& cs) -> task<int> {
    brittle b;
    int r = 0, caught = 0;
    co_await fork(throws_nothing, met, cs, counted{cs});
    met.second();
    co_await fork(&r, takes, b);
    b.breaks = true;
    try {
      co_await fork(&r, takes, b);
    } catch (const failure& e) {
      caught += e.code;
    }
    try {
      co_await call(takes, b);
    } catch (const failure& e) {
      caught += 10 * e.code;
    }
    co_await join;
    CHECK(r == 1);
    co_return caught;
  });
  brittle b;
  b.breaks = true;
  CHECK(thrown_by([&] { tine::run(takes, b); }) == "copied7");
}
