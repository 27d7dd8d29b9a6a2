// The state of a thread that branches and roots have: one test for each row of the table in docs/reference/thread-state.md.
#include <tine/coro.hpp>
#include <tine/sched/floating_point_scope.hpp>
#include <tine/sched/submit.hpp>
#include <tine/tine.hpp>

#include "unit/run_child.hpp"
#include "unit/ways.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::par;
using tine::pool;
using tine::task;
using tine::test::meeting;

/// Runs `body` in every way, with few and many thieves, and under all resume policies.
void in_every_way(const std::function<void(meeting&)>& body) {
  for (const auto resume :
       {tine::resume_policy::same_thread, tine::resume_policy::origin, tine::resume_policy::finisher}) {
    for (const unsigned workers : {2U, 8U}) {
      CAPTURE(workers);
      CAPTURE(static_cast<int>(resume));
      tine::test::in_every_way(body, {workers, resume});
    }
  }
}

/// The control words of the floating-point environment, as the processor has them.
struct words {
  std::uint64_t control = 0;
  std::uint16_t x87 = 0;
  friend bool operator==(const words&, const words&) = default;
};

#if defined(__x86_64__)
words here() {
  std::uint32_t mxcsr;
  std::uint16_t x87;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
  return {mxcsr & 0xffc0U, x87};
}
void flush_to_zero() {
  std::uint32_t mxcsr;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  mxcsr |= 0x8040;  // and denormals are zero
  asm volatile("ldmxcsr %0" : : "m"(mxcsr));
}
#elif defined(__aarch64__)
words here() {
  std::uint64_t w;
  asm volatile("mrs %0, fpcr" : "=r"(w));
  return {w, 0};
}
void flush_to_zero() { asm volatile("msr fpcr, %0" : : "r"(here().control | 1U << 24)); }
#else
words here() { return {static_cast<std::uint64_t>(std::fegetround()), 0}; }
void flush_to_zero() {}
#endif

[[maybe_unused]] volatile double zero = 0;
volatile double one = 1;

/// Restores the environment at the end of a scope.
class restored {
 public:
  restored() { std::fegetenv(&before_); }
  ~restored() { std::fesetenv(&before_); }
  restored(const restored&) = delete;
  restored& operator=(const restored&) = delete;

 private:
  std::fenv_t before_;
};

const std::vector<std::function<void()>>& changes() {
  static const std::vector<std::function<void()>> all{
      [] {},
      [] { std::fesetround(FE_UPWARD); },
      [] { std::fesetround(FE_DOWNWARD); },
      [] { std::fesetround(FE_TOWARDZERO); },
      [] { flush_to_zero(); },
      [] {
        std::fesetround(FE_DOWNWARD);
        flush_to_zero();
      },
#ifdef __x86_64__
      [] {  // single precision
        const auto w = static_cast<std::uint16_t>(here().x87 & ~0x300);
        asm volatile("fldcw %0" : : "m"(w));
      },
#endif
#if !defined(TINE_PORTABLE) && defined(__x86_64__)
      [] { feenableexcept(FE_DIVBYZERO | FE_INVALID); },
#endif
  };
  return all;
}

/// A coroutine whose child and whose rest may run on two workers.
task<bool> child(meeting& m, words expected) {
  m.first();
  co_return here() == expected;
}
task<bool> parent(meeting& m, words expected) {
  bool same = false;
  co_await tine::fork(&same, child, m, expected);
  m.second();
  const bool rest = here() == expected;
  co_await tine::join;
  co_return same&& rest&& here() == expected;
}

/// All that forks, under the words of the calling code.
void check_words(meeting& m, const words& expected) {
  const auto same = [&] { return here() == expected; };
  m.again();
  const auto [a, b] = par(m.first(same), m.second(same));
  CHECK(a);
  CHECK(b);
  m.again();
  std::atomic<int> other{0};
  tine::par_for(0, 64, [&](int i) {
    if (!same()) ++other;
    i == 0 ? m.first() : m.second();
  });
  CHECK(other == 0);
  m.again();
  CHECK(tine::run(parent, m, expected));
  tine::task_group group;
  for (int i = 0; i < 4; ++i) group.run([&] { other += same() ? 0 : 1; });
  {
    const restored after;
    std::fesetround(FE_TONEAREST);  // the tasks have the words of `run`
    group.wait();
  }
  CHECK(other == 0);
  CHECK(tine::submit(same).get());
  CHECK(same());
}

/// Raises the flag where the branches of a fork run.
task<int> raising(meeting& m, int flag, bool in_child) {
  int a = 0;
  const auto raise = [](meeting& with, int f, bool wanted) -> task<int> {
    with.first();
    if (wanted) std::feraiseexcept(f);
    co_return 1;
  };
  co_await tine::fork(&a, raise, m, flag, in_child);
  m.second();
  if (!in_child) std::feraiseexcept(flag);
  co_await tine::join;
  co_return std::fetestexcept(FE_ALL_EXCEPT);
}

}  // namespace

TEST_CASE("a branch has the floating-point control words of the code that forked it") {
  const restored at_end;
  const words before = here();
  for (std::size_t i = 0; i < changes().size(); ++i) {
    CAPTURE(i);
    in_every_way([&](meeting& m) {  // set inside of a root
      const restored after;
      changes()[i]();
      check_words(m, here());
    });
    const restored after;  // set by the caller of roots
    changes()[i]();
    const words expected = here();
    in_every_way([&](meeting& m) {
      CHECK(here() == expected);
      check_words(m, expected);
    });
  }
  CHECK(here() == before);
}

namespace {

task<> child_without_forks(const std::atomic<bool>& until) {
  while (!until.load()) sched_yield();
  co_return;
}
task<bool> rest_is_stolen(std::atomic<bool>& begun, words expected) {
  co_await tine::fork(child_without_forks, begun);
  begun.store(true);
  const bool same = here() == expected;
  co_await tine::join;
  co_return same&& here() == expected;
}

}  // namespace

TEST_CASE("a branch that a signal promotes has the words of the interrupted code" * doctest::skip(TINE_TSAN != 0)) {
  const restored at_end;
#if defined(TINE_PORTABLE)
  constexpr std::size_t known = 1;
#else
  const std::size_t known = changes().size();
#endif
  pool p{{.workers = 2, .pin = tine::affinity::none}};
  for (std::size_t i = 0; i < known; ++i) {
    CAPTURE(i);
    p.run([&] {
      const restored after;
      changes()[i]();
      const words expected = here();
      std::atomic<bool> begun{false};
      words stolen;
      par(
          [&] {
            while (!begun.load()) sched_yield();
          },
          [&] {
            stolen = here();
            begun.store(true);
          });
      CHECK(stolen == expected);
      CHECK(here() == expected);
      begun.store(false);
      CHECK(tine::run(rest_is_stolen, begun, expected));
    });
  }
}

#if !defined(TINE_PORTABLE) && defined(__x86_64__)
/// Returns the words of a branch that a signal promotes while x87 alone rounds by `mode`, bits 10 and 11 of its word. The
/// other worker is busy at the fork, so it asks for the branch later.
static words stolen_while_x87_rounds(int mode) {
  const std::uint16_t before = here().x87, meanwhile = static_cast<std::uint16_t>((before & ~0xc00) | mode);
  std::atomic<bool> is_busy{false}, is_free{false}, begun{false};
  words stolen;
  const auto wait_for = [](const std::atomic<bool>& b) {
    while (!b.load()) sched_yield();
  };
  par(
      [&] {
        wait_for(is_busy);
        par(
            [&] {
              asm volatile("fldcw %0" : : "m"(meanwhile));
              is_free.store(true);
              wait_for(begun);
              asm volatile("fldcw %0" : : "m"(before));
            },
            [&] {
              stolen = here();
              begun.store(true);
            });
      },
      [&] {
        is_busy.store(true);
        wait_for(is_free);
      });
  return stolen;
}

TEST_CASE("a signal between the instructions of a conversion from long double gives a branch the program's rounding" *
          doctest::skip(TINE_TSAN != 0)) {
  const restored at_end;
  pool{{.workers = 2, .pin = tine::affinity::none}}.run([] {
    for (const int own : {FE_TONEAREST, FE_UPWARD}) {
      CAPTURE(own);
      std::fesetround(own);
      const words expected = here();
      for (const int mode : {0x400, 0x800, 0xc00}) {  // floorl, ceill, a conversion
        CAPTURE(mode);
        CHECK(stolen_while_x87_rounds(mode) == expected);
      }
    }
    const auto nearest = static_cast<std::uint16_t>(here().x87 & ~0xc00);
    asm volatile("fldcw %0" : : "m"(nearest));  // interval arithmetic may change MXCSR alone
    const words expected = here();
    CHECK(stolen_while_x87_rounds(0) == expected);
    CHECK(expected.control != 0x1f80);
  });
}
#endif

TEST_CASE("a floating_point_scope changes nothing for older forks, and ends with the words before" *
          doctest::skip(TINE_TSAN != 0)) {
  const restored at_end;
  pool p{{.workers = 2, .pin = tine::affinity::none}};
  p.run([&] {
    const words before = here();
    std::fesetround(FE_DOWNWARD);
    const words outer = here();
    std::atomic<int> begun{0};
    words second, third;
    const auto wait_for = [&](int n) {
      while (begun.load() < n) sched_yield();
    };
    par(
        [&] {
          const int result = tine::floating_point_scope([&] {
            std::fesetround(FE_UPWARD);
            flush_to_zero();
            const words inner = here();
            par([&] { tine::floating_point_scope([&] { std::fesetround(FE_TOWARDZERO), wait_for(2); }); },
                [&] { third = here(), begun.fetch_add(1); });
            CHECK(third == inner);
            CHECK(here() == inner);
            std::feraiseexcept(FE_OVERFLOW);
            return 5;
          });
          CHECK(result == 5);
          CHECK(here() == outer);
          CHECK(std::fetestexcept(FE_OVERFLOW) != 0);
          CHECK_THROWS_AS(tine::floating_point_scope([] { std::fesetround(FE_UPWARD), throw 1; }), int);
          CHECK(here() == outer);
        },
        [&] {
          second = here();
          begun.fetch_add(1);
        });
    CHECK(second == outer);
    std::fesetround(FE_TONEAREST);
    CHECK(here() == before);
  });
  tine::floating_point_scope([] { std::fesetround(FE_UPWARD); });  // outside of every pool
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("a root leaves no floating-point words behind") {
  const restored at_end;
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers, .pin = tine::affinity::none}};
    const words ours = here();
    for (int round = 0; round < 50; ++round) {
      const auto spoil = [] {
        std::fesetround(FE_UPWARD);
        flush_to_zero();
        std::feraiseexcept(FE_OVERFLOW);
        tine::par([] { std::fesetround(FE_DOWNWARD); }, [] { std::fesetround(FE_TOWARDZERO); });
        if (std::fegetround() != FE_TONEAREST) throw 1;
      };
      CHECK_THROWS_AS(p.run(spoil), int);
      CHECK_THROWS_AS(p.submit(spoil).get(), int);
      CHECK(here() == ours);
      std::feclearexcept(FE_ALL_EXCEPT);
      CHECK(p.submit([&] { return here() == ours && std::fetestexcept(FE_OVERFLOW) == 0; }).get());
      std::thread{[&] { p.run([&] { CHECK(here() == ours); }); }}.join();
    }
  }
}

TEST_CASE("floating-point flags are those of serial code after a join, and after a root") {
  const restored at_end;
  for (const int flag : {FE_DIVBYZERO, FE_INVALID, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT}) {
    std::feclearexcept(FE_ALL_EXCEPT);
    std::feraiseexcept(flag);
    const int serial = std::fetestexcept(FE_ALL_EXCEPT);  // an overflow may be inexact, too
    in_every_way([&](meeting& m) {
      const auto only = [&](bool wanted) {
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);
        std::feclearexcept(FE_ALL_EXCEPT);
        return raised == (wanted ? serial : 0);
      };
      const auto raise = [=] { std::feraiseexcept(flag); };
      const auto nothing = [] {};
      std::feclearexcept(FE_ALL_EXCEPT);
      m.again();
      par(m.first(raise), m.second(nothing));
      CHECK(only(true));
      m.again();
      par(m.first(nothing), m.second(raise));
      CHECK(only(true));
      m.again();
      par(m.first(nothing), m.second(nothing));
      CHECK(only(false));
      m.again();
      tine::par_for(0, 64, [&](int i) {
        i == 0 ? m.first() : m.second();
        if (i == 63) raise();
      });
      CHECK(only(true));
      for (const bool in_child : {true, false}) {
        m.again();
        CHECK(tine::run(raising, m, flag, in_child) == serial);
        CHECK(only(true));
      }
      tine::task_group group;
      group.run(raise);
      group.wait();
      CHECK(only(true));
    });
    std::feclearexcept(FE_ALL_EXCEPT);
    tine::pool{{.workers = 2}}.run([=] { std::feraiseexcept(flag); });
    CHECK(std::fetestexcept(FE_ALL_EXCEPT) == serial);
  }
}

TEST_CASE("a pool that gets one more worker raises no flag in its caller") {
  const restored at_end;
  pool p{{.workers = 2}};
  std::feclearexcept(FE_ALL_EXCEPT);
  p.submit([] {}).get();  // its thread has the slot that a caller would have got
  CHECK(std::fetestexcept(FE_ALL_EXCEPT) == 0);
  p.run([] {});
  CHECK(std::fetestexcept(FE_ALL_EXCEPT) == 0);
}

#ifdef __x86_64__
TEST_CASE("the flags of x87 stay with their strand") {
  const restored at_end;
  volatile long double none = 0, some = 1;
  in_every_way([&](meeting& m) {
    std::feclearexcept(FE_ALL_EXCEPT);
    bool seen = false;
    par(m.first([&] { some = some / none; }),
        m.second([&] { seen = std::fetestexcept(FE_DIVBYZERO) != 0 && m.is_wanted(); }));
    CHECK(!seen);
    CHECK(std::fetestexcept(FE_DIVBYZERO) != 0);
    some = 1;
  });
}
#endif

TEST_CASE("a reduction is reproducible under every rounding mode, and with flush-to-zero") {
  const restored at_end;
  std::vector<double> terms(30000), tiny(30000, 3e-310);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = one / static_cast<double>(i + 1);
  const auto sum = [](const std::vector<double>& v) {
    return tine::par_reduce(tine::reproducible, v, 0.0, [](double x) { return x * 0.5; }, std::plus<>{});
  };
  for (std::size_t c = 0; c < 6; ++c) {
    CAPTURE(c);
    const auto both = [&] {
      const restored after;
      changes()[c]();
      return std::pair{sum(terms), sum(tiny)};
    };
    const auto expected = pool{{.workers = 1}}.run(both);
    for (const unsigned workers : {2U, 4U, 8U}) {
      pool p{{.workers = workers, .promote = tine::promotion::on_demand(1, 1000), .pin = tine::affinity::none}};
      for (int round = 0; round < 5; ++round) CHECK(p.run(both) == expected);
    }
  }
}

#if !defined(TINE_PORTABLE) && defined(__x86_64__)  // processors of aarch64 have no traps
static double divide(bool outside, bool stolen) {
  std::signal(SIGFPE, SIG_DFL);  // AddressSanitizer handles it
  if (outside) feenableexcept(FE_DIVBYZERO);
  pool p{{.workers = stolen ? 2U : 1U, .promote = tine::promotion::eager()}};
  return p.run([&] {
    if (!outside) feenableexcept(FE_DIVBYZERO);
    meeting m{stolen};
    double d = 0;
    par(m.first([] {}), m.second([&] { d = one / zero; }));
    return d;
  });
}
TINE_IN_CHILD("trap outside") { divide(true, false); }
TINE_IN_CHILD("trap inside") { divide(false, false); }
TINE_IN_CHILD("trap stolen") { divide(false, true); }

TEST_CASE("a trap that the program has enabled comes in a branch") {
  for (const char* name : {"trap outside", "trap inside", "trap stolen"}) {
    CAPTURE(std::string{name});
    CHECK(tine::test::run_child(name).died_of(SIGFPE));
  }
}

TEST_CASE("no code of tine traps under the program's words, and none raises a flag") {
  const restored at_end;
  for (const auto policy :
       {tine::promotion::on_demand(1, 1000), tine::promotion::heartbeat(20, 8), tine::promotion::eager()}) {
    pool p{{.workers = 3, .promote = policy, .pin = tine::affinity::none}};
    p.run([] {
      std::feclearexcept(FE_ALL_EXCEPT);
      feenableexcept(FE_ALL_EXCEPT);
      std::atomic<long> sum{0};
      tine::par_for(0, 2000, [&](int i) {
        std::atomic<long> n{0};
        tine::par_for(0, i % 97, [&](int) {
          ++n;
          for (int k = 0; k < 20; ++k) std::atomic_signal_fence(std::memory_order_seq_cst);
        });
        sum += n;
      });
      CHECK(std::fetestexcept(FE_ALL_EXCEPT) == 0);
      fedisableexcept(FE_ALL_EXCEPT);
      CHECK(sum > 0);
    });
  }
}
#endif

TINE_IN_CHILD("words change beside a stolen branch") {
  pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  for (int i = 0; i < 2; ++i) {
    p.run([] {
      meeting m{true};
      par(m.first([] { std::fesetround(FE_UPWARD); }), m.second([] {}));
    });
  }
}

TEST_CASE("a branch that ran with other words than in serial code is said, once") {
  const auto end = tine::test::run_child("words change beside a stolen branch");
  const std::size_t first = end.said.find("another rounding mode");
  CHECK(end.exited_with(0));
  CHECK(first != std::string::npos);
  CHECK(end.said.find("another rounding mode", first + 10) == std::string::npos);
}

namespace {

/// Compilers keep the address of errno over calls, after which a strand may be on another thread.
[[gnu::noinline]] int error_here() {
  asm volatile("" : : : "memory");
  return errno;
}

}  // namespace

TEST_CASE("errno is that of serial code where a strand forks, joins and waits, and passes into roots and out of them") {
  errno = 0;
  in_every_way([&](meeting& m) {
    m.again();
    par(m.first([] { errno = 71; }), m.second([&] {
      if (m.is_wanted()) CHECK(error_here() == 0);  // a stolen branch starts without an error
      if (m.is_wanted()) errno = 5;
    }));
    CHECK(error_here() == 71);
    m.again();
    par(m.first([&] { errno = 72; }), m.second([&] {  // the strand waits, and its thread runs other work
      if (m.is_wanted()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }));
    CHECK(error_here() == 72);
    tine::task_group group;
    group.run([] {});
    group.wait();
    CHECK(error_here() == 72);
  });
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    errno = 31;
    p.run([] {
      CHECK(error_here() == 31);
      errno = 32;
    });
    CHECK(error_here() == 32);
    p.submit([] {
       CHECK(error_here() == 0);
       errno = 33;
     }).get();
    CHECK(error_here() == 32);
  }
  errno = 0;
}

TEST_CASE("uncaught_exceptions counts the exceptions of the strand") {
  struct forks_in_destructor {
    meeting& m;
    int outside = std::uncaught_exceptions();
    ~forks_in_destructor() {
      int here = 0, second = 0;
      std::thread::id by;
      par(m.first([&] { here = std::uncaught_exceptions(); }), m.second([&] {
        second = std::uncaught_exceptions();
        by = std::this_thread::get_id();
      }));
      CHECK(here == outside + 1);
      CHECK(second == (by == std::this_thread::get_id() ? outside + 1 : 0));  // a stolen branch unwinds nothing
      CHECK(std::uncaught_exceptions() == outside + 1);
    }
  };
  in_every_way([](meeting& m) {
    m.again();
    try {
      const forks_in_destructor f{m};
      throw 1;
    } catch (int) {
      CHECK(std::uncaught_exceptions() == 0);
    }
  });
}
