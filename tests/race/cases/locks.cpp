// Locks and atomic operations: what they keep from racing, and what they leave to the order in which strands come.
#include "../race_case.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include <pthread.h>

namespace {

using race_test::keep;

constexpr int n = 20;

GUARDED_CASE(counter_under_a_mutex) {
  std::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    if (its.racy) {
      ++x;
    } else {
      const std::lock_guard guard{m};
      ++x;
    }
  });
  keep(x);
}

// One of two branches does not take the lock.
GUARDED_CASE(one_branch_forgets_the_mutex) {
  std::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par(
      [&] {
        const std::lock_guard guard{m};
        x = 1;
      },
      [&] {
        std::unique_lock guard{m, std::defer_lock};
        if (!its.racy) guard.lock();
        x = 2;
      });
  keep(x);
}

GUARDED_CASE(read_without_the_mutex) {
  std::mutex m;
  int x = 0, seen = 0;
  its.races_on(x);
  tine::par(
      [&] {
        std::unique_lock guard{m, std::defer_lock};
        if (!its.racy) guard.lock();
        seen = x;
      },
      [&] {
        const std::lock_guard guard{m};
        x = 2;
      });
  keep(seen);
}

GUARDED_CASE(two_different_mutexes) {
  std::mutex a, b;
  int x = 0;
  its.races_on(x);
  tine::par(
      [&] {
        const std::lock_guard guard{a};
        ++x;
      },
      [&] {
        const std::lock_guard guard{its.racy ? b : a};
        ++x;
      });
  keep(x);
}

// Each pair of the three strands has a common lock in the clean form, though no lock is common to all of them.
GUARDED_CASE(a_common_mutex_for_each_pair) {
  std::mutex a, b, c;
  int x = 0;
  its.races_on(x);
  const auto with = [&](std::mutex& first, std::mutex& second) {
    const std::scoped_lock guard{first, second};
    ++x;
  };
  tine::par([&] { with(a, b); }, [&] { with(b, c); },
            [&] {
              if (its.racy) {
                const std::lock_guard guard{c};
                ++x;
              } else {
                with(a, c);
              }
            });
  keep(x);
}

GUARDED_CASE(access_after_the_unlock) {
  std::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    std::unique_lock guard{m};
    if (its.racy) guard.unlock();
    ++x;
  });
  keep(x);
}

// A lock that the parent holds over the fork does not keep the branches apart.
RACE_CASE(lock_of_the_parent) {
  std::mutex m;
  int x = 0, y = 0;
  its.races_on(x);
  const std::lock_guard guard{m};
  tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
  keep(x);
}

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

GUARDED_CASE(writers_of_a_shared_mutex) {
  std::shared_mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    if (its.racy) {
      const std::shared_lock guard{m};
      ++x;
    } else {
      const std::lock_guard guard{m};
      ++x;
    }
  });
  keep(x);
}

GUARDED_CASE(readers_and_a_writer_of_a_shared_mutex) {
  std::shared_mutex m;
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

CLEAN_CASE(readers_of_a_shared_mutex) {
  std::shared_mutex m;
  int x = 3;
  keep(x);
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) {
    const std::shared_lock guard{m};
    seen[static_cast<std::size_t>(i)] = x;
  });
  keep(seen);
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

GUARDED_CASE(pthread_spinlock) {
  pthread_spinlock_t m;
  pthread_spin_init(&m, PTHREAD_PROCESS_PRIVATE);
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    if (!its.racy) pthread_spin_lock(&m);
    ++x;
    if (!its.racy) pthread_spin_unlock(&m);
  });
  pthread_spin_destroy(&m);
  keep(x);
}

GUARDED_CASE(pthread_rwlock) {
  pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    its.racy ? pthread_rwlock_rdlock(&m) : pthread_rwlock_wrlock(&m);
    ++x;
    pthread_rwlock_unlock(&m);
  });
  keep(x);
}

GUARDED_CASE(array_of_mutexes) {
  std::array<std::mutex, 4> locks;
  std::array<int, 4> x{};
  its.races_on(x);
  tine::par_for(0, n, [&](int i) {
    const std::size_t k = static_cast<std::size_t>(i) % 4;
    const std::lock_guard guard{locks[its.racy ? (k + static_cast<std::size_t>(i) / 4) % 4 : k]};
    ++x[k];
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

// An atomic and a plain access to the same variable do race.
GUARDED_CASE(atomic_and_plain_access) {
  int x = 0, seen = 0;
  its.races_on(x);
  tine::par([&] { std::atomic_ref{x}.store(1); }, [&] { seen = its.racy ? *&x : std::atomic_ref{x}.load(); });
  keep(seen);
}

CLEAN_CASE(atomic_loads) {
  std::atomic<int> x = 3;
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) { seen[static_cast<std::size_t>(i)] = x.load(); });
  x = 4;
  keep(seen);
}

ORDER_CASE(atomic_flag_and_its_reader) {
  std::atomic<bool> ready = false;
  bool seen = false;
  its.races_on(ready);
  tine::par([&] { ready.store(true, std::memory_order_release); },
            [&] { seen = its.racy && ready.load(std::memory_order_acquire); });
  keep(seen);
}

// The serial order sets the flag first, but nothing orders the strands: what the flag guards may be read too early.
RACE_CASE(data_behind_an_atomic_flag) {
  int data = 0, seen = 0;
  its.races_on(data);
  if (!its.racy) data = 1;
  tine::par(
      [&] {
        if (its.racy) data = 1;
      },
      [&] { seen = data; });
  keep(seen);
}

// A lock that is made of an atomic flag is no lock for the detector: the documentation says so. The flag alone depends
// on the order.
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

TINE_CASE(lock_made_of_an_atomic_flag, always, under_determinism,
          "locks that are made of atomic operations are not recognised") {
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

// Claims of slots by an atomic counter: the slots are apart, but which strand gets which one depends on the order.
ORDER_CASE(slots_by_an_atomic_counter) {
  std::atomic<std::size_t> next = 0;
  std::array<int, n> slots{};
  its.races_on(next);
  tine::par_for(0, n, [&](int i) { slots[its.racy ? next.fetch_add(1) : static_cast<std::size_t>(i)] = i; });
  keep(slots);
}

GUARDED_CASE(list_under_a_mutex) {
  std::mutex m;
  std::vector<int> list;
  list.reserve(n);
  its.races_on(list);
  its.races_in(list.data(), n * sizeof(int));
  tine::par_for(0, n, [&](int i) {
    std::unique_lock guard{m, std::defer_lock};
    if (!its.racy) guard.lock();
    list.push_back(i);
  });
  keep(list);
}

// The lock guards the pointer, but not what it points to.
RACE_CASE(pointer_leaves_its_lock) {
  std::mutex m;
  int x = 0;
  int* const shared = &x;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    int mine = 0;
    int* p = nullptr;
    {
      const std::lock_guard guard{m};
      p = its.racy ? shared : &mine;
    }
    ++*p;
  });
  keep(x);
}

// A mutex that is locked before the fork of the first branch, and unlocked in the second one's sibling, is still the
// parent's.
GUARDED_CASE(branch_locks_what_the_parent_has_unlocked) {
  std::mutex m;
  int x = 0;
  its.races_on(x);
  m.lock();
  x = 5;
  m.unlock();
  tine::par(
      [&] {
        const std::lock_guard guard{m};
        ++x;
      },
      [&] {
        std::unique_lock guard{m, std::defer_lock};
        if (!its.racy) guard.lock();
        ++x;
      });
  keep(x);
}

// A branch forks while it holds the lock: its children are apart from the other branch, but not from each other.
GUARDED_CASE(children_of_a_strand_with_a_lock) {
  std::mutex m;
  int x = 0, y = 0;
  its.races_on(x);
  tine::par(
      [&] {
        const std::lock_guard guard{m};
        tine::sequential([&] { tine::par([&] { ++x; }, [&] { ++y; }); });
      },
      [&] {
        std::unique_lock guard{m, std::defer_lock};
        if (!its.racy) guard.lock();
        ++x;
      });
  keep(x);
}

// Initialisation of a function's static variable: guarded by the language.
int& initialised_once() {
  static int value = [] { return 42; }();
  return value;
}

CLEAN_CASE(static_variable_of_a_function) {
  std::array<int, n> seen{};
  tine::par_for(0, n, [&](int i) { seen[static_cast<std::size_t>(i)] = initialised_once(); });
  keep(seen);
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

RACE_CASE(static_variable_that_counts) {
  static int calls = 0;
  its.races_on(calls);
  tine::par_for(0, n, [&](int) {
    if (its.racy) ++calls;
  });
  keep(calls);
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

}  // namespace
