// Locks in strands that are observed, recorded, replayed or stopped, in nested pools, and inside tine::sequential.
#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/stop.hpp>
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

tine::options with_workers(unsigned n) {
  tine::options o;
  o.workers = n;
  o.promote = tine::promotion::eager();
  return o;
}

struct counter {
  tine::mutex lock;
  tine::shared_mutex shared;
  long count = 0;
  long written = 0;
};

/// Locks in each branch, and holds the mutex over a fork in each fourth.
void nest(counter& c, int depth) {
  if (depth == 0) {
    const std::unique_lock hold{c.lock};
    if (++c.count % 4 == 0) tine::par([] {}, [] {});
    const std::lock_guard write{c.shared};
    ++c.written;
    return;
  }
  tine::par([&] { nest(c, depth - 1); }, [&] { nest(c, depth - 1); });
}

tine::task<void> awaits(counter& c, int depth) {
  if (depth == 0) {
    co_await c.lock.lock();
    ++c.count;
    c.lock.unlock();
    co_return;
  }
  co_await tine::fork(awaits, c, depth - 1);
  co_await tine::call(awaits, c, depth - 1);
  co_await tine::join;
}

}  // namespace

TEST_CASE("observed_strands_lock") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{with_workers(workers)};
    counter c;
    for (int i = 0; i < 20; ++i) {
      p.run([&] {
        const auto v = tine::augment<tine::work_span>([&] {
          nest(c, 5);
          tine::run(awaits, c, 5);
        });
        CHECK(v.forks > 0);
      });
    }
    CHECK(c.count == 20 * 64);
    CHECK(c.written == 20 * 32);
  }
}

TEST_CASE("recorded_and_replayed_strands_lock") {
  for (const unsigned workers : {1u, 2u, 4u}) {
    tine::pool p{with_workers(workers)};
    counter c;
    long expected = 0;
    // With locks held over forks, an ordered replay may not end: the recorded order of the steals may contradict the
    // order in which strands get the locks this time.
    const auto held_over_forks = [&] {
      nest(c, 5);
      tine::run(awaits, c, 4);
    };
    const auto held_shortly = [&] { tine::run(awaits, c, 5); };
    using enum tine::replay_mode;
    for (int i = 0; i < 10; ++i) {
      const tine::schedule s = p.run([&] { return tine::record(held_over_forks); });
      CHECK(c.count == (expected += 48));
      for (const auto how : {relaxed, strict_unordered}) {
        p.run([&] { tine::replay(s, how, held_over_forks); });
        CHECK(c.count == (expected += 48));
      }
      const tine::schedule t = p.run([&] { return tine::record(held_shortly); });
      CHECK(c.count == (expected += 32));
      p.run([&] { tine::replay(t, strict_ordered, held_shortly); });
      CHECK(c.count == (expected += 32));
    }
  }
}

TEST_CASE("a_sibling_that_starts_because_a_strand_waits_is_recorded_and_stopped") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{{.workers = workers}};
    std::stop_source source;
    bool is_stopped = false;
    const auto wait_and_stop = [&](tine::latch& l) {
      tine::par([&] { l.wait(); },
                [&] {
                  source.request_stop();
                  is_stopped = tine::is_stopping();
                  l.count_down();
                });
    };
    const auto meet = [&] {
      tine::latch l{1};
      static_cast<void>(tine::run_until_stopped(source.get_token(), wait_and_stop, l));
    };
    const tine::schedule s = p.run([&] { return tine::record(meet); });
    CHECK(is_stopped);
    CHECK(s.steals() == 1);
    source = {};
    is_stopped = false;
    p.run([&] { tine::replay(s, tine::replay_mode::strict_ordered, meet); });
    CHECK(is_stopped);
  }
}

TEST_CASE("a_strand_that_is_asked_to_stop_gets_the_lock_and_stops_later") {
  tine::pool p{with_workers(2)};
  tine::mutex m;
  std::atomic<bool> waits{false};
  bool has_locked = false;
  bool is_past_fork = false;
  m.lock();
  std::stop_source source;
  std::thread outside{[&] {
    while (!waits) std::this_thread::yield();
    source.request_stop();
    m.unlock();
  }};
  CHECK_FALSE(p.run([&] {
    return tine::run_until_stopped(source.get_token(), [&] {
      waits = true;
      const std::lock_guard hold{m};
      has_locked = true;
      tine::par([] {}, [] {});
      is_past_fork = true;
    });
  }));
  outside.join();
  CHECK(has_locked);
  CHECK_FALSE(is_past_fork);
  CHECK(m.try_lock());  // the guard has unlocked it
  m.unlock();
}

TEST_CASE("another_pool_runs_while_a_lock_is_held") {
  tine::pool p{with_workers(2)};
  tine::pool q{with_workers(2)};
  counter outer;
  counter inner;
  p.run([&] {
    tine::par_for(0, 50, [&](int) {
      const std::lock_guard hold{outer.lock};
      q.run([&] { nest(inner, 3); });
      ++outer.count;
    });
  });
  CHECK(outer.count == 50);
  CHECK(inner.count == 50 * 8);
}

TEST_CASE("a_strand_inside_sequential_blocks_its_thread") {
  tine::pool p{with_workers(2)};
  tine::mutex m;
  tine::condition_variable changed;
  bool is_ready = false;
  std::atomic<bool> waits{false};
  std::thread outside{[&] {
    while (!waits) std::this_thread::yield();
    const std::lock_guard hold{m};
    is_ready = true;
    changed.notify_one();
  }};
  p.run([&] {
    tine::sequential([&] {
      const auto here = std::this_thread::get_id();
      std::unique_lock hold{m};
      waits = true;
      changed.wait(hold, [&] { return is_ready; });
      CHECK(here == std::this_thread::get_id());
    });
  });
  outside.join();
}
