// Task groups: growth, exceptions, stops, and use from several threads and kinds of strands.
#include <tine/augment.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "unit/run_child.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::pool;
using tine::task_group;
using tine::test::child_end;
using tine::test::run_child;

long fib_by_groups(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  task_group g;
  g.run([&] { a = fib_by_groups(n - 1); });
  g.run([&] { b = fib_by_groups(n - 2); });
  g.wait();
  return a + b;
}

/// Fib by forks and groups, which lie inside, beside and across each other as `seed` says.
long fib_by_both(int n, unsigned seed) {
  if (n < 2) return n;
  std::atomic<long> sum{0};
  const auto add = [&sum](int m, unsigned s) { return [&sum, m, s] { sum += fib_by_both(m, s); }; };
  const auto a = add(n - 1, seed * 7 + 1);
  const auto b = add(n - 2, seed * 3 + 2);
  task_group g, h;
  switch (seed % 5) {
    case 0:
      tine::par(a, b);
      break;
    case 1:
      g.run(a);
      b();
      break;
    case 2:
      g.run(a);
      h.run(b);
      break;
    case 3:
      tine::par([&] { g.run(a); }, [&] { h.run(b); });
      break;
    default:
      g.run([&] { g.run(a), h.run(b); });
  }
  g.wait();
  h.wait();
  return sum;
}

/// Adds `n` tasks to the group from inside the group, each of which adds the rest.
void spread(task_group& g, std::atomic<int>& ended, int n) {
  for (int i = 0; i < n; ++i) g.run([&g, &ended, i] { spread(g, ended, i); });
  ++ended;
}

TINE_IN_CHILD("forgotten wait") {
  std::atomic<bool> has_run{false};
  task_group g;
  g.run([&] { has_run = true; });
  // The message comes also if a worker has run the task.
  for (int i = 0; i < 100'000 && !has_run; ++i) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a group runs its tasks, and those that they add") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    CHECK(p.run(fib_by_groups, 16) == 987);
    std::atomic<int> ended{0};
    p.run([&] {
      task_group g;
      spread(g, ended, 11);
      g.wait();
      CHECK(ended.load() == 1 << 11);
      spread(g, ended, 5);  // it may be used again
      g.wait();
      g.wait();
    });
    CHECK(ended.load() == (1 << 11) + (1 << 5));
  }
  CHECK(fib_by_groups(10) == 55);  // outside every pool
}

TEST_CASE("forks and groups may cross each other") {
  for (const tine::promotion how : {tine::promotion::on_demand(), tine::promotion::heartbeat()}) {
    for (const unsigned workers : {1U, 2U, 8U}) {
      CAPTURE(workers);
      pool p{{.workers = workers, .promote = how}};
      for (unsigned seed = 0; seed < 20; ++seed) CHECK(p.run(fib_by_both, 12, seed) == 144);
    }
  }
}

TEST_CASE("a strand that keeps its thread finds its tasks below others") {
  pool p{{.workers = 1}};
  int ran = 0;
  const auto add = [&ran] { ++ran; };
  p.run([&] {
    task_group g, h;
    const auto add_to_both = [&] {
      g.run(add);
      h.run(add);
      g.run(add);
      h.run(add);
    };
    add_to_both();
    tine::isolate([&] { g.wait(); });
    CHECK(ran == 2);
    h.wait();
    add_to_both();
    tine::sequential([&] { g.wait(); });
    CHECK(ran == 6);
    tine::isolate([&] {
      h.wait();
      g.run(add);
      h.run(add);
      g.wait();
      h.wait();
    });
  });
  CHECK(ran == 10);
}

TEST_CASE("tasks after a failed one don't start, until the group is used again") {
  pool p{{.workers = 1}};
  p.run([] {
    task_group g;
    int ran = 0;
    g.run([&] {
      tine::par([] {}, [] {});
      g.run([&ran] { ++ran; });
    });
    g.run([] { throw 1; });  // it runs first
    CHECK_THROWS_AS(g.wait(), int);
    CHECK(ran == 0);
    g.run([&ran] { ++ran; });
    g.wait();
    CHECK(ran == 1);
  });
}

TEST_CASE("tasks of all sizes and alignments, on threads that come and go") {
  struct alignas(64) wide {
    std::array<char, 64> bytes;
  };
  for (int round = 0; round < 4; ++round) {
    pool p{{.workers = 4}};
    std::atomic<long> sum{0};
    std::atomic<bool> is_aligned{true};
    p.run([&] {
      task_group g;
      for (int i = 0; i < 500; ++i) {
        const std::array<int, 4> few{i, i, i, i};
        const std::array<int, 100> many{i, i};
        const wide one{{static_cast<char>(i % 100)}};
        g.run([&sum, few] { sum += few[3]; });
        g.run([&sum, many] { sum += many[1]; });
        g.run([&, one] {
          if (reinterpret_cast<std::uintptr_t>(&one) % alignof(wide) != 0) is_aligned = false;
          sum += one.bytes[0];
        });
      }
      g.wait();
    });
    CHECK(is_aligned);
    CHECK(sum == 2 * 500 * 499 / 2 + 5 * 4950);
  }
}

TEST_CASE("an idle worker gets a task while the owner computes") {
  pool p{{.workers = 2}};
  for (int i = 0; i < 20; ++i) {
    p.run([] {
      task_group g;
      std::binary_semaphore ran{0};
      g.run([&] { ran.release(); });
      ran.acquire();  // no wait, no fork
      g.wait();
    });
  }
}

TEST_CASE("the exception of the task that was added first wins") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    for (int round = 0; round < 15; ++round) {
      std::atomic<int> before{0};
      std::string got;
      p.run([&] {
        task_group g;
        for (int i = 0; i < 40; ++i) {
          g.run([&, i] {
            if (i < 17) ++before;
            if (i == 17 || i == 23 || i == 31) throw std::runtime_error{std::to_string(i)};
          });
        }
        try {
          g.wait();
        } catch (const std::runtime_error& e) {
          got = e.what();
        }
      });
      CHECK(got == "17");
      CHECK(before.load() == 17);
    }
  }
}

TEST_CASE("an exception stops later tasks, and not earlier ones") {
  pool p{{.workers = 4}};
  p.run([] {
    task_group g;
    std::atomic<bool> stopped{false};
    std::atomic<int> begun{0};
    std::atomic<bool> first_ended{false};
    g.run([&] {
      ++begun;
      while (!stopped) std::this_thread::yield();
      tine::par([] {}, [] {});
      first_ended = true;
    });
    while (begun < 1) std::this_thread::yield();
    g.run([&] {
      ++begun;
      while (begun < 3) std::this_thread::yield();
      throw std::runtime_error{"stop"};
    });
    while (begun < 2) std::this_thread::yield();
    g.run([&] {
      ++begun;
      try {
        for (;;) tine::par([] {}, [] {});
      } catch (const tine::stopped&) {
        stopped = true;
        throw;
      }
    });
    CHECK_THROWS_WITH_AS(g.wait(), "stop", std::runtime_error);
    CHECK(first_ended.load());
  });
}

TEST_CASE("an exception that leaves the scope joins the group") {
  for (const unsigned workers : {1U, 4U}) {
    pool p{{.workers = workers}};
    const auto life = std::make_shared<int>(0);
    for (int round = 0; round < 5; ++round) {
      CHECK_THROWS_AS(p.run([&] {
        task_group g;
        for (int i = 0; i < 30; ++i) {
          g.run([life] {
            for (int k = 0; k < 1000; ++k) tine::par([] {}, [] {});
          });
        }
        throw 1;
      }),
                      int);
      CHECK(life.use_count() == 1);
    }
  }
}

TEST_CASE("a stop token stops the tasks of a group") {
  for (const unsigned workers : {1U, 4U}) {
    pool p{{.workers = workers}};
    std::stop_source source;
    std::atomic<int> forks{0};
    std::thread stopper{[&] {
      while (forks < 100) std::this_thread::yield();
      source.request_stop();
    }};
    CHECK_THROWS_AS(p.run([&] {
      tine::run_stoppable(source.get_token(), [&] {
        task_group g;
        for (int i = 0; i < 4; ++i) {
          g.run([&] {
            for (;;) tine::par([&] { ++forks; }, [] {});
          });
        }
        g.wait();
      });
    }),
                    tine::stopped);
    stopper.join();
  }
}

TEST_CASE("tasks are added and awaited from several threads") {
  for (const unsigned workers : {1U, 2U}) {  // with one worker, oneTBB's issue 2056
    for (int round = 0; round < 5; ++round) {
      std::atomic<int> ended{0};
      task_group g;  // in the default pool
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
          for (int i = 0; i < 50; ++i) g.run([&] { ++ended; });
        });
      }
      for (std::thread& t : threads) t.join();
      g.wait();
      CHECK(ended.load() == 200);
    }
    pool p{{.workers = workers}};
    p.run([&] {
      std::atomic<int> ended{0};
      task_group g;
      tine::blocking([&] {
        std::thread{[&] {
          for (int i = 0; i < 50; ++i) g.run([&] { ++ended; });
        }}.join();
        std::thread{[&] { g.wait(); }}.join();
      });
      CHECK(ended.load() == 50);
    });
  }
}

TEST_CASE("a task is run although the root that has added it has ended") {
  const tine::stop_flag none;
  for (int round = 0; round < 10; ++round) {
    pool p{{.workers = 1}};
    const auto thread = round % 2 == 0 ? tine::group_thread::if_needed : tine::group_thread::never;
    std::atomic<task_group*> group{nullptr};
    std::atomic<bool> begun{false};
    std::atomic<bool> ended{false};
    struct adds {
      std::atomic<task_group*>& group;
      std::atomic<bool>& begun;
      std::atomic<bool>& ended;
      bool await_ready() const noexcept { return false; }
      void await_suspend(tine::resumption r) const {
        task_group& g = *group.load();
        g.run([&g, r, &is_begun = begun, &has_ended = ended] {
          is_begun = true;
          std::this_thread::sleep_for(std::chrono::milliseconds{2});  // until the other root waits
          r.resume();                                                 // the root of this thread ends next
          g.run([&has_ended] { has_ended = true; });
        });
      }
      void await_resume() const noexcept {}
    };
    std::thread other{[&] {
      while (group == nullptr) std::this_thread::yield();
      p.run([&]() -> tine::task<> { co_await adds{group, begun, ended}; });
    }};
    p.run([&] {
      task_group g{none, false, thread};
      group = &g;
      while (!begun) std::this_thread::yield();
      g.wait();
    });
    CHECK(ended.load());
    other.join();
  }
}

TEST_CASE("a group without a thread brings no further threads to its pool") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    CAPTURE(workers);
    pool p{{.workers = workers}};
    pool* const before = tine::replace_default_pool(&p);
    const tine::stop_flag none;
    std::atomic<unsigned> inside{0}, most{0};
    const auto work = [&](int) {
      const unsigned now = ++inside;
      for (unsigned seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      if (tine::worker_index() >= workers) most = 1'000;
      std::this_thread::sleep_for(std::chrono::microseconds{50});
      --inside;
    };
    for (int round = 0; round < 5; ++round) {
      std::atomic<int> ended{0};
      task_group g{none, false, tine::group_thread::never};
      for (int i = 0; i < 10; ++i) {
        g.run([&] {
          tine::par_for(0, 10, work);
          ++ended;
        });
      }
      if (workers == 1) CHECK(inside == 0);  // they start in `wait`
      tine::par_for(0, 20, work);
      g.wait();
      CHECK(ended == 10);
    }
    CHECK(most <= workers);
    if (workers > 1) CHECK(most > 1);
    tine::replace_default_pool(before);
  }
}

TEST_CASE("a group that is held keeps its wait") {
  for (const unsigned workers : {1U, 2U}) {
    pool p{{.workers = workers}};
    for (const auto thread : {tine::group_thread::if_needed, tine::group_thread::never}) {
      const tine::stop_flag none;
      std::atomic<int> steps{0};
      p.run([&] {
        task_group g{none, false, thread};
        g.hold();
        CHECK_FALSE(g.is_empty());
        std::thread other{[&] {
          std::this_thread::sleep_for(std::chrono::milliseconds{2});  // until the group waits
          g.run([&] { ++steps; });
          std::this_thread::sleep_for(std::chrono::milliseconds{2});
          ++steps;
          g.release();
        }};
        g.wait();
        CHECK(steps == 2);
        CHECK(g.is_empty());
        tine::blocking([&] { other.join(); });
      });
    }
  }
}

TEST_CASE("the thread that waits takes what the tasks of its group fork") {
  pool p{{.workers = 2}};
  pool* const before = tine::replace_default_pool(&p);
  const tine::stop_flag none;
  for (int round = 0; round < 10; ++round) {
    task_group g{none, false, tine::group_thread::never};
    std::atomic<bool> begun{false};
    std::atomic<int> met{0};
    const auto meet = [&] {
      for (++met; met < 2;) tine::poll();
    };
    g.run([&] {
      begun = true;
      tine::par(meet, meet);
    });
    while (!begun) std::this_thread::yield();  // the pool's own thread runs it
    g.wait();
    CHECK(met == 2);
  }
  tine::replace_default_pool(before);
}

TEST_CASE("groups inside sequential, in coroutines, and on observed strands") {
  pool p{{.workers = 4}};
  const auto me = [] { return std::this_thread::get_id(); };
  CHECK(p.run([&] {
    return tine::sequential([&] {
      const auto here = me();
      std::atomic<int> elsewhere{0};
      task_group g;
      for (int i = 0; i < 100; ++i) g.run([&] { elsewhere += me() == here ? 0 : 1; });
      g.wait();
      return elsewhere.load();
    });
  }) == 0);
  const auto coroutine = [](int n) -> tine::task<int> {
    std::atomic<int> sum{0};
    {
      task_group g;
      for (int i = 0; i < n; ++i) {
        g.run([&sum, i]() -> tine::task<> {
          sum += i;
          co_return;
        });
      }
      g.wait();
    }
    co_return sum.load();
  };
  CHECK(p.run(coroutine, 100) == 4950);
  std::atomic<int> ended{0};
  long fib = 0;
  const tine::work_span seen = p.run([&] {
    return tine::augment<tine::work_span>([&] {
      task_group g;
      spread(g, ended, 8);
      g.wait();
      fib = fib_by_groups(8);
    });
  });
  CHECK(ended.load() == 256);
  CHECK(fib == 21);
  CHECK(seen.iterations > 250);
}

TEST_CASE("a group without wait ends the program with a message") {
  const child_end end = run_child("forgotten wait");
  CHECK(end.died_of(SIGABRT));
  CHECK(end.says(
      "tine: a tine::task_group was destroyed after run() without wait(): call wait() before its scope ends."));
}
