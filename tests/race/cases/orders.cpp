// Atomic operations that order strands in the run. Such a pair of accesses is no data race. Another schedule may order
// it the other way, so it is a determinacy race. The detector runs the first branch first, and iterations in order.
#include "../race_case.hpp"

#include <atomic>

namespace {

using race_test::keep;

constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release,
               relaxed = std::memory_order_relaxed;

void read(int& x) {
  int y = x;
  keep(y);
}

GUARDED_CASE(flag_that_publishes_a_value) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        x = 1;
        its.racy ? ready.store(true, relaxed) : ready.store(true, release);
      },
      [&] {
        if (ready.load(acquire)) read(x);
      });
}

// A strand that waits for a task knows what the task has acquired.
GUARDED_CASE(wait_for_a_task_that_acquires) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        x = 1;
        ready.store(true, release);
      },
      [&] {
        bool is_ready = false;
        tine::task_group g;
        g.run([&] { is_ready = ready.load(acquire); });
        if (its.racy) read(x);
        g.wait();
        if (is_ready) read(x);
      });
}

GUARDED_CASE(flag_that_is_read_relaxed) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        x = 1;
        ready.store(true, release);
      },
      [&] {
        if (its.racy ? ready.load(relaxed) : ready.load(acquire)) read(x);
      });
}

GUARDED_CASE(write_behind_a_release) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        if (!its.racy) x = 1;
        ready.store(true, release);
        if (its.racy) x = 1;
      },
      [&] {
        if (ready.load(acquire)) read(x);
      });
}

// The release is in a branch of the strand that writes behind the join.
GUARDED_CASE(write_behind_the_join_of_a_release) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        if (!its.racy) x = 1;
        tine::par([&] { ready.store(true, release); }, [] {});
        if (its.racy) x = 1;
      },
      [&] {
        if (ready.load(acquire)) read(x);
      });
}

// The next iteration doesn't know what this one has acquired.
GUARDED_CASE(iteration_that_does_not_acquire) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par_for(0, 3, [&](int i) {
    if (i == 0) {
      x = 1;
      ready.store(true, release);
    } else if (i == 1 && ready.load(acquire)) {
      read(x);
    } else if (i == 2 && its.racy) {
      read(x);
    }
  });
}

// The code behind a join knows what a branch has acquired; the other branch doesn't.
GUARDED_CASE(acquired_in_a_branch) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        x = 1;
        ready.store(true, release);
      },
      [&] {
        bool is_ready = false;
        tine::par([&] { is_ready = ready.load(acquire); },
                  [&] {
                    if (its.racy) read(x);
                  });
        if (is_ready) read(x);
      });
}

GUARDED_CASE(chain_of_flags) {
  std::atomic<bool> first = false, second = false;
  int x = 0;
  its.races_on(x);
  its.races_on(first);
  its.races_on(second);
  tine::par_for(0, 3, [&](int i) {
    if (i == 0) {
      x = 1;
      first.store(true, release);
    } else if (i == 1) {
      if (its.racy ? first.load(relaxed) : first.load(acquire)) second.store(true, release);
    } else if (second.load(acquire)) {
      read(x);
    }
  });
}

// A read-modify-write keeps the order of the release before it, and a relaxed store ends it.
GUARDED_CASE(sequence_of_releases) {
  std::atomic<int> count = 0;
  int x = 0;
  its.races_on(x);
  its.races_on(count);
  tine::par_for(0, 3, [&](int i) {
    if (i == 0) {
      x = 1;
      count.fetch_add(1, release);
    } else if (i == 1) {
      its.racy ? count.store(2, relaxed) : static_cast<void>(count.fetch_add(1, relaxed));
    } else if (count.load(acquire) == 2) {
      read(x);
    }
  });
}

// A reader of a value that the word had before can't tell whether the store has happened.
GUARDED_CASE(store_of_the_former_value) {
  std::atomic<bool> ready = its.racy;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::par(
      [&] {
        x = 1;
        ready.store(true, release);
      },
      [&] {
        if (ready.load(acquire)) read(x);
      });
}

GUARDED_CASE(compare_and_swap_that_publishes) {
  std::atomic<int> state = 0;
  int x = 0;
  its.races_on(x);
  its.races_on(state);
  tine::par(
      [&] {
        x = 1;
        int idle = 0;
        state.compare_exchange_strong(idle, 1, its.racy ? relaxed : release, relaxed);
      },
      [&] {
        int done = 1;
        if (state.compare_exchange_strong(done, 2, acquire, relaxed)) read(x);
      });
}

// A new object at the address of an old one has none of its releases.
TINE_CASE(flag_in_memory_that_is_used_again, always, never, nullptr) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par_for(0, 2, [&](int i) {
    auto* const flag = new std::atomic<bool>(i == 1);
    keep(*flag);
    if (i == 0) {
      (its.racy ? x : y) = 1;
      flag->store(true, release);
    } else if (flag->load(acquire)) {
      read(x);
    }
    delete flag;
  });
}

// A task publishes to the code between its `run` and the `wait`.
GUARDED_CASE(flag_of_a_task) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  tine::task_group g;
  g.run([&] {
    x = 1;
    ready.store(true, its.racy ? relaxed : release);
  });
  if (ready.load(acquire)) read(x);
  g.wait();
}

}  // namespace
