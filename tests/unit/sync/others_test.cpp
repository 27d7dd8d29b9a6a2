// tine::shared_mutex, tine::call_once and tine::condition_variable.
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::task;

struct channel {
  tine::mutex lock;
  tine::condition_variable filled;
  int items = 0;
  int taken = 0;
};

task<void> take(channel& c, int times) {
  for (int i = 0; i < times; ++i) {
    std::unique_lock hold{c.lock};
    while (c.items == 0) co_await c.filled.wait(hold);
    --c.items;
    ++c.taken;
  }
}

task<void> takers(channel& c, int n, int times) {
  if (n == 1) {
    co_await call(take, c, times);
    co_return;
  }
  co_await fork(takers, c, n / 2, times);
  co_await call(takers, c, n - n / 2, times);
  co_await join;
}

task<void> reads_and_writes(tine::shared_mutex& m, long& value, int times) {
  for (int i = 0; i < times; ++i) {
    co_await m.lock();
    ++value;
    m.unlock();
    co_await m.lock_shared();
    CHECK(value > 0);
    m.unlock_shared();
  }
}

}  // namespace

TEST_CASE("readers_see_no_write_in_progress") {
  constexpr int iterations = 2'000;  // as in mutex_test.cpp
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    tine::pool p{{.workers = workers}};
    tine::shared_mutex m;
    long first = 0;
    long second = 0;
    std::atomic<int> torn{0};
    p.run([&] {
      tine::par_for(0, iterations, [&](int i) {
        if (i % 4 == 0) {
          const std::lock_guard hold{m};
          ++first;
          if (i % 64 == 0) tine::par([] {}, [] {});
          ++second;
        } else {
          const std::shared_lock hold{m};
          if (i % 64 == 1) tine::par([] {}, [] {});
          if (first != second) ++torn;
        }
      });
    });
    CHECK(torn == 0);
    CHECK(first == iterations / 4);
    long value = 0;
    p.run([&] {
      tine::par([&] { p.run(reads_and_writes, m, value, 500); }, [&] { p.run(reads_and_writes, m, value, 500); });
    });
    CHECK(value == 1'000);
  }
}

TEST_CASE("readers_hold_it_together_and_writers_alone") {
  tine::shared_mutex m;
  CHECK(m.try_lock_shared());
  CHECK(m.try_lock_shared());
  CHECK_FALSE(m.try_lock());
  m.unlock_shared();
  m.unlock_shared();
  CHECK(m.try_lock());
  CHECK_FALSE(m.try_lock_shared());
  m.unlock();
}

TEST_CASE("a_writer_goes_on_as_a_reader") {
  tine::shared_mutex m;
  m.lock();
  m.unlock_and_lock_shared();
  CHECK_FALSE(m.try_lock());
  CHECK(m.try_lock_shared());
  CHECK_FALSE(m.try_unlock_shared_and_lock());  // there are two readers
  m.unlock_shared();
  CHECK(m.try_unlock_shared_and_lock());
  CHECK_FALSE(m.try_lock_shared());
  m.unlock();
  CHECK(m.try_lock());
  m.unlock();
}

TEST_CASE("no_writer_comes_in_between") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{{.workers = workers}};
    tine::shared_mutex m;
    long value = 0, upgrades = 0;
    std::atomic<int> wrong{0};
    p.run([&] {
      tine::par_for(0, 3'000, [&](int i) {
        if (i % 3 == 0) {
          m.lock();
          const long mine = ++value;
          if (i % 12 == 0) tine::par([] {}, [] {});
          m.unlock_and_lock_shared();
          if (i % 12 == 0) tine::par([] {}, [] {});
          if (value != mine) ++wrong;
          m.unlock_shared();
        } else {
          m.lock_shared();
          const long before = value;
          if (m.try_unlock_shared_and_lock()) {
            if (value != before) ++wrong;
            ++value, ++upgrades;
            m.unlock();
          } else {
            m.unlock_shared();
          }
        }
      });
    });
    CHECK(wrong == 0);
    CHECK(value == 1'000 + upgrades);
    if (workers == 1) CHECK(upgrades == 2'000);
    CHECK(m.try_lock());
  }
}

TEST_CASE("waiting_readers_join_a_writer_that_goes_on_as_a_reader") {
  tine::pool p{{.workers = 2}};
  p.run([] {
    tine::shared_mutex m;
    tine::binary_semaphore comes{0}, reads{0};
    m.lock();
    tine::par(
        [&] {
          comes.acquire();
          std::this_thread::sleep_for(std::chrono::milliseconds{5});  // probably the other strand waits now
          m.unlock_and_lock_shared();
          reads.acquire();
          m.unlock_shared();
        },
        [&] {
          comes.release();
          m.lock_shared();
          reads.release();
          m.unlock_shared();
        });
    CHECK(m.try_lock());
  });
}

TEST_CASE("call_once_calls_once_and_waits") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{{.workers = workers}};
    for (int round = 0; round < 100; ++round) {
      tine::once_flag flag;
      int calls = 0;
      std::atomic<int> early{0};
      p.run([&] {
        tine::par_for(0, 64, [&](int) {
          tine::call_once(
              flag,
              [&](int by) {
                tine::par([] {}, [] {});
                calls += by;
              },
              1);
          if (calls != 1) ++early;
        });
      });
      CHECK(calls == 1);
      CHECK(early == 0);
    }
  }
}

TEST_CASE("call_once_calls_again_after_an_exception") {
  tine::pool p{{.workers = 4}};
  tine::once_flag flag;
  int calls = 0;
  std::atomic<int> thrown{0};
  p.run([&] {
    tine::par_for(0, 64, [&](int) {
      try {
        tine::call_once(flag, [&] {
          if (++calls < 3) throw std::runtime_error{"not yet"};
        });
      } catch (const std::runtime_error&) {
        ++thrown;
      }
    });
  });
  CHECK(calls == 3);
  CHECK(thrown == 2);
}

TEST_CASE("producers_and_consumers") {
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    tine::pool p{{.workers = workers}};
    channel c;
    std::thread producer{[&] {
      for (int i = 0; i < 2'000; ++i) {
        {
          const std::lock_guard hold{c.lock};
          ++c.items;
        }
        i % 3 == 0 ? c.filled.notify_all() : c.filled.notify_one();
      }
    }};
    p.run([&] {
      tine::par([&] { p.run(takers, c, 10, 100); },
                [&] {
                  tine::par_for(0, 1'000, [&](int) {
                    std::unique_lock hold{c.lock};
                    c.filled.wait(hold, [&] { return c.items > 0; });
                    --c.items;
                    ++c.taken;
                  });
                });
    });
    producer.join();
    CHECK(c.taken == 2'000);
    CHECK(c.items == 0);
  }
}

TEST_CASE("readers_that_wait_together_are_all_counted") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::shared_mutex m;
    int readers = 0;
    const auto read = [&] {
      m.lock_shared();
      ++readers;
    };
    m.lock();
    tine::par(read, [&] { tine::par(read, [&] { m.unlock(); }); });
    CHECK(readers == 2);
    m.unlock_shared();
    CHECK_FALSE(m.try_lock());  // the other one still reads
    m.unlock_shared();
    CHECK(m.try_lock());
    m.unlock();
  });
}

TEST_CASE("all_that_wait_for_a_call_are_woken") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::once_flag flag;
    tine::mutex gate;
    int calls = 0;
    int ends = 0;
    const auto call_it = [&] {
      tine::call_once(flag, [&] {
        const std::lock_guard hold{gate};
        ++calls;
      });
      ++ends;
    };
    gate.lock();
    tine::par(call_it, [&] { tine::par(call_it, [&] { tine::par(call_it, [&] { gate.unlock(); }); }); });
    CHECK(calls == 1);
    CHECK(ends == 3);
  });
}
