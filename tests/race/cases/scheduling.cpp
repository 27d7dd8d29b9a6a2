// Groups of tasks, roots, pools, stops, exceptions and observers.
#include "../race_case.hpp"

#include <tine/augment.hpp>
#include <tine/stop.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <stop_token>
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
TINE_CASE(caller_of_a_group_before_wait, always, never, "the tasks of a group begin at its wait") {
  int x = 0, y = 0;
  its.races_on(x);
  tine::task_group g;
  g.run([&] { x = 1; });
  (its.racy ? x : y) = 2;
  g.wait();
  x = 3;
  keep(x);
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

}  // namespace
