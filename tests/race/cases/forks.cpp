// Branches of forks, and what they share with each other and with the code around the fork.
#include "../race_case.hpp"

#include <tine/replay.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

using race_test::keep;

RACE_ON_X(two_branches_write) {
  tine::par([&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
}

RACE_CASE(middle_of_five_branches_reads_what_the_fifth_writes) {
  std::array<int, 5> of{};
  its.races_on(of[2]);
  tine::par([&] { of[0] = 1; }, [&] { of[1] = 1; }, [&] { of[2] = 1; }, [&] { of[3] = 1; },
            [&] { of[its.racy ? 2 : 4] += 1; });
  keep(of);
}

// The continuation of a join runs after both branches.
CLEAN_CASE(combine_reads_what_branches_wrote) {
  int x = 0, y = 0;
  const int sum = tine::par([&] { return x = 1; }, [&] { return y = 2; }, [&](int a, int b) { return a + b + x + y; });
  x = sum;
  keep(x);
}

// A read that races doesn't hide the writer from a read that follows it. The detector has just learned from `other` that
// the first strand comes before the second one.
template <class T>
struct read_twice {
  T x = 0, y = 0;
  int other = 0;

  void run(race_test::subject& its) {
    its.races_on(x);
    its.pairs = 2;
    T& read = its.racy ? x : y;
    tine::par([&] { x = 1; },
              [&] {
                T first = 0, second = 0;
                tine::par([&] { first = other + read; }, [] {});
                second = other;
                keep(second);
                second += read;
                keep(first);
                keep(second);
              });
  }
};

RACE_CASE(two_reads_in_series_race_with_a_write) {
  read_twice<int> of;
  of.run(its);
  keep(of);
}
RACE_CASE(two_reads_in_series_race_with_a_write_of_a_global) {
  alignas(4096) static read_twice<int> of;
  of.run(its);
}
RACE_CASE(two_reads_in_series_race_with_a_write_of_two_cells) {
  alignas(4096) static read_twice<long> of;
  of.other = 1;  // now the cells are as large as an int
  of.run(its);
}

// The continuation of an inner join is parallel to the sibling of its branch.
RACE_ON_X(combine_of_inner_fork_writes) {
  tine::par([&] { tine::par([] { return 1; }, [] { return 2; }, [&](int a, int b) { return x = a + b; }); },
            [&] { (its.racy ? x : y) = 1; });
}

// The last of 5,000 nested forks touches what the second branch of the outermost one writes.
void descend(int depth, int& at_the_bottom) {
  if (depth == 0) {
    ++at_the_bottom;
  } else {
    tine::par([&] { descend(depth - 1, at_the_bottom); }, [] {});
  }
}

RACE_ON_X(deep_recursion) {
  tine::par([&] { descend(5'000, x); }, [&] { (its.racy ? x : y) = 1; });
}

void descend_right(int depth, int& at_the_bottom) {
  if (depth == 0) {
    ++at_the_bottom;
  } else {
    tine::par([] {}, [&] { descend_right(depth - 1, at_the_bottom); });
  }
}

RACE_ON_X(deep_recursion_in_second_branches) {
  tine::par([&] { (its.racy ? x : y) = 1; }, [&] { descend_right(5'000, x); });
}

// A result that does not fit a record lies in the caller's frame.
struct large {
  std::array<int, 400> of{};
};

RACE_ON_X(large_results) {
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

RACE_ON_X(reference_that_a_branch_returns) {
  tine::par(
      [&] {
        auto [a, b] = tine::par([&]() -> int& { return x; }, [&]() -> int& { return y; });
        a = 1;
        b = 1;
      },
      [&] {
        if (its.racy) ++x;
      });
}

RACE_ON_X(placed_fork) {
  tine::par_on(1, [&] { x = 1; }, [&] { (its.racy ? x : y) = 2; });
}

}  // namespace
