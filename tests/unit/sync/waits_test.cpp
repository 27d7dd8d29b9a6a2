// Semaphores, latches and barriers; waits with a time limit, and waits that a stop token ends.
#include <tine/stop.hpp>
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <tine/detail/base/macros.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <ratio>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
constexpr unsigned workers_of_a_pool[] = {1, 2, 8, 32};

tine::task<void> meet(tine::latch& begun, tine::barrier<>& at, std::array<int, 16>& seen, int i,
                      std::atomic<int>* early) {
  co_await begun.arrive_and_wait();
  for (int phase = 1; phase <= 20; ++phase) {
    seen[std::size_t(i)] = phase;
    co_await at.arrive_and_wait();
    if (seen[std::size_t(i + 1) % 16] < phase) ++*early;
    co_await at.wait(at.arrive());
  }
}

tine::task<void> meet_all(tine::latch& begun, tine::barrier<>& at, std::array<int, 16>& seen, int lo, int hi,
                          std::atomic<int>* early) {
  if (hi - lo == 1) {
    co_await tine::call(meet, begun, at, seen, lo, early);
    co_return;
  }
  co_await tine::fork(meet_all, begun, at, seen, lo, (lo + hi) / 2, early);
  co_await tine::call(meet_all, begun, at, seen, (lo + hi) / 2, hi, early);
  co_await tine::join;
}

tine::task<void> use_permits(tine::counting_semaphore<4>& s, std::atomic<int>* inside, std::atomic<int>* most,
                             int times) {
  for (int i = 0; i < times; ++i) {
    co_await s.acquire();
    for (int now = ++*inside, seen = *most; now > seen && !most->compare_exchange_weak(seen, now);) {
    }
    --*inside;
    s.release();
  }
}

/// Calls `f` on a strand, inside tine::sequential, and on a thread outside of every pool.
template <class F>
void everywhere(F f) {
  tine::pool p{{.workers = 2}};
  p.run([&] { tine::par([&] { f(); }, [&] { tine::sequential(f); }); });
  f();
}

/// Calls `f(i)` for each i from `lo` up to `hi`, each in a branch of its own: these may wait for each other.
template <class F>
void each(int lo, int hi, const F& f) {
  if (hi - lo == 1) return f(lo);
  tine::par([&] { each(lo, (lo + hi) / 2, f); }, [&] { each((lo + hi) / 2, hi, f); });
}

/// A short time, another one at each call.
std::chrono::microseconds some_time() {
  static std::atomic<unsigned> drawn{1};
  return std::chrono::microseconds{(drawn++ * 2654435761u >> 16) % 200};
}

/// Objects at which parties give up after short times, and counts of what they got.
struct giving_up {
  tine::counting_semaphore<> s{0};
  tine::timed_mutex m;
  tine::shared_mutex r;
  tine::mutex lock;
  tine::condition_variable filled;
  tine::condition_variable_any any;
  long items = 0, taken = 0, counted = 0, written = 0;  // guarded
  std::atomic<long> permits{0}, locked{0}, writes{0};

  bool is_filled() const { return items > 0; }

  void give(int i) {
    s.release(1 + i % 2);
    permits += 1 + i % 2;
    const std::lock_guard hold{lock};
    ++items;
    i % 3 == 0 ? any.notify_one() : filled.notify_one();
    if (i % 5 == 0) filled.notify_all();
  }

  void take(int i) {
    if (s.try_acquire_for(some_time())) --permits;
    if (m.try_lock_for(some_time())) {
      ++counted, ++locked;
      if (i % 8 == 0) tine::par([] {}, [] {});
      m.unlock();
    }
    if (i % 4 == 0 ? r.try_lock_for(some_time()) : r.try_lock_shared_for(some_time())) {
      if (i % 8 == 1) tine::par([] {}, [] {});
      i % 4 == 0 ? (++written, ++writes, r.unlock()) : r.unlock_shared();
    }
    std::stop_source stop;
    std::thread stops;
    if (i % 32 == 3) stops = std::thread{[&] { stop.request_stop(); }};
    {
      std::unique_lock hold{lock};
      if (i % 2 == 0 ? filled.wait_for(hold, some_time(), [&] { return is_filled(); })
                     : any.wait_for(hold, stop.get_token(), some_time(), [&] { return is_filled(); })) {
        --items, ++taken;
      }
    }
    if (stops.joinable()) stops.join();
  }

  /// Whatever was given and not taken is there.
  void take_rest(long given) {
    for (std::unique_lock hold{lock}; taken < given; --items, ++taken) {
      REQUIRE(filled.wait_for(hold, 10s, [&] { return is_filled(); }));
    }
    for (; permits > 0; --permits) REQUIRE(s.try_acquire_for(10s));
  }
};

}  // namespace

TEST_CASE("branches_and_tasks_meet_at_latches_and_barriers") {
  for (const unsigned workers : workers_of_a_pool) {
    tine::pool p{{.workers = workers}};
    std::array<int, 16> seen{};
    std::atomic<int> early{0};
    tine::latch begun{17};
    int phases = 0;
    const auto count = [&]() noexcept { tine::par([&] { ++phases; }, [] {}); };
    tine::barrier at{17, count};
    std::thread outside{[&] {
      begun.arrive_and_wait();
      for (int phase = 1; phase <= 20; ++phase) at.arrive_and_wait();
      at.arrive_and_drop();
    }};
    p.run([&] {
      each(0, 16, [&](int i) {
        begun.arrive_and_wait();
        for (int phase = 1; phase <= 30; ++phase) {
          if (phase % 2 != 0) seen[std::size_t(i)] = phase;
          at.arrive_and_wait();
          if (phase % 2 != 0 && seen[std::size_t(i + 1) % 16] < phase) ++early;
        }
      });
    });
    outside.join();
    CHECK(begun.try_wait());
    CHECK(phases == 30);
    seen = {};
    tine::latch begun_again{16};
    tine::barrier<> of_tasks{16};
    p.run(meet_all, begun_again, of_tasks, seen, 0, 16, &early);
    CHECK(early == 0);
  }
}

TEST_CASE("a_branch_may_wait_for_a_sibling_that_has_not_started") {
  using enum tine::resume_policy;
  for (const unsigned workers : workers_of_a_pool) {
    for (const auto policy : {same_thread, finisher, origin}) {
      for (const auto promote :
           {tine::promotion::eager(), tine::promotion::on_demand(), tine::promotion::heartbeat()}) {
        tine::options o{.workers = workers, .resume = policy};
        o.promote = promote;
        tine::pool p{o};
        p.run([&] {
          tine::latch l{1};
          tine::binary_semaphore s{0};
          tine::mutex m;
          tine::condition_variable c;
          bool is_set = false;
          const auto wait = [&] {
            l.wait();
            s.acquire();
            std::unique_lock hold{m};
            c.wait(hold, [&] { return is_set; });
          };
          const auto end_waits = [&] {
            l.count_down();
            s.release();
            const std::lock_guard hold{m};
            is_set = true;
            c.notify_one();
          };
          tine::par(wait, [] {}, end_waits);
        });
      }
    }
  }
}

TEST_CASE("loops_give_no_such_promise") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::binary_semaphore s{0};
    bool waits = false, got = true;
    for (int round = 0; round < 100; ++round) {
      waits = round == 99;  // by then the loop knows that its iterations are short, and runs them in one chunk
      tine::par_for(0, 64, [&](int i) {
        if (waits && i == 0) got = s.try_acquire_for(10ms);
        if (waits && i == 63) s.release();
      });
    }
    CHECK_FALSE(got);
  });
}

TEST_CASE("a_semaphore_has_so_many_permits") {
  for (const unsigned workers : workers_of_a_pool) {
    tine::pool p{{.workers = workers}};
    tine::counting_semaphore<4> s{3};
    std::atomic<int> inside{0}, most{0};
    const auto use = [&](int) {
      s.acquire();
      for (int now = ++inside, seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      tine::par([] {}, [] {});
      --inside;
      s.release();
    };
    std::thread outside{[&] {
      for (int i = 0; i < 1'000; ++i) use(i);
    }};
    p.run([&] {
      tine::par([&] { p.run(use_permits, s, &inside, &most, 1'000); }, [&] { tine::par_for(0, 1'000, use); });
    });
    outside.join();
    CHECK(most <= 3);
    for (int i = 0; i < 3; ++i) CHECK(s.try_acquire());
    CHECK_FALSE(s.try_acquire());
  }
  static constinit tine::binary_semaphore global{0};
  global.release();
  CHECK(global.try_acquire());
}

TEST_CASE("a_wait_ends_when_its_time_has_passed") {
  everywhere([] {
    tine::binary_semaphore s{0};
    tine::timed_mutex m;
    tine::shared_mutex r;
    tine::mutex plain;
    tine::condition_variable c;
    tine::condition_variable_any any;
    std::unique_lock held{plain};
    CHECK(m.try_lock());
    CHECK(r.try_lock());
    const auto is_late = [](auto wait) {
      const auto begin = steady::now();
      CHECK_FALSE(wait());
      CHECK(steady::now() - begin >= 2ms);
    };
    is_late([&] { return s.try_acquire_for(2ms); });
    is_late([&] { return s.try_acquire_until(steady::now() + 2ms); });
    is_late([&] { return m.try_lock_for(2'000us); });
    is_late([&] { return m.try_lock_until(steady::now() + 2ms); });
    is_late([&] { return r.try_lock_for(2ms); });
    is_late([&] { return r.try_lock_until(steady::now() + 2ms); });
    is_late([&] { return r.try_lock_shared_for(std::chrono::duration<double, std::milli>{2}); });
    is_late([&] { return r.try_lock_shared_until(steady::now() + 2ms); });
    is_late([&] { return c.wait_for(held, 2ms) == tine::cv_status::no_timeout; });
    is_late([&] { return c.wait_until(held, steady::now() + 2ms, [] { return false; }); });
    is_late([&] { return c.wait_for(held, 2ms, [] { return false; }); });
    is_late([&] { return any.wait_for(held, 2ms) == tine::cv_status::no_timeout; });
    is_late([&] {
      return any.wait_until(held, std::stop_source{}.get_token(), steady::now() + 2ms, [] { return false; });
    });
    CHECK_FALSE(s.try_acquire_for(-1h));
    CHECK_FALSE(s.try_acquire_until(std::chrono::system_clock::now() - 1h));
    s.release();
    CHECK(s.try_acquire_for(std::chrono::hours::max()));
    m.unlock();
    CHECK(std::unique_lock{m, 1h}.owns_lock());
    CHECK(held.owns_lock());
    CHECK_FALSE(plain.try_lock());
  });
  using tine::detail::nanoseconds_of;
  static_assert(nanoseconds_of(3us) == 3'000 && nanoseconds_of(-3us) == 0 && nanoseconds_of(2h) == 7'200'000'000'000);
  static_assert(nanoseconds_of(std::chrono::duration<int, std::ratio<1, 3>>{2}) == 666'666'667);
  static_assert(nanoseconds_of(std::chrono::duration<long, std::pico>{2'001}) == 3);
  static_assert(nanoseconds_of(std::chrono::hours::max()) == tine::detail::never);
  static_assert(nanoseconds_of(std::chrono::duration<double>{0.5}) == 500'000'001);
}

TEST_CASE("many_waits_end_in_the_order_of_their_times") {
  tine::pool p{{.workers = 2}};
  tine::binary_semaphore never{0};
  std::atomic<int> ended{0};
  const auto begin = steady::now();
  p.run([&] {
    tine::par_for(0, 500, [&](int i) {
      const auto until = begin + std::chrono::milliseconds{i * 7919 % 40};
      if (!never.try_acquire_until(until)) ++ended;
      CHECK(steady::now() >= until);
    });
  });
  CHECK(ended == 500);
}

TEST_CASE("a_party_that_gives_up_when_it_is_woken_loses_nothing") {
  for (const unsigned workers : workers_of_a_pool) {
    tine::pool p{{.workers = workers}};
    constexpr int rounds = 200;
    giving_up g;
    std::thread outside{[&] {
      for (int i = 0; i < rounds; ++i) g.take(i), g.give(i);
    }};
    p.run([&] {
      tine::par([&] { tine::par_for(0, rounds, [&](int i) { g.give(i); }); },
                [&] { tine::par_for(0, rounds, [&](int i) { g.take(i); }); });
    });
    outside.join();
    p.run([&] { g.take_rest(2 * rounds); });
    CHECK_FALSE(g.s.try_acquire());
    CHECK((g.counted == g.locked && g.written == g.writes));
    CHECK((g.m.try_lock() && g.r.try_lock() && g.lock.try_lock()));
    g.m.unlock(), g.r.unlock(), g.lock.unlock();
  }
}

TEST_CASE("readers_behind_a_writer_that_gives_up_join_the_others") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::shared_mutex m;
    bool is_read = false;
    tine::binary_semaphore has_read{0};
    m.lock_shared();
    tine::par([&] { CHECK_FALSE(m.try_lock_for(20ms)); },
              [&] {
                tine::par(
                    [&] {
                      m.lock_shared();  // waits behind the writer
                      is_read = true;
                      has_read.release();
                      m.unlock_shared();
                    },
                    [&] { has_read.acquire(); });
              });
    CHECK(is_read);
    m.unlock_shared();
    CHECK(m.try_lock());
    m.unlock();
  });
}

TEST_CASE("a_stop_token_ends_a_wait") {
  everywhere([] {
    tine::timed_mutex m;
    tine::condition_variable_any changed;
    std::stop_source source;
    std::atomic<bool> waits{false};
    bool is_met = false;
    std::thread outside{[&] {
      while (!waits) std::this_thread::yield();
      {
        const std::lock_guard hold{m};
      }  // it waits by now
      source.request_stop();
    }};
    std::unique_lock hold{m};
    waits = true;
    CHECK_FALSE(changed.wait(hold, source.get_token(), [&] { return is_met; }));
    CHECK(hold.owns_lock());
    CHECK_FALSE(changed.wait_for(hold, source.get_token(), 1h, [&] { return is_met; }));  // asked before
    is_met = true;
    CHECK(changed.wait(hold, source.get_token(), [&] { return is_met; }));
    outside.join();
  });
  tine::pool p{{.workers = 1}};
  p.run([] {  // readers wait, and one of them is notified
    tine::shared_mutex m;
    tine::condition_variable_any changed;
    int notified = 0;
    std::stop_source source;
    const auto wait = [&] {
      std::shared_lock hold{m};
      const bool is_met = changed.wait(hold, source.get_token(), [&] { return notified != 0; });
      if (is_met) ++notified;
    };
    tine::par(wait, [&] {
      tine::par(wait, [&] {
        source.request_stop();
        const std::lock_guard hold{m};
        notified = 1;
        changed.notify_all();
      });
    });
    CHECK(notified <= 3);
  });
}

TEST_CASE("a_child_of_fork_waits_with_a_limit" * doctest::skip(TINE_TSAN != 0)) {
  tine::pool p{{.workers = 2}};
  tine::binary_semaphore s{0};
  const auto wait = [&] { return p.run([&] { return s.try_acquire_for(1ms); }); };
  CHECK_FALSE(wait());
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(wait() ? 1 : 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}
