// The mutexes, as the specification of oneTBB describes them.
#include "parallelism.hpp"

#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <tbb/null_mutex.h>
#include <tbb/null_rw_mutex.h>
#include <tbb/parallel_for.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task_arena.h>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace {

template <class Mutex>
bool can_be_locked(Mutex& m) {
  bool could = false;
  std::thread{[&] {
    typename Mutex::scoped_lock other;
    could = other.try_acquire(m);
  }}.join();
  return could;
}

template <class Mutex>
void check_exclusion() {
  Mutex m;
  long value = 0;
  std::atomic<int> inside{0};
  tbb::parallel_for(0, 2'000, [&](int) {
    typename Mutex::scoped_lock guard{m};
    CHECK(inside.fetch_add(1) == 0);
    ++value;
    inside.fetch_sub(1);
  });
  CHECK(value == 2'000);
  typename Mutex::scoped_lock guard;
  guard.acquire(m);
  CHECK_FALSE(can_be_locked(m));
  guard.release();
  CHECK(can_be_locked(m));
  CHECK(guard.try_acquire(m));
  CHECK_FALSE(can_be_locked(m));
  guard.release();
  {
    typename Mutex::scoped_lock scoped{m};
    CHECK_FALSE(can_be_locked(m));
  }
  CHECK(can_be_locked(m));
}

template <class Mutex>
void check_as_standard() {
  Mutex m;
  long value = 0;
  tbb::parallel_for(0, 1'000, [&](int) {
    const std::lock_guard guard{m};
    ++value;
  });
  CHECK(value == 1'000);
  CHECK(m.try_lock());
  CHECK_FALSE(can_be_locked(m));
  m.unlock();
}

/// oneTBB's queuing_rw_mutex doesn't let a reader try where others read.
template <class Mutex>
constexpr bool needs_empty_queue = !tbb_test::on_tine && std::is_same_v<Mutex, tbb::queuing_rw_mutex>;

template <class Mutex>
void check_readers() {
  Mutex m;
  long first = 0, second = 0;
  tbb::parallel_for(0, 3'000, [&](int i) {
    typename Mutex::scoped_lock guard{m, i % 8 == 0};
    if (i % 8 == 0) {
      ++first;
      ++second;
    }
    CHECK(first == second);
  });
  CHECK(first == 375);
  typename Mutex::scoped_lock one{m, false};
  CHECK_FALSE(one.is_writer());
  std::thread{[&] {
    typename Mutex::scoped_lock two;
    CHECK((two.try_acquire(m, false) || needs_empty_queue<Mutex>));
    typename Mutex::scoped_lock three;
    CHECK_FALSE(three.try_acquire(m, true));
  }}.join();
  CHECK(one.upgrade_to_writer());  // the only reader need not let go
  CHECK(one.is_writer());
  CHECK(one.upgrade_to_writer());
  CHECK_FALSE(can_be_locked(m));
  CHECK(one.downgrade_to_reader());
  CHECK_FALSE(one.is_writer());
  std::thread{[&] {
    typename Mutex::scoped_lock two;
    CHECK_FALSE(two.try_acquire(m, true));
    CHECK((two.try_acquire(m, false) || needs_empty_queue<Mutex>));
  }}.join();
}

/// Writers that become readers see what they wrote, and readers that become writers lose nothing.
template <class Mutex>
void check_changes() {
  Mutex m;
  long value = 0;
  std::atomic<long> written{0};
  tbb::parallel_for(0, 2'000, [&](int i) {
    if (i % 2 == 0) {
      typename Mutex::scoped_lock guard{m, true};
      const long mine = ++value;
      ++written;
      guard.downgrade_to_reader();
      CHECK(value == mine);
    } else {
      typename Mutex::scoped_lock guard{m, false};
      const long before = value;
      const bool kept = guard.upgrade_to_writer();
      if (kept) CHECK(value == before);
      ++value;
      ++written;
    }
  });
  CHECK(value == written);
}

template <class Mutex>
void check_standard_readers() {
  Mutex m;
  m.lock_shared();
  CHECK(m.try_lock_shared());
  CHECK_FALSE(m.try_lock());
  m.unlock_shared();
  m.unlock_shared();
  CHECK(m.try_lock());
  CHECK_FALSE(m.try_lock_shared());
  m.unlock();
  const std::shared_lock reads{m};
  CHECK_FALSE(can_be_locked(m));
}

template <class Mutex>
constexpr bool has_traits(bool rw, bool recursive, bool fair) {
  return Mutex::is_rw_mutex == rw && Mutex::is_recursive_mutex == recursive && Mutex::is_fair_mutex == fair;
}

static_assert(has_traits<tbb::spin_mutex>(false, false, false) && has_traits<tbb::mutex>(false, false, false));
static_assert(has_traits<tbb::queuing_mutex>(false, false, true) &&
              has_traits<tbb::queuing_rw_mutex>(true, false, true));
static_assert(has_traits<tbb::rw_mutex>(true, false, false) && has_traits<tbb::spin_rw_mutex>(true, false, false));
static_assert(has_traits<tbb::null_mutex>(false, true, true) && has_traits<tbb::null_rw_mutex>(true, true, true));
static_assert(has_traits<tbb::speculative_spin_mutex>(false, false, false));
static_assert(has_traits<tbb::speculative_spin_rw_mutex>(true, false, false));

}  // namespace

TEST_CASE("one thread at a time holds a mutex") {
  check_exclusion<tbb::spin_mutex>();
  check_exclusion<tbb::speculative_spin_mutex>();
  check_exclusion<tbb::mutex>();
  check_exclusion<tbb::queuing_mutex>();
  check_exclusion<tbb::rw_mutex>();
  check_exclusion<tbb::spin_rw_mutex>();
  check_exclusion<tbb::speculative_spin_rw_mutex>();
  check_exclusion<tbb::queuing_rw_mutex>();
}

TEST_CASE("mutexes work with the standard's locks") {
  check_as_standard<tbb::spin_mutex>();
  check_as_standard<tbb::speculative_spin_mutex>();
  check_as_standard<tbb::mutex>();
  check_as_standard<tbb::rw_mutex>();
  check_as_standard<tbb::spin_rw_mutex>();
  check_standard_readers<tbb::rw_mutex>();
  check_standard_readers<tbb::spin_rw_mutex>();
}

TEST_CASE("readers hold a mutex together") {
  check_readers<tbb::rw_mutex>();
  check_readers<tbb::spin_rw_mutex>();
  check_readers<tbb::queuing_rw_mutex>();
}

TEST_CASE("holders change between reading and writing") {
  check_changes<tbb::rw_mutex>();
  check_changes<tbb::spin_rw_mutex>();
  check_changes<tbb::speculative_spin_rw_mutex>();
  check_changes<tbb::queuing_rw_mutex>();
}

TEST_CASE("null mutexes do nothing") {
  tbb::null_mutex m;
  tbb::null_mutex::scoped_lock a{m}, b;
  CHECK(b.try_acquire(m));
  b.release();
  m.lock();
  CHECK(m.try_lock());
  m.unlock();
  tbb::null_rw_mutex r;
  tbb::null_rw_mutex::scoped_lock c{r}, d{r, false};
  CHECK(d.upgrade_to_writer());
  CHECK(d.downgrade_to_reader());
  r.lock();
  CHECK(r.try_lock_shared());
}

// In the inner loop, the thread that holds the mutexes may not take another iteration of the outer one.
TEST_CASE("a mutex may be held over an isolated algorithm") {
  tbb::mutex m;
  tbb::rw_mutex r;
  tbb::queuing_mutex q;
  long value = 0;
  std::atomic<long> items{0};
  tbb::parallel_for(0, 100, [&](int) {
    const tbb::mutex::scoped_lock first{m};
    const tbb::rw_mutex::scoped_lock second{r};
    const tbb::queuing_mutex::scoped_lock third{q};
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(0, 100, [&](int) { items.fetch_add(1, std::memory_order_relaxed); }); });
    ++value;
  });
  CHECK(value == 100);
  CHECK(items == 10'000);
}

/// Counts the iterations that begin on a thread while another one of it waits for the mutex.
template <class Lock>
long iterations_during_waits(Lock hold) {
  static thread_local int inside;
  std::atomic<long> found{0};
  tbb::parallel_for(0, 60, [&](int) {
    if (inside++ != 0) found.fetch_add(1);
    hold([] { std::this_thread::sleep_for(std::chrono::microseconds{300}); });
    --inside;
  });
  return found;
}

// Programs keep data of the thread meanwhile, as CGAL does with the locks of its triangulations.
TEST_CASE("a thread that waits for a mutex runs nothing else") {
  tbb::mutex m;
  tbb::queuing_mutex q;
  tbb::rw_mutex r;
  tbb::queuing_rw_mutex s;
  CHECK(iterations_during_waits([&](auto f) {
          const tbb::mutex::scoped_lock held{m};
          f();
        }) == 0);
  CHECK(iterations_during_waits([&](auto f) {
          const tbb::queuing_mutex::scoped_lock held{q};
          f();
        }) == 0);
  CHECK(iterations_during_waits([&](auto f) {
          const tbb::rw_mutex::scoped_lock held{r};
          f();
        }) == 0);
  CHECK(iterations_during_waits([&](auto f) {
          const tbb::queuing_rw_mutex::scoped_lock held{s};
          f();
        }) == 0);
  std::atomic<unsigned> turn{0};
  CHECK(iterations_during_waits([&](auto f) {
          tbb::queuing_rw_mutex::scoped_lock held{s, turn.fetch_add(1) % 2 == 0};
          f();
          held.upgrade_to_writer();
        }) == 0);
}
