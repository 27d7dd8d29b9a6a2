// tine::mutex: exclusion, locks held over forks, tasks, threads outside of pools, order of hand-over, life.
#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <rapidcheck.h>
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::task;

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

/// A party that waits for the mutex as a task does: it is woken at some moment, and comes later.
class waiting_party {
 public:
  waiting_party(tine::mutex& m, int number, std::vector<int>& woken) : what_{number, &woken}, wait_{m.lock()} {
    CHECK_FALSE(wait_.await_ready());
    wait_.await_suspend(resumption{&what_});
  }
  void lock() { wait_.await_resume(); }

 private:
  struct notes {
    int number;
    std::vector<int>* woken;
  };
  struct resumption {
    void resume() const { of->woken->push_back(of->number); }
    notes* of;
  };
  notes what_;
  decltype(std::declval<tine::mutex&>().lock()) wait_;
};

/// Takes locks with rising numbers only, forks while it holds them, and never takes one that an ancestor holds or has
/// passed.
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

TEST_CASE("a_mutex_held_over_a_fork_does_not_block_its_worker") {
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    for (const auto policy :
         {tine::resume_policy::same_thread, tine::resume_policy::finisher, tine::resume_policy::origin}) {
      tine::pool p{{.workers = workers, .resume = policy}};
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

TEST_CASE("threads_strands_and_tasks_exclude_each_other") {
  // While the holder's thread does not run, each iteration may come to wait, on a stack of its own. ThreadSanitizer
  // makes several of the 65,530 mappings that a process may have for each stack.
  constexpr int iterations = 2'000;
  for (const unsigned workers : {1u, 2u, 8u, 32u}) {
    tine::pool p{{.workers = workers}};
    guarded g;
    const auto count = [&](int) {
      const std::lock_guard hold{g.lock};
      ++g.count;
    };
    std::vector<std::thread> outside;
    for (int t = 0; t < 3; ++t) {
      outside.emplace_back([&] {
        for (int i = 0; i < iterations; ++i) count(i);
      });
    }
    p.run([&] { tine::par([&] { p.run(tree, g, 8); }, [&] { tine::par_for(0, iterations, count); }); });
    for (auto& t : outside) t.join();
    CHECK(g.count == 4 * iterations + 256 * 20);
  }
}

TEST_CASE("the_standard_locks_accept_it") {
  tine::pool p{{.workers = 4}};
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

TEST_CASE("waiters_get_it_in_the_order_of_their_arrival") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::mutex m;
    std::vector<int> woken;
    std::deque<waiting_party> parties;
    CHECK(m.try_lock());
    for (int i = 0; i < 3; ++i) parties.emplace_back(m, i, woken);
    m.unlock();  // the first wakes, and the queue has the others
    parties[0].lock();
    for (int i = 3; i < 5; ++i) parties.emplace_back(m, i, woken);
    for (std::size_t i = 1; i <= 5; ++i) {
      CHECK(woken.size() == i);  // an unlock wakes one party
      m.unlock();
      if (i < 5) parties[i].lock();
    }
    CHECK(woken == std::vector{0, 1, 2, 3, 4});
    CHECK(m.try_lock());
    m.unlock();
  });
}

TEST_CASE("the_first_waiter_is_overtaken_so_many_times_and_no_more") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::mutex m;
    for (int repetition = 0; repetition < 2; ++repetition) {  // the count begins again with each waiter
      std::vector<int> woken;
      CHECK(m.try_lock());
      waiting_party first{m, 0, woken};
      waiting_party second{m, 1, woken};
      m.unlock();
      unsigned overtaken = 0;
      for (; m.try_lock(); ++overtaken) m.unlock();
      CHECK(overtaken == tine::mutex::overtakings);
      CHECK(woken == std::vector{0});
      first.lock();
      m.unlock();
      second.lock();
      m.unlock();
      CHECK(woken == std::vector{0, 1});
    }
  });
}

TEST_CASE("a_waiter_that_comes_too_late_gets_it_next") {
  tine::pool p{{.workers = 1}};
  p.run([] {
    tine::mutex m;
    std::vector<int> woken;
    bool has_locked = false;
    CHECK(m.try_lock());
    waiting_party first{m, 0, woken};
    waiting_party second{m, 1, woken};
    m.unlock();
    CHECK(m.try_lock());  // the first one has been woken, and is overtaken
    tine::par(
        [&] {
          first.lock();
          has_locked = true;
        },
        [&] {
          CHECK_FALSE(has_locked);
          m.unlock();
          CHECK_FALSE(m.try_lock());  // the mutex has passed to the first one
        });
    CHECK(has_locked);
    CHECK(woken == std::vector{0});
    m.unlock();
    second.lock();
    m.unlock();
    CHECK(woken == std::vector{0, 1});
    CHECK(m.try_lock());
    m.unlock();
  });
}

TEST_CASE("a_strand_that_locks_in_a_loop_lets_another_one_in") {
  for (const unsigned workers : {1u, 2u, 8u}) {
    tine::pool p{{.workers = workers}};
    tine::mutex m;
    bool other_is_in = false;  // guarded by the mutex
    p.run([&] {
      CHECK(m.try_lock());
      tine::par(
          [&] {
            m.lock();  // waits, and is woken by the unlock below
            other_is_in = true;
            m.unlock();
          },
          [&] {
            // with one worker the other strand waits by now
            m.unlock();
            for (bool ends = false; !ends;) {
              m.lock();
              ends = other_is_in;
              m.unlock();
            }
          });
    });
    CHECK(other_is_in);
  }
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
  tine::pool p{{.workers = 4}};
  rc::check("each lock counts its holders", [&] {
    const auto seed = *rc::gen::arbitrary<unsigned>();
    std::array<guarded, 6> locks;
    std::array<std::atomic<long>, 6> expected{};
    p.run([&] { nest(locks, expected, seed, 0, 6); });
    for (std::size_t i = 0; i < locks.size(); ++i) RC_ASSERT(locks[i].count == expected[i].load());
  });
}
