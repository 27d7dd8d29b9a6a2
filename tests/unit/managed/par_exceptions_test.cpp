// par and exceptions: the exception that wins; every child is joined exactly once before an exception leaves the fork;
// and the state of the language's exception handling moves with the fiber.
#include <tine/tine.hpp>

#include "unit/managed/failure.hpp"
#include "unit/ways.hpp"

#include <sched.h>
#include <doctest/doctest.h>

#include <array>
#include <exception>
#include <memory>
#include <string>

namespace {

using tine::par;
using tine::test::census;
using tine::test::counted;
using tine::test::counted_failure;
using tine::test::failure;
using tine::test::in_every_way;
using tine::test::meeting;
using tine::test::thrown_by;

}  // namespace

TEST_CASE("an exception of the second branch is rethrown as it was") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(
          [&] {
            const counted v{c};
            m.first();
            return counted{c};
          },
          [&]() -> counted {
            const counted v{c};
            m.second();
            throw failure{"second", 2};
          });
    });
    CHECK(what == "second2");
    CHECK(c.is_even());
  });
}

TEST_CASE("an exception of the first branch goes up after the second is joined") {
  in_every_way([](meeting& m) {
    census c;
    const std::string what = thrown_by([&] {
      par(
          [&]() -> counted {
            const counted v{c};
            m.first();
            throw failure{"first", 1};
          },
          [&] {
            const counted v{c};
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

TEST_CASE("exceptions are destroyed, caught or not needed") {
  in_every_way([](meeting& m) {
    census c;
    CHECK(thrown_by([&] {
            par(m.first([&]() -> int { throw failure{"first", 1}; }),
                m.second([&]() -> int { throw counted_failure{counted{c}}; }));
          }) == "first1");
    CHECK(c.is_even());
    m.again();
    bool caught = false;
    try {
      par([&] { m.first(); }, m.second([&] { throw counted_failure{counted{c}}; }));
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
