// par and exceptions: the exception that wins; every child is joined exactly once before an exception leaves the fork;
// and the state of the language's exception handling moves with the fiber.
#include <tine/tine.hpp>

#include "unit/ways.hpp"

#include <sched.h>
#include <atomic>
#include <doctest/doctest.h>

#include <array>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

using tine::par;
using tine::test::in_every_way;
using tine::test::meeting;

struct failure : std::runtime_error {
  failure(const char* what, int c) : std::runtime_error{what}, code{c} {}
  int code;
};

/// Counts the calls that have begun and ended, and the results that are alive.
struct census {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  std::atomic<int> alive{0};
  bool is_even() const { return begun.load() == ended.load() && alive.load() == 0; }
};

class visitor {
 public:
  explicit visitor(census& c) : census_{c} { ++c.begun; }
  ~visitor() { ++census_.ended; }
  visitor(const visitor&) = delete;
  visitor& operator=(const visitor&) = delete;

 private:
  census& census_;
};

class counted {
 public:
  explicit counted(census& c) : census_{&c} { ++c.alive; }
  counted(counted&& other) noexcept : census_{other.census_} { ++census_->alive; }
  ~counted() { --census_->alive; }
  counted& operator=(counted&&) = delete;

 private:
  census* census_;
};

/// An exception that a census counts while it is alive.
struct counted_failure {
  counted inside;
  explicit counted_failure(census& c) : inside{c} {}
};

/// Returns the text and the code of the failure that `f` throws, or "nothing".
template <class F>
std::string thrown_by(F f) {
  try {
    f();
  } catch (const failure& e) {
    return e.what() + std::to_string(e.code);
  }
  return "nothing";
}

void wait_until(const std::atomic<bool>& flag) {
  while (!flag.load()) {
    tine::poll();
    sched_yield();
  }
}

}  // namespace

TEST_CASE("an exception of the second branch is rethrown as it was") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(
          [&] {
            const visitor v{c};
            m.first();
            return counted{c};
          },
          [&]() -> counted {
            const visitor v{c};
            m.second();
            throw failure{"second", 2};
          });
    });
    CHECK(what == "second2");
    CHECK(c.begun == 2);
    CHECK(c.is_even());
  });
}

TEST_CASE("an exception of the first branch goes up after the second is joined") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(
          [&]() -> counted {
            const visitor v{c};
            m.first();
            throw failure{"first", 1};
          },
          [&] {
            const visitor v{c};
            m.second();
            for (int i = 0; i < 100; ++i) sched_yield();
            return counted{c};
          });
    });
    CHECK(what == "first1");
    CHECK(c.is_even());
  });
}

TEST_CASE("a second branch that has not begun is dropped when the first throws") {
  for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
    tine::pool p{{.workers = 1, .promote = policy}};
    bool begun = false;
    CHECK(p.run([&] {
      return thrown_by([&] { par([]() -> int { throw failure{"first", 1}; }, [&] { begun = true; }); });
    }) == "first1");
    CHECK_FALSE(begun);
  }
}

TEST_CASE("the first branch's exception wins over the second branch's") {
  in_every_way([](meeting& m) {
    const std::string what = thrown_by([&] {
      par(m.first([&]() -> int { throw failure{"first", 1}; }),
          m.second([&]() -> std::string { throw std::string{"a second exception, which is dropped"}; }));
    });
    CHECK(what == "first1");
  });
}

TEST_CASE("exceptions are destroyed, caught or not needed") {
  in_every_way([](meeting& m) {
    census c;
    CHECK(thrown_by([&] {
            par(m.first([&]() -> int { throw failure{"first", 1}; }),
                m.second([&]() -> int { throw counted_failure{c}; }));
          }) == "first1");
    CHECK(c.is_even());
    m.again();
    bool caught = false;
    try {
      par([&] { m.first(); }, m.second([&] { throw counted_failure{c}; }));
    } catch (const counted_failure&) {
      caught = c.alive == 1;
    }
    CHECK(caught);
    CHECK(c.is_even());
  });
}

TEST_CASE("an exception of combine goes up, and both results are destroyed") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(m.first([&] { return counted{c}; }), m.second([&] { return counted{c}; }),
          [](counted, counted) -> int { throw failure{"combine", 3}; });
    });
    CHECK(what == "combine3");
    CHECK(c.is_even());
  });
}

TEST_CASE("results that wait in the frame are destroyed, and exceptions pass them") {
  in_every_way([](meeting& m) {
    struct alignas(64) large {
      explicit large(census& c) : inside{c} {}
      counted inside;
      std::array<char, 3000> filling{};
    };
    census c;
    par(m.first([&] { return large{c}; }), m.second([&] { return large{c}; }),
        [&](const large&, const large&) { CHECK(c.alive == 2); });
    CHECK(c.is_even());
    for (const bool first_throws : {true, false}) {
      m.again();
      const std::string what = thrown_by([&] {
        par(m.first([&] {
          if (first_throws) throw failure{"first", 1};
          return large{c};
        }),
            m.second([&] {
              if (!first_throws) throw failure{"second", 2};
              return large{c};
            }));
      });
      CHECK(what == (first_throws ? "first1" : "second2"));
      CHECK(c.is_even());
    }
  });
}

TEST_CASE("the exception of the first branch that threw, in their order, wins among n") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(
          m.first([&] { return counted{c}; }), m.second([&]() -> int { throw failure{"second", 2}; }),
          [&]() -> int { throw failure{"third", 3}; }, [&] { return counted{c}; });
    });
    CHECK(what == "second2");
    CHECK(c.is_even());
  });
}

TEST_CASE("exceptions of any type, and values of the frame behind them, survive") {
  in_every_way([](meeting& m) {
    const auto owned = std::make_unique<int>(5);
    int caught = 0;
    try {
      par([&] { m.first(); }, m.second([&, inside = std::make_unique<int>(6)] { throw *owned * 10 + *inside; }));
    } catch (int x) {
      caught = x;
    }
    CHECK(caught == 56);
  });
}

TEST_CASE("forks in a handler: the handled exception stays and may be rethrown") {
  in_every_way([](meeting& m) {
    const std::string what = thrown_by([&] {
      try {
        throw failure{"outer", 9};
      } catch (const failure& e) {
        std::atomic<bool> release{false};
        par(m.first([&] {
          CHECK(thrown_by([] { throw failure{"inner", 1}; }) == "inner1");
          release.store(true);
        }),
            m.second([&] {
              // the first branch ends before this one: the join of a stolen branch has to suspend inside the handler
              if (m.is_wanted()) wait_until(release);
              for (int i = 0; i < 200; ++i) sched_yield();
              CHECK(thrown_by([] { throw failure{"inner", 2}; }) == "inner2");
            }));
        CHECK(e.code == 9);
        CHECK(std::uncaught_exceptions() == 0);
        CHECK(std::current_exception() != nullptr);
        throw;
      }
    });
    CHECK(what == "outer9");
    CHECK(std::current_exception() == nullptr);
  });
}

TEST_CASE("forks in a destructor while an exception is under way") {
  in_every_way([](meeting& m) {
    class forks_at_end {
     public:
      explicit forks_at_end(meeting& m) : meeting_{m} {}
      ~forks_at_end() {
        CHECK(std::uncaught_exceptions() == 1);
        auto [a, b] =
            par(meeting_.first([&] { return thrown_by([] { throw failure{"inside", 1}; }); }), meeting_.second([&] {
              for (int i = 0; i < 200; ++i) sched_yield();
              return thrown_by([] { throw failure{"inside", 2}; });
            }));
        CHECK(a == "inside1");
        CHECK(b == "inside2");
        CHECK(std::uncaught_exceptions() == 1);
      }
      forks_at_end(const forks_at_end&) = delete;
      forks_at_end& operator=(const forks_at_end&) = delete;

     private:
      meeting& meeting_;
    };
    const std::string what = thrown_by([&] {
      const forks_at_end at_end{m};
      throw failure{"under way", 4};
    });
    CHECK(what == "under way4");
    CHECK(std::uncaught_exceptions() == 0);
  });
}

namespace {

/// Runs a tree of forks in which the leaf `wrong` throws.
long tree(int depth, long index, long wrong, census& c) {
  const visitor v{c};
  if (depth == 0) {
    if (index == wrong) throw failure{"leaf", static_cast<int>(index)};
    return index;
  }
  return par([&, depth, index] { return tree(depth - 1, 2 * index, wrong, c); },
             [&, depth, index] { return tree(depth - 1, 2 * index + 1, wrong, c); },
             [](long a, long b) { return a + b; });
}

}  // namespace

TEST_CASE("an exception from anywhere in a tree reaches its root, and every child is joined") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    for (const auto policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
      tine::pool p{{.workers = workers, .promote = policy}};
      census c;
      for (long wrong = 0; wrong < 64; ++wrong) {
        CHECK(thrown_by([&] { p.run([&] { return tree(6, 0, wrong, c); }); }) == "leaf" + std::to_string(wrong));
        CHECK(c.is_even());
      }
      CHECK(p.run([&] { return tree(6, 0, -1, c); }) == 63 * 64 / 2);
    }
  }
}
