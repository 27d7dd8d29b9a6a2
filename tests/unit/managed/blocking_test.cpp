// tine::blocking: no signal interrupts the function that it runs, and branches that were pending before begin
// elsewhere.
#include <tine/tine.hpp>

#include <tine/detail/base/macros.hpp>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/select.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <cerrno>
#include <memory>
#include <stdexcept>

namespace {

using tine::blocking;
using tine::par;
using tine::pool;

bool blocks_urgent() {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, SIGURG) == 1;
}

/// The longest time that a select waits in these tests. The call ends earlier, when the other branches have begun.
constexpr int patience_ms = 20'000;

}  // namespace

TEST_CASE("blocking: every branch that is pending begins elsewhere, and the call is not interrupted") {
  pool p{{.workers = 2, .interrupt = false}};  // without signals only `blocking` can make the branches stealable
  for (int i = 0; i < 20; ++i) {
    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    int ready = 0, error = 0;
    std::atomic<int> begun{0};
    p.run([&] {
      const auto other = [&] {
        if (begun.fetch_add(1) == 1) static_cast<void>(write(pipe_ends[1], "x", 1) == 1);
      };
      par(
          [&] {
            par(
                [&] {
                  ready = blocking([&] {
                    fd_set all;
                    FD_ZERO(&all);
                    FD_SET(pipe_ends[0], &all);
                    timeval most{patience_ms / 1000, 0};
                    const int n = select(pipe_ends[0] + 1, &all, nullptr, nullptr, &most);
                    error = errno;
                    return n;
                  });
                },
                other);
          },
          other);
    });
    CHECK(ready == 1);  // both other branches began while the call waited
    CHECK(begun.load() == 2);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
  }
}

TEST_CASE("blocking: tine's signal is blocked in it, and unblocked after it") {
  pool p{{.workers = 2}};
  bool in = false, nested = false, between = false, after = true, thrown = true;
  p.run([&] {
    blocking([&] {
      in = blocks_urgent();
      blocking([&] { nested = blocks_urgent(); });
      between = blocks_urgent();
    });
    after = blocks_urgent();
    try {
      blocking([] { throw std::runtime_error{"any"}; });
    } catch (const std::runtime_error&) {
      thrown = blocks_urgent();
    }
  });
  CHECK(in == (TINE_TSAN == 0));
  CHECK(nested == (TINE_TSAN == 0));
  CHECK(between == (TINE_TSAN == 0));
  CHECK_FALSE(after);
  CHECK_FALSE(thrown);
}

TEST_CASE("blocking: errno of the call is left") {
  pool p{{.workers = 1}};
  p.run([] {
    blocking([] { errno = EPIPE; });
    CHECK(errno == EPIPE);
  });
}

TEST_CASE("blocking: forks in it run sequentially, on one thread") {
  pool p{{.workers = 4, .promote = tine::promotion::eager()}};
  p.run([] {
    const pthread_t here = pthread_self();
    blocking([&] {
      std::atomic<int> elsewhere{0};
      tine::par_for(0, 1000, [&](int) { elsewhere += pthread_equal(here, pthread_self()) == 0; });
      CHECK(elsewhere.load() == 0);
      CHECK(pthread_equal(here, pthread_self()) != 0);
    });
  });
}

TEST_CASE("blocking: inside tine::sequential, in another pool, and outside every pool") {
  CHECK(blocking([] { return 1; }) == 1);  // does not start a pool
  pool p{{.workers = 2}};
  CHECK(p.run([] {
    return tine::sequential([] { return par([] { return blocking([] { return 2; }); }, [] { return 3; }); });
  }) == std::pair{2, 3});
  pool q{{.workers = 2}};
  CHECK(p.run([&] {
    return blocking([&] {
      return q.run([] { return TINE_TSAN != 0 || !blocks_urgent(); }) && (TINE_TSAN != 0 || blocks_urgent());
    });
  }));
  int x = 5;
  int& r = p.run([&]() -> int& { return blocking([&]() -> int& { return x; }); });
  CHECK(&r == &x);
  CHECK(*p.run([] { return blocking([] { return std::make_unique<int>(7); }); }) == 7);
}
