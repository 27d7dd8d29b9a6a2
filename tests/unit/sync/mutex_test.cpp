// tine::mutex: exclusion, locks held over forks, tasks, threads outside of pools, order of hand-over, life.
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <rapidcheck.h>
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::task;

tine::options with_workers(unsigned n) {
  tine::options o;
  o.workers = n;
  return o;
}

struct guarded {
  tine::mutex lock;
  long count = 0;  // no atomic: ThreadSanitizer checks the mutex
};

task<void> awaits(guarded& g, int times) {
  for (int i = 0; i < times; ++i) {
    co_await g.lock.lock();
    ++g.count;
    g.lock.unlock();
  }
}

task<void> guards(guarded& g, int times) {
  for (int i = 0; i < times; ++i) {
    const std::lock_guard hold{g.lock};
    ++g.count;
  }
  co_return;
}

task<void> tree(guarded& g, int depth) {
  if (depth == 0) {
    co_await call(awaits, g, 10);
    co_await call(guards, g, 10);
    co_return;
  }
  co_await fork(tree, g, depth - 1);
  co_await call(tree, g, depth - 1);
  co_await join;
}

/// Takes locks with rising numbers only, forks while it holds them, and never takes one that an ancestor holds or has passed.
void nest(std::array<guarded, 6>& locks, std::array<std::atomic<long>, 6>& expected, unsigned seed, std::size_t from,
          int depth) {
  if (depth == 0 || from >= locks.size()) return;
  const unsigned next = seed * 1664525u + 1013904223u;
  const std::size_t mine = from + (next >> 16) % (locks.size() - from);
  {
    const std::lock_guard hold{locks[mine].lock};
    ++locks[mine].count;
    ++expected[mine];
    if ((next & 0x100000) != 0) {
      tine::par([&] { nest(locks, expected, next ^ 0x9e37u, mine + 1, depth - 1); },
                [&] { nest(locks, expected, next + 77, mine + 1, depth - 1); });
    }
  }
  tine::par([&] { nest(locks, expected, next + 3, from, depth - 1); },
            [&] { nest(locks, expected, next + 5, from, depth - 1); });
}

}  // namespace

TEST_CASE("mutex_excludes_strands") {
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    tine::pool p{with_workers(workers)};
    guarded g;
    p.run([&] {
      tine::par_for(0, 20'000, [&](int) {
        const std::lock_guard hold{g.lock};
        ++g.count;
      });
    });
    CHECK(g.count == 20'000);
  }
}

TEST_CASE("tasks_lock_by_await_and_by_guard") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{with_workers(workers)};
    guarded g;
    p.run(tree, g, 8);
    CHECK(g.count == 256 * 20);
  }
}

TEST_CASE("a_mutex_held_over_a_fork_does_not_block_its_worker") {
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    for (const auto policy :
         {tine::resume_policy::same_thread, tine::resume_policy::finisher, tine::resume_policy::origin}) {
      auto o = with_workers(workers);
      o.resume = policy;
      tine::pool p{o};
      guarded g;
      p.run([&] {
        tine::par_for(0, 300, [&](int) {
          const std::unique_lock hold{g.lock};
          std::atomic<int> inner{0};
          tine::par_for(0, 50, [&](int) { ++inner; });
          tine::par([&] { ++inner; }, [&] { ++inner; });
          g.count += inner;
        });
      });
      CHECK(g.count == 300 * 52);
    }
  }
}

TEST_CASE("threads_and_strands_mix") {
  tine::pool p{with_workers(4)};
  guarded g;
  std::vector<std::thread> outside;
  for (int t = 0; t < 3; ++t) {
    outside.emplace_back([&] {
      for (int i = 0; i < 2'000; ++i) {
        const std::lock_guard hold{g.lock};
        ++g.count;
      }
    });
  }
  p.run([&] {
    tine::par([&] { p.run(tree, g, 6); },
              [&] {
                tine::par_for(0, 2'000, [&](int) {
                  const std::lock_guard hold{g.lock};
                  ++g.count;
                });
              });
  });
  for (auto& t : outside) t.join();
  CHECK(g.count == 3 * 2'000 + 64 * 20 + 2'000);
}

TEST_CASE("the_standard_locks_accept_it") {
  tine::pool p{with_workers(4)};
  guarded a;
  guarded b;
  p.run([&] {
    tine::par_for(0, 5'000, [&](int i) {
      if (i % 2 == 0) {
        const std::scoped_lock both{a.lock, b.lock};
        ++a.count, ++b.count;
      } else {
        std::unique_lock first{b.lock, std::defer_lock};
        std::unique_lock second{a.lock, std::defer_lock};
        std::lock(first, second);
        ++a.count, ++b.count;
      }
    });
  });
  CHECK(a.count == 5'000);
  CHECK(b.count == 5'000);
  CHECK(a.lock.try_lock());
  CHECK_FALSE(a.lock.try_lock());
  a.lock.unlock();
}

TEST_CASE("a_party_that_waits_is_not_overtaken") {
  struct party : tine::detail::lock_waiter {
    int number;
    std::vector<int>* order;
  };
  tine::mutex m;
  std::vector<int> order;
  std::array<party, 5> waits;
  CHECK(m.try_lock());
  for (int i = 0; i < 5; ++i) {
    waits[std::size_t(i)] = {{nullptr,
                              [](tine::detail::lock_waiter& w) noexcept {
                                auto& woken = static_cast<party&>(w);
                                woken.order->push_back(woken.number);
                              },
                              false, nullptr},
                             i,
                             &order};
    if (i < 3) CHECK_FALSE(m.lock_or_enqueue(waits[std::size_t(i)]));
  }
  m.unlock();
  CHECK_FALSE(m.try_lock());                 // the mutex has passed to the first party
  CHECK_FALSE(m.lock_or_enqueue(waits[3]));  // these come when the holder has a queue already
  CHECK_FALSE(m.lock_or_enqueue(waits[4]));
  for (int i = 0; i < 4; ++i) m.unlock();
  CHECK(order == std::vector{0, 1, 2, 3, 4});
  m.unlock();
  CHECK(m.try_lock());
  m.unlock();
}

TEST_CASE("a_mutex_may_be_destroyed_right_after_its_last_unlock") {
  struct shared_end {
    tine::mutex lock;
    int users = 2;
  };
  for (int i = 0; i < 2'000; ++i) {
    auto* const s = new shared_end;
    const auto leave = [s] {
      s->lock.lock();
      const bool is_last = --s->users == 0;
      s->lock.unlock();
      if (is_last) delete s;
    };
    std::thread other{leave};
    leave();
    other.join();
  }
}

TEST_CASE("random_nests_of_locks_and_forks") {
  tine::pool p{with_workers(4)};
  rc::check("each lock counts its holders", [&] {
    const auto seed = *rc::gen::arbitrary<unsigned>();
    std::array<guarded, 6> locks;
    std::array<std::atomic<long>, 6> expected{};
    p.run([&] { nest(locks, expected, seed, 0, 6); });
    for (std::size_t i = 0; i < locks.size(); ++i) RC_ASSERT(locks[i].count == expected[i].load());
  });
}
