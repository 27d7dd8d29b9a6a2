// tine::worker_listener: what a pool's threads tell of themselves.
#include <tine/sched/worker_listener.hpp>
#include <tine/tine.hpp>

#include "unit/fib.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

thread_local int works = 0;

struct counter final : tine::worker_listener {
  void begins(bool is_caller) noexcept override {
    ++(is_caller ? callers : own);
    if (++works != 1) wrong = true;
  }
  void ends(bool is_caller) noexcept override {
    --(is_caller ? callers : own);
    ++ends_of_all;
    if (--works != 0) wrong = true;
  }
  std::atomic<int> callers{0}, own{0}, ends_of_all{0};
  std::atomic<bool> wrong{false};
};

void keep_busy() {
  tine::par_for(0, 2'000, [](int) { tine::test::fib(10); });
}

}  // namespace

TEST_CASE("a thread tells when it begins and ends to work") {
  for (const unsigned workers : {1U, 3U}) {
    counter c;
    {
      tine::pool p{{.workers = workers}};
      p.run(keep_busy);  // these threads know nothing of the listener
      tine::listen(p, c);
      for (int round = 0; round < 3; ++round) {
        p.run([&] {
          CHECK(c.callers == 1);
          std::atomic<bool> unknown{false};
          tine::par_for(0, 2'000, [&](int) {
            tine::test::fib(10);
            if (works != 1) unknown = true;
          });
          CHECK_FALSE(unknown.load());
        });
        CHECK(c.callers == 0);
        CHECK(works == 0);
      }
    }  // its threads have ended
    CHECK(c.own == 0);
    CHECK(c.ends_of_all >= 3);
    CHECK_FALSE(c.wrong.load());
  }
}

TEST_CASE("a thread tells before it sleeps") {
  tine::pool p{{.workers = 2}};
  counter c;
  tine::listen(p, c);
  while (c.own == 0) p.run(keep_busy);
  while (c.own != 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});  // it sleeps before long
  while (c.own == 0) p.run(keep_busy);
  CHECK_FALSE(c.wrong.load());
  tine::stop_listening(p, c);
}

TEST_CASE("threads tell nothing after stop_listening") {
  tine::pool p{{.workers = 2}};
  counter first, second;
  tine::listen(p, first);
  p.run([&] {
    keep_busy();
    tine::listen(p, second);  // this thread tells it at its next run
    tine::stop_listening(p, first);
    const int told = first.callers;
    keep_busy();
    CHECK(first.callers == told);
  });
  CHECK(first.ends_of_all + first.callers >= 1);
  tine::stop_listening(p, second);
  const int told = first.ends_of_all;
  p.run(keep_busy);
  CHECK(first.ends_of_all == told);
  works = 0;
}
