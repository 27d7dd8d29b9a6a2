// Locks and atomic operations: what they keep from racing, and what they leave to the order in which strands come.
#include "../race_case.hpp"

#include <tine/sync.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include <pthread.h>

namespace {

using race_test::keep;

constexpr int n = 20;

template <class Mutex>
void count(race_test::subject& its) {
  Mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    std::unique_lock guard{m, std::defer_lock};
    if (!its.racy) guard.lock();
    ++x;
  });
  keep(x);
}

class pthread_spinlock {
 public:
  pthread_spinlock() { pthread_spin_init(&m_, PTHREAD_PROCESS_PRIVATE); }
  ~pthread_spinlock() { pthread_spin_destroy(&m_); }
  void lock() { pthread_spin_lock(&m_); }
  void unlock() { pthread_spin_unlock(&m_); }

 private:
  pthread_spinlock_t m_{};
};

GUARDED_CASE(counter_under_a_mutex) { count<std::mutex>(its); }
GUARDED_CASE(counter_under_a_pthread_spinlock) { count<pthread_spinlock>(its); }
GUARDED_CASE(counter_under_tines_mutex) { count<tine::mutex>(its); }

template <class Mutex>
void lock_two(race_test::subject& its) {
  Mutex a, b;
  int x = 0;
  its.races_on(x);
  const auto count = [&x](Mutex& m) {
    const std::lock_guard guard{m};
    ++x;
  };
  tine::par([&] { count(a); }, [&] { count(its.racy ? b : a); });
  keep(x);
}

GUARDED_CASE(two_different_mutexes) { lock_two<std::mutex>(its); }
GUARDED_CASE(two_of_tines_mutexes) { lock_two<tine::mutex>(its); }

template <class Mutex>
void write_shared(race_test::subject& its) {
  Mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    std::shared_lock as_reader{m, std::defer_lock};
    std::unique_lock as_writer{m, std::defer_lock};
    if (its.racy) {
      as_reader.lock();
    } else {
      as_writer.lock();
    }
    ++x;
  });
  keep(x);
}

GUARDED_CASE(writers_of_a_shared_mutex) { write_shared<std::shared_mutex>(its); }
GUARDED_CASE(writer_as_a_reader_of_tines_shared_mutex) { write_shared<tine::shared_mutex>(its); }

template <class Mutex>
void read_and_write(race_test::subject& its) {
  Mutex m;
  int x = 0;
  std::array<int, n> seen{};
  its.races_on(x);
  tine::par_for(0, n, [&](int i) {
    if (i == n / 2) {
      std::unique_lock guard{m, std::defer_lock};
      if (!its.racy) guard.lock();
      x = 1;
    } else {
      const std::shared_lock guard{m};
      seen[static_cast<std::size_t>(i)] = x;
    }
  });
  keep(seen);
}

GUARDED_CASE(readers_and_a_writer_of_a_shared_mutex) { read_and_write<std::shared_mutex>(its); }
GUARDED_CASE(readers_of_tines_shared_mutex) { read_and_write<tine::shared_mutex>(its); }

GUARDED_CASE(recursive_mutex) {
  std::recursive_mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    m.lock();
    m.lock();
    m.unlock();
    if (its.racy) m.unlock();
    ++x;
    if (!its.racy) m.unlock();
  });
  keep(x);
}

GUARDED_CASE(try_lock) {
  std::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    const bool is_mine = m.try_lock();
    if (is_mine || its.racy) {
      if (its.racy && is_mine) m.unlock();
      ++x;
      if (!its.racy) m.unlock();
    }
  });
  keep(x);
}

ORDER_CASE(atomic_counter) {
  std::atomic<int> x = 0;
  int y = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    if (its.racy) x.fetch_add(1, std::memory_order_relaxed);
  });
  y = x;
  keep(y);
}

// A lock that is made of an atomic flag is no lock for the detector, but the flag orders its holders in this run.
class flag_lock {
 public:
  void lock() noexcept {
    while (is_held_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() noexcept { is_held_.clear(std::memory_order_release); }

 private:
  std::atomic_flag is_held_{};
};

GUARDED_CASE(lock_made_of_an_atomic_flag) {
  flag_lock m;
  int x = 0;
  its.races_on(x);
  its.races_on(m);
  tine::par_for(0, n, [&](int) {
    if (!its.racy) m.lock();
    ++x;
    if (!its.racy) m.unlock();
  });
  keep(x);
}

ORDER_CASE(compare_and_swap_loop) {
  std::atomic<int> greatest = 0;
  its.races_on(greatest);
  tine::par_for(0, its.racy ? n : 1, [&](int i) {
    int seen = greatest.load();
    while (seen < i && !greatest.compare_exchange_weak(seen, i)) {
    }
  });
  keep(greatest);
}

struct with_constructor {
  with_constructor() : values(100, 7) {}
  std::vector<int> values;
};

CLEAN_CASE(static_object_of_a_function) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    static const with_constructor object;
    seen[static_cast<std::size_t>(i)] = object.values[static_cast<std::size_t>(i)];
  });
  keep(seen);
}

CLEAN_CASE(call_once) {
  std::once_flag once;
  int value = 0;
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    std::call_once(once, [&] { value = 42; });
    seen[static_cast<std::size_t>(i)] = value;
  });
  keep(seen);
}

// The locks of tine may be held over forks, whose branches the lock does not keep apart.

GUARDED_CASE(tines_mutex_by_try_lock) {
  tine::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    while (!m.try_lock()) {
    }
    if (!its.racy) ++x;
    m.unlock();
    if (its.racy) ++x;
  });
  keep(x);
}

// The branches of a fork under the lock race with each other.
GUARDED_CASE(tines_mutex_over_a_fork) {
  tine::mutex m;
  int x = 0, y = 0;
  its.races_on(x);
  if (!its.racy) its.races_on(y);
  tine::par_for(0, n, [&](int) {
    const std::lock_guard guard{m};
    tine::par([&] { ++x; }, [&] { ++(its.racy ? x : y); });
  });
  keep(x);
  keep(y);
}

tine::task<> add(tine::mutex& m, int& x, bool racy) {
  if (!racy) co_await m.lock();
  ++x;
  if (!racy) m.unlock();
}

tine::task<> add_all(tine::mutex& m, int& x, bool racy) {
  for (int i = 0; i < n; ++i) co_await tine::fork(add, m, x, racy);
  co_await tine::join;
}

GUARDED_CASE(tines_mutex_in_coroutines) {
  tine::mutex m;
  int x = 0;
  its.races_on(x);
  tine::run(add_all, m, x, its.racy);
  keep(x);
}

}  // namespace
