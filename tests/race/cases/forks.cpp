// Branches of forks, and what they share with each other and with the code around the fork.
#include "../race_case.hpp"

#include <tine/replay.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace {

using race_test::keep;

RACE_CASE(two_branches_write) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
  keep(x);
}

RACE_CASE(first_branch_writes_second_reads) {
  int x = 0, y = 0, seen = 0;
  its.races_on(x);
  tine::par([&] { x = 1; }, [&] { seen = its.racy ? x : y; });
  keep(seen);
}

RACE_CASE(first_branch_reads_second_writes) {
  int x = 0, y = 0, seen = 0;
  its.races_on(x);
  tine::par([&] { seen = x; }, [&] { (its.racy ? x : y) = 1; });
  keep(seen);
}

CLEAN_CASE(two_branches_read) {
  int x = 5, a = 0, b = 0;
  keep(x);
  tine::par([&] { a = x; }, [&] { b = x; });
  x = a + b;
  keep(x);
}

int shared_counter = 0;
[[gnu::noinline]] void count_up() { ++shared_counter; }

RACE_CASE(branches_call_a_function_that_counts) {
  its.races_on(shared_counter);
  tine::par([&] { count_up(); },
            [&] {
              if (its.racy) count_up();
            });
  count_up();
}

// The caller writes before and after the fork, in series with both branches.
CLEAN_CASE(caller_writes_around_fork) {
  int x = 1;
  keep(x);
  tine::par([&] { ++x; }, [] {});
  ++x;
  tine::par([] {}, [&] { ++x; });
  ++x;
  keep(x);
}

RACE_CASE(last_of_three_branches_writes) {
  int x = 0, y = 0, z = 0;
  its.races_on(x);
  tine::par([&] { x = 1; }, [&] { y = 2; }, [&] { (its.racy ? x : z) = 3; });
  keep(x);
}

RACE_CASE(middle_of_five_branches_reads_what_the_fifth_writes) {
  std::array<int, 5> of{};
  its.races_on(of[2]);
  tine::par([&] { of[0] = 1; }, [&] { of[1] = 1; }, [&] { of[2] = 1; }, [&] { of[3] = 1; },
            [&] { of[its.racy ? 2 : 4] += 1; });
  keep(of);
}

RACE_CASE(fourth_of_four_branches_reads_the_first) {
  std::array<long, 4> of{};
  long sum = 0;
  its.races_on(of[0]);
  tine::par([&] { of[0] = 1; }, [&] { of[1] = 1; }, [&] { of[2] = 1; },
            [&] {
              if (its.racy) sum = of[0];
              of[3] = 1;
            });
  keep(sum);
}

// Grandchildren of different branches are parallel to each other.
RACE_CASE(grandchildren_of_two_branches_write) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { tine::par([] {}, [&] { x = 1; }); }, [&] { tine::par([&] { (its.racy ? x : y) = 2; }, [] {}); });
  keep(x);
}

// A fork ends before the next one in the same branch begins.
CLEAN_CASE(two_forks_in_series_write) {
  int x = 0;
  tine::par([&] { x = 1; }, [] {});
  tine::par([&] { x += 2; }, [] {});
  tine::par([] {}, [&] { x += 3; });
  keep(x);
}

// The first branch has joined its own children, but not its sibling.
RACE_CASE(branch_writes_after_its_inner_join) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par(
      [&] {
        tine::par([&] { y = 1; }, [] {});
        x = 1;
      },
      [&] {
        if (its.racy) x = 2;
      });
  keep(x);
  keep(y);
}

RACE_CASE(branch_writes_before_its_inner_fork) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par(
      [&] {
        if (its.racy) x = 2;
      },
      [&] {
        x = 1;
        tine::par([&] { y = 1; }, [] {});
      });
  keep(x);
  keep(y);
}

// The continuation of a join runs after both branches.
CLEAN_CASE(combine_reads_what_branches_wrote) {
  int x = 0, y = 0;
  const int sum = tine::par([&] { return x = 1; }, [&] { return y = 2; }, [&](int a, int b) { return a + b + x + y; });
  x = sum;
  keep(x);
}

// The continuation of an inner join is parallel to the sibling of its branch.
RACE_CASE(combine_of_inner_fork_writes) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { tine::par([] { return 1; }, [] { return 2; }, [&](int a, int b) { return x = a + b; }); },
            [&] { (its.racy ? x : y) = 1; });
  keep(x);
}

long fib(int n, long* calls) {
  if (calls != nullptr) ++*calls;
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1, calls); }, [=] { return fib(n - 2, calls); },
                   [](long a, long b) { return a + b; });
}

RACE_CASE(recursion_counts_its_calls) {
  long calls = 0;
  its.races_on(calls);
  long f = fib(12, its.racy ? &calls : nullptr);
  keep(f);
}

// The last of 5,000 nested forks touches what the second branch of the outermost one writes.
void descend(int depth, int& at_the_bottom) {
  if (depth == 0) {
    ++at_the_bottom;
  } else {
    tine::par([&] { descend(depth - 1, at_the_bottom); }, [] {});
  }
}

RACE_CASE(deep_recursion) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { descend(5'000, x); }, [&] { (its.racy ? x : y) = 1; });
  keep(x);
}

void descend_right(int depth, int& at_the_bottom) {
  if (depth == 0) {
    ++at_the_bottom;
  } else {
    tine::par([] {}, [&] { descend_right(depth - 1, at_the_bottom); });
  }
}

RACE_CASE(deep_recursion_in_second_branches) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { (its.racy ? x : y) = 1; }, [&] { descend_right(5'000, x); });
  keep(x);
}

// A result that does not fit a record lies in the caller's frame.
struct large {
  std::array<int, 400> of{};
};

RACE_CASE(large_results) {
  int x = 0, y = 0;
  its.races_on(x);
  const auto [a, b] = tine::par(
      [&] {
        x = 1;
        return large{};
      },
      [&] {
        if (its.racy) y = x;
        return large{};
      });
  int sum = a.of[7] + b.of[8] + y;
  keep(sum);
}

RACE_CASE(range_of_callables) {
  std::array<int, 8> out{};
  int x = 0;
  its.races_on(x);
  std::vector<std::function<void()>> jobs;
  for (int i = 0; i < 8; ++i) {
    jobs.emplace_back([&, i] { out[static_cast<std::size_t>(i)] = i; });
  }
  if (its.racy) {
    jobs.emplace_back([&] { ++x; });
    jobs.emplace_back([&] { ++x; });
  }
  tine::par(jobs);
  keep(x);
}

RACE_CASE(range_of_callables_with_results) {
  int x = 0;
  its.races_on(x);
  std::vector<std::function<int()>> jobs;
  for (int i = 0; i < 4; ++i) {
    jobs.emplace_back([&, i] { return its.racy ? x += i : i; });
  }
  const std::vector<int> results = tine::par(jobs);
  int sum = results[0] + results[3];
  keep(sum);
}

RACE_CASE(placed_fork) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par_on(1, [&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
  keep(x);
}

// Whichever way out a spork takes, the second branch is parallel to the body.
RACE_CASE(spork_runs_its_spawn_beside_its_body) {
  int x = 0, y = 0;
  its.races_on(x);
  const auto second = [&] {
    (its.racy ? x : y) = 2;
    return 2;
  };
  int sum = tine::spork(
      [&] {
        x = 1;
        return 1;
      },
      second, [&](int a) { return a + second(); }, std::plus<>{}, [&](int a) { return a + second(); });
  keep(sum);
}

// Forks inside `sequential` are calls: nothing runs beside them but what is outside.
CLEAN_CASE(forks_inside_sequential) {
  int x = 0;
  tine::sequential([&] {
    tine::par([&] { x = 1; }, [&] { x += 2; });
    tine::par_for(0, 10, [&](int) { ++x; });
  });
  keep(x);
}

RACE_CASE(sequential_beside_a_branch) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::par([&] { tine::sequential([&] { tine::par([&] { x = 1; }, [&] { x += 2; }); }); },
            [&] { (its.racy ? x : y) = 3; });
  keep(x);
}

// A pointer that one branch stores and the other follows.
RACE_CASE(pointer_to_a_result) {
  int x = 1;
  int* p = &x;
  int seen = 0;
  int* const before = p;
  its.races_on(p);
  tine::par([&] { p = nullptr; }, [&] { seen = (its.racy ? p : before) != nullptr; });
  keep(seen);
  keep(p);
}

}  // namespace
