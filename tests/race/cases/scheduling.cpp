// Groups of tasks, roots, pools, stops, exceptions and observers.
#include "../race_case.hpp"

#include <tine/augment.hpp>
#include <tine/coro.hpp>
#include <tine/stop.hpp>
#include <tine/sync.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using race_test::keep;

RACE_CASE(tasks_of_a_group) {
  std::array<int, 20> a{};
  its.races_on(a[0]);
  tine::task_group g;
  for (std::size_t i = 0; i < a.size(); ++i) g.run([&, i] { a[its.racy ? 0 : i] += 1; });
  g.wait();
  keep(a);
}

// The work of the caller between `run` and `wait` is parallel to the tasks.
RACE_CASE(caller_of_a_group_before_wait) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::task_group g;
  g.run([&] { x = 1; });
  (its.racy ? x : y) = 2;
  g.wait();
  x = 3;
  keep(x);
}

// Nothing orders the tasks of two groups, in whatever order the caller waits for them.
RACE_ON_X(groups_that_overlap) {
  tine::task_group g, h;
  g.run([&] { x = 1; });
  h.run([&] { (its.racy ? x : y) = 2; });
  h.wait();
  g.wait();
  x = y = 3;
}

// One reader of `x` is known after the first wait, the other one is not.
RACE_ON_X(the_later_reader_is_not_waited_for) {
  tine::task_group g, h;
  g.run([&] {
    keep(x);
    y = x;
  });
  h.run([&, z = 0]() mutable {
    z = x;
    keep(z);
  });
  g.wait();
  if (its.racy) x = 1;
  h.wait();
  x = 2;
}

// A task that was added in a branch outlives the fork.
RACE_ON_X(a_task_outlives_a_fork) {
  tine::task_group g;
  tine::par(
      [&] {
        g.run([&] { x = 1; });
        y = 1;
      },
      [] {});
  y = 2;
  if (its.racy) x = 2;
  g.wait();
  x = 3;
}

// A branch that waits knows the tasks, and so does the code behind the join; the other branch doesn't.
RACE_ON_X(one_branch_waits_for_a_group) {
  tine::task_group g;
  g.run([&] { x = 1; });
  tine::par(
      [&] {
        g.wait();
        x = 2;
      },
      [&] {
        if (its.racy) x = 3;
      });
  x = 4;
}
RACE_ON_X(one_iteration_waits_for_a_group) {
  tine::task_group g;
  g.run([&] { x = 1; });
  tine::par_for(0, 4, [&](int i) {
    if (i == 1) g.wait();
    if (i == (its.racy ? 2 : 1)) x = 2;
  });
  x = 4;
}
RACE_ON_X(a_task_waits_for_another_group) {
  tine::task_group g, h;
  g.run([&] { x = 1; });
  h.run([&] {
    g.wait();
    x = 2;
  });
  if (its.racy) x = 3;
  h.wait();
  x = 4;
}

RACE_ON_X(task_that_is_a_coroutine) {
  tine::task_group g;
  g.run([&]() -> tine::task<void> {
    const auto child = [](int* to) -> tine::task<void> {
      *to = 1;
      co_return;
    };
    co_await tine::fork(child, &y);
    co_await tine::join;
    x = 1;
  });
  if (its.racy) x = 2;
  g.wait();
  x = 3;
}

RACE_ON_X(group_of_another_pool) {
  static tine::pool other{{.workers = 2}};
  tine::task_group g;
  other.run([&] {
    tine::task_group h;
    h.run([&] { x = 1; });
    g.run([&] { (its.racy ? x : y) = 2; });
    h.wait();
  });
  g.wait();
  x = 3;
}

// A task that is added under a lock may take that lock.
GUARDED_CASE(task_that_is_added_under_a_lock) {
  int x = 0;
  its.races_on(x);
  std::mutex m;
  tine::task_group g;
  for (int i = 0; i < 3; ++i) {
    const std::lock_guard guard{m};
    g.run([&] {
      const std::lock_guard inside{m};
      ++x;
    });
    ++x;
  }
  if (its.racy) ++x;
  g.wait();
  ++x;
}
TINE_CASE(locked_caller_of_a_group, always, never, nullptr) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::mutex m;
  tine::task_group g;
  tine::par_for(0, 3, [&](int i) {
    const std::lock_guard guard{m};
    g.run([r = 0, &x]() mutable {
      r = x;
      keep(r);
    });
    if (i == 0) (its.racy ? x : y) = 1;
    g.run([&, i] {
      if (i == 0 && its.racy) x = 2;
    });
  });
  g.wait();
  x = 3;
}

CLEAN_CASE(caller_of_a_group_after_wait) {
  int x = 0;
  tine::task_group g;
  g.run([&] { x = 1; });
  g.wait();
  x = 2;
  g.run([&] { ++x; });
  g.wait();
  keep(x);
}

RACE_CASE(tasks_that_add_tasks) {
  std::array<int, 64> a{};
  its.races_on(a[0]);
  tine::task_group g;
  struct visit {
    tine::task_group& g;
    std::array<int, 64>& a;
    bool racy;
    void operator()(std::size_t i) const {
      a[racy && i > 31 ? 0 : i] += 1;
      for (const std::size_t next : {2 * i, 2 * i + 1})
        if (next < a.size()) g.run([self = *this, next] { self(next); });
    }
  } const v{g, a, its.racy};
  v(1);
  g.wait();
  keep(a);
}

// The work of a task before it added another one comes before that one.
CLEAN_CASE(task_reads_what_its_creator_wrote) {
  int x = 0, y = 0, z = 0;
  tine::task_group g;
  x = 1;
  g.run([&] {
    y = x;
    g.run([&] { z = y; });
  });
  g.wait();
  keep(z);
}

RACE_ON_X(exception_leaves_the_first_branch) {
  try {
    tine::par(
        [&] {
          tine::par([&] { x = 1; },
                    [&] {
                      (its.racy ? x : y) = 2;
                      throw std::runtime_error{"as intended"};
                    });
        },
        [&] { y = 3; });
  } catch (const std::runtime_error&) {
    x = 4;
  }
  x = 5;
}

// The join still happens: what follows the catch is in series with both branches.
CLEAN_CASE(exceptions_of_both_branches) {
  int x = 0, y = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      tine::par(
          [&] {
            x = 1;
            if (i != 1) throw 1;
          },
          [&] {
            y = 1;
            if (i != 0) throw 2;
          });
    } catch (const int&) {
    }
    x = y;
    y = 2;
  }
  keep(x);
  keep(y);
}

RACE_CASE(exception_leaves_an_iteration) {
  std::array<int, 20> a{};
  its.races_on(a[3]);
  try {
    tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) {
      a[its.racy && i == 8 ? 3 : i] = 1;
      if (i == 10) throw std::runtime_error{"as intended"};
    });
  } catch (const std::runtime_error&) {
    a[3] = 7;
  }
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[i] += 1; });
  keep(a);
}

// A stop request: the strands that ran before it are checked, and the join is one.
RACE_ON_X(stopped_region) {
  std::stop_source source;
  static_cast<void>(tine::run_until_stopped(source.get_token(), [&] {
    tine::par([&] { x = 1; },
              [&] {
                (its.racy ? x : y) = 2;
                source.request_stop();
              });
    tine::par([&] { x = 2; }, [&] { y = 2; });
    x = 3;
  }));
  x = 4;
}

// A coroutine inside of a region gets a stack of its own. The fork around it is still not stolen.
RACE_ON_X(coroutine_in_a_stopped_region_in_a_coroutine) {
  const auto write = [](int* to) -> tine::task<void> {
    *to = 1;
    co_return;
  };
  const auto region = [&](int* to) -> tine::task<void> {
    std::stop_source source;
    static_cast<void>(tine::run_until_stopped(source.get_token(), [&] { tine::run(write, to); }));
    std::this_thread::sleep_for(std::chrono::milliseconds{2});  // time for a thief
    co_return;
  };
  const auto both = [&](int* one, int* other) -> tine::task<void> {
    co_await tine::fork(region, one);
    co_await tine::call(write, other);
    co_await tine::join;
  };
  tine::run(both, &x, its.racy ? &x : &y);
}

RACE_ON_X(unstoppable_region) {
  tine::unstoppable([&] { tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; }); });
}

// A region of the program's own observers inside of the check.
RACE_ON_X(observers_of_the_program) {
  const auto v = tine::augment<tine::work_span>([&] {
    tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
    tine::par_for(0, 10, [&](int) { keep(x); });
  });
  keep(v);
  x = 3;
}

RACE_ON_X(observers_of_one_branch) {
  tine::par(
      [&] {
        const auto v = tine::augment<tine::work_span>([&] { tine::par([&] { x = 1; }, [&] { y = 1; }); });
        keep(v);
      },
      [&] {
        if (its.racy) x = 2;
      });
}

// A root in another pool is a part of the strand that waits for it.
RACE_ON_X(root_in_another_pool) {
  tine::pool other{{.workers = 2}};
  tine::par([&] { other.run([&] { tine::par([&] { x = 1; }, [&] { y = 1; }); }); },
            [&] {
              if (its.racy) x = 2;
            });
  other.run([&] { x = 3; });
}

RACE_ON_X(race_inside_of_a_root_in_another_pool) {
  tine::pool other{{.workers = 2}};
  other.run([&] { tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; }); });
}

RACE_ON_X(run_inside_of_a_branch) {
  tine::par([&] { tine::run([&] { x = 1; }); }, [&] { tine::run([&] { (its.racy ? x : y) = 2; }); });
}

RACE_ON_X(blocking_region_in_a_branch) {
  tine::par([&] { tine::blocking([&] { x = 1; }); }, [&] { (its.racy ? x : y) = 2; });
}

// Each worker's number is the same in all strands, since the check runs on one worker; a slot for each worker is not
// shared at once.
TINE_CASE(slots_by_the_number_of_the_worker, always, never,
          "the strands of one worker share its slot, and are parallel") {
  std::vector<int> slots(tine::worker_slots() + 1);
  its.races_in(&slots.back(), sizeof(int));
  tine::par_for(0, 20, [&](int) { ++slots[its.racy ? slots.size() - 1 : tine::worker_index()]; });
  keep(slots);
}

// Behind a fork the strand may be on another worker.
GUARDED_CASE(slots_that_strands_choose) {
  std::vector<int> slots(tine::worker_slots());
  its.races_in(slots.data(), slots.size() * sizeof(int));
  tine::par_for(0, 20, [&](int) {
    int& mine = tine::own_slot(slots[tine::worker_index()]);
    if (its.racy) tine::par([] {}, [] {});
    ++mine;
  });
  keep(slots);
}
// The lock of a slot is none for other memory.
GUARDED_CASE(memory_beside_a_slot) {
  std::vector<int> slots(tine::worker_slots());
  int x = 0;
  its.races_on(x);
  its.races_in(slots.data(), slots.size() * sizeof(int));
  tine::par_for(0, 20, [&](int) {
    ++tine::own_slot(slots[tine::worker_index()]);
    if (its.racy) ++x;
  });
  keep(slots);
}
// Behind a wait for a lock, too.
GUARDED_CASE(slot_behind_a_wait) {
  std::vector<int> slots(tine::worker_slots());
  std::vector<tine::mutex> locks(20);
  its.races_in(slots.data(), slots.size() * sizeof(int));
  tine::par_for(0, 20, [&](int i) {
    int& mine = tine::own_slot(slots[tine::worker_index()]);
    if (its.racy) {
      const std::lock_guard guard{locks[static_cast<std::size_t>(i)]};
      ++mine;
    } else {
      ++mine;
    }
  });
  keep(slots);
}

}  // namespace
