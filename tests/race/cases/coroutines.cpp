// Coroutines: forks, calls and joins of tasks, their frames, arrays and results, and tasks that leave their worker.
#include "../race_case.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using race_test::keep;
using tine::task;

task<> add(int& to, int n) {
  to += n;
  co_return;
}
task<int> get(const int& from) { co_return from; }

task<> fork_and_write(bool racy, int& x, int& y) {
  co_await tine::fork(add, x, 1);
  (racy ? x : y) = 5;  // the continuation is parallel to the child
  co_await tine::join;
  x += 1;
}

RACE_ON_X(task_and_its_continuation) { tine::run(fork_and_write, its.racy, x, y); }

// The result is read before the join. It lies in the frame of the task.
task<int> read_result(race_test::subject& its, int& x) {
  int result = 0, seen = 0;
  its.races_on(result);
  co_await tine::fork(&result, get, x);
  if (its.racy) seen = result;
  keep(seen);
  co_await tine::join;
  co_return seen + result;
}

RACE_CASE(result_read_before_the_join) {
  int x = 4;
  keep(x);
  int sum = tine::run(read_result, its, x);
  keep(sum);
}

task<long> count_leaves(int depth) {
  if (depth == 0) co_return 1;
  auto parts = co_await tine::scratch<long>(3);
  for (std::size_t i = 0; i < 3; ++i) co_await tine::fork(&parts[i], count_leaves, depth - 1);
  co_await tine::join;
  co_return parts[0] + parts[1] + parts[2];
}

CLEAN_CASE(scratch_arrays) {
  long leaves = tine::run(count_leaves, 6);
  keep(leaves);
}

task<> share_scratch(race_test::subject& its) {
  auto a = co_await tine::scratch<int>(4);
  for (std::size_t i = 0; i < 4; ++i) a[i] = 0;
  its.races_in(&a[0], sizeof(int));
  for (std::size_t i = 0; i < 4; ++i) co_await tine::fork(add, a[its.racy ? 0 : i], 1);
  co_await tine::join;
}

RACE_CASE(children_share_an_element_of_a_scratch_array) { tine::run(share_scratch, its); }

task<std::string> text(int n) { co_return std::string(static_cast<std::size_t>(n), 'x'); }
task<std::size_t> texts() {
  tine::eventually<std::string> a, b;
  co_await tine::fork(&a, text, 50);
  co_await tine::fork(&b, text, 60);
  const std::string c = co_await tine::call(text, 70);
  co_await tine::join;
  co_return a->size() + b->size() + c.size();
}

CLEAN_CASE(results_that_must_be_destroyed) {
  std::size_t length = tine::run(texts);
  keep(length);
}

// Managed forks inside of tasks, and tasks inside of managed forks.
task<> mixed(bool racy, int& x, std::array<int, 8>& a) {
  co_await tine::fork(add, x, 1);
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[i] = racy && i == 5 ? x : 1; });
  co_await tine::join;
}

RACE_CASE(loop_beside_a_task) {
  int x = 0;
  std::array<int, 8> a{};
  its.races_on(x);
  tine::run(mixed, its.racy, x, a);
  keep(a);
}

RACE_CASE(tasks_as_bodies_of_a_loop) {
  std::array<int, 8> a{};
  its.races_on(a[0]);
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) -> task<> { return add(a[its.racy ? 0 : i], 1); });
  keep(a);
}

RACE_ON_X(tasks_as_branches) {
  tine::par([&] { tine::run(add, x, 1); }, [&] { tine::run(add, its.racy ? x : y, 1); });
}

task<> throwing(int& x) {
  x = 1;
  throw std::runtime_error{"as intended"};
  co_return;
}
task<> catching(bool racy, int& x, int& y) {
  try {
    co_await tine::fork(throwing, x);
    (racy ? x : y) = 2;
    co_await tine::join;
  } catch (const std::runtime_error&) {
    x = 3;
  }
  x = 4;
}

RACE_ON_X(task_that_throws) { tine::run(catching, its.racy, x, y); }

// A task that asks for the worker on which it is.
task<> moving(bool racy, int& x, int& y) {
  co_await tine::fork(add, x, 1);
  co_await tine::resume_on(tine::this_worker());
  (racy ? x : y) = 2;
  co_await tine::join;
  co_await tine::resume_on(tine::this_worker());
  x = 3;
}

TINE_CASE(task_that_resumes_on_its_worker, always, never, nullptr) {
  int x = 0, y = 0;
  its.races_on(x);
  tine::run(moving, its.racy, x, y);
  keep(x);
}

// Arguments go by value into the frame of the child.
task<> by_value(std::vector<int> v, int& x) {
  v.push_back(1);
  x = static_cast<int>(v.size());
  co_return;
}
task<> hand_over(bool racy, int& x, int& y) {
  std::vector<int> v(10);
  co_await tine::fork(by_value, v, x);
  v.clear();
  if (racy) y = x;
  co_await tine::join;
}

RACE_ON_X(arguments_by_value) { tine::run(hand_over, its.racy, x, y); }

task<> deep(int depth, int& x) {
  if (depth == 0) {
    ++x;
  } else {
    co_await tine::fork(deep, depth - 1, x);
    co_await tine::join;
  }
}
task<> deep_beside(bool racy, int& x, int& y) {
  co_await tine::fork(deep, 2'000, x);
  ++(racy ? x : y);
  co_await tine::join;
}

TINE_CASE(deep_recursion_of_tasks, always, never, "false races without optimisation") {
  int x = 0, y = 0;
  its.races_on(x);
  tine::run(deep_beside, its.racy, x, y);
  keep(x);
}

}  // namespace
