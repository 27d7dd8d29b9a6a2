// The locks of tine: what they keep from racing. They may be held over forks, whose branches the lock does not keep
// apart.
#include "../race_case.hpp"

#include <tine/sync.hpp>

#include <array>
#include <cstddef>
#include <mutex>
#include <shared_mutex>

namespace {

using race_test::keep;

constexpr int n = 20;

GUARDED_CASE(counter_under_tines_mutex) {
  tine::mutex m;
  int x = 0;
  its.races_on(x);
  tine::par_for(0, n, [&](int) {
    std::unique_lock guard{m, std::defer_lock};
    if (!its.racy) guard.lock();
    ++x;
  });
  keep(x);
}

GUARDED_CASE(two_of_tines_mutexes) {
  std::array<tine::mutex, 2> m;
  int x = 0;
  its.races_on(x);
  tine::par(
      [&] {
        const std::lock_guard guard{m[0]};
        ++x;
      },
      [&] {
        const std::lock_guard guard{m[its.racy ? 1 : 0]};
        ++x;
      });
  keep(x);
}

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

GUARDED_CASE(readers_of_tines_shared_mutex) {
  tine::shared_mutex m;
  int x = 0;
  std::array<int, n> seen{};
  its.races_on(x);
  tine::par_for(0, n, [&](int i) {
    if (i == 0) {
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

GUARDED_CASE(writer_as_a_reader_of_tines_shared_mutex) {
  tine::shared_mutex m;
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
