// Forks and loops in all ways that programs have, for sites_test.py. A comment says what a line's site must have: forks
// and loops, or `here` if their number is the library's business; `perhaps` if there need not be any. No other line may
// have a site.
#include <tine/pstl.hpp>  // before the standard library

#include "wrap.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>
#include <tine/algo/reduce.hpp>
#include <tine/algo/sort.hpp>
#include <tine/c.h>
#include <tine/managed/task_group.hpp>
#include <tine/tine.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

#define CASE [[gnu::noinline]] void

namespace {

std::atomic<long> count{0};
void tick() { count.fetch_add(1, std::memory_order_relaxed); }

std::vector<int> numbers(int n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i * 7919 % 1'009;
  return all;
}

// --- tine's own interface ---

CASE case_par() {
  tine::par(tick, tick);  // forks 1
}
CASE case_par_of_four() {
  tine::par(tick, tick, tick, tick);  // forks 3
}
CASE case_par_of_ten() {
  tine::run([] {
    tine::par(tick, tick, tick, tick, tick, tick, tick, tick, tick, tick);  // forks 9
  });
}
CASE case_loop() {
  tine::par_for(0, 100, [](int) { tick(); });  // loops 1
}
CASE case_reduction() {
  count += tine::par_reduce(0, 100, 0L, [](int i) { return long{i}; }, std::plus<>{});  // loops 1
}
CASE case_fork_in_loop() {
  const auto body = [](int) {
    tine::par(tick, tick);  // forks 10
  };
  tine::par_for(0, 10, body);  // loops 1
}
CASE case_loop_in_fork() {
  const auto branch = [] {
    tine::par_for(0, 10, [](int) { tick(); });  // loops 2
  };
  tine::par(branch, branch);  // forks 1
}
[[gnu::noinline]] long case_fib(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
  tine::par([&] { a = case_fib(n - 1); }, [&] { b = case_fib(n - 2); });  // forks 986
  return a + b;
}
CASE case_group() {
  tine::task_group group;
  for (int i = 0; i < 10; ++i) group.run(tick);
  group.wait();  // perhaps: outside of pools, another thread may have run them
}
CASE case_submitted() {
  const auto root = [] {
    tine::par(tick, tick);  // forks 1
  };
  tine::submit(root).get();
}
CASE case_submitted_wrapper() {
  tine::submit([] { wrap::erased_for(10, [](int) { tick(); }); }).get();  // loops 1
}
int tick_of_c(void*) {
  tick();
  return 0;
}
CASE case_c() {
  tine_par2(tick_of_c, nullptr, tick_of_c, nullptr);  // forks 1
}
CASE case_algorithms() {
  std::vector<int> all = numbers(20'000);
  tine::sort(all);                                // here
  count += tine::reduce(all, 0L, std::plus<>{});  // here
}

// --- wrappers ---

CASE case_wrapped_loop() {
  wrap::parallel_for(100, [](int) { tick(); });  // loops 1
}
CASE case_wrapped_fork() {
  wrap::both(tick, tick);  // forks 1
}
CASE case_erased() {
  wrap::erased_for(100, [](int) { tick(); });  // loops 1
}
CASE case_wrapped_sort() {
  std::vector<int> all = numbers(20'000);
  wrap::sort(all);  // here
}
CASE case_nested_wrappers() {
  const auto inner = [](int) {
    wrap::erased_for(10, [](int) { tick(); });  // loops 10
  };
  wrap::parallel_for(10, inner);  // loops 1
}
CASE case_constructor() {
  wrap::sequence all{1'000};  // loops 1
  count += all.all()[1];
}

// --- the standard library ---

CASE case_std_for_each() {
  std::vector<int> all = numbers(20'000);
  std::for_each(std::execution::par, all.begin(), all.end(), [](int& i) { ++i; });  // here
}
CASE case_std_sort() {
  std::vector<int> all = numbers(20'000);
  std::sort(std::execution::par, all.begin(), all.end());  // here
}
CASE case_std_reduce() {
  std::vector<int> all = numbers(20'000);
  count += std::reduce(std::execution::par, all.begin(), all.end(), 0L);  // here
}
CASE case_std_function() {
  const std::function<void()> forks = [] {
    tine::par(tick, tick, tick);  // forks 2
  };
  forks();
}

// --- oneTBB ---

CASE case_tbb_for() {
  tbb::parallel_for(0, 100, [](int) { tick(); });  // here
}
CASE case_tbb_range() {
  using range = tbb::blocked_range<int>;
  tbb::parallel_for(range{0, 1'000}, [](const range& r) { count += r.end() - r.begin(); });  // here
}
CASE case_tbb_invoke() {
  tbb::parallel_invoke(tick, tick, tick);  // forks 2
}
CASE case_tbb_reduce() {
  using range = tbb::blocked_range<int>;
  const auto add = [](const range& r, long so_far) { return so_far + (r.end() - r.begin()); };
  count += tbb::parallel_reduce(range{0, 1'000}, 0L, add, std::plus<>{});  // here
}
CASE case_tbb_group() {
  tbb::task_group group;
  group.run(tick);
  group.run(tick);
  group.wait();  // perhaps
}

// --- coroutines ---

tine::task<long> case_task(int n) {
  if (n < 2) co_return n;
  long a = 0;
  co_await tine::fork(&a, case_task, n - 1);  // forks 88
  const long b = co_await tine::call(case_task, n - 2);
  co_await tine::join;
  co_return a + b;
}
tine::task<long> case_deep(int n) {
  long a = 0;
  if (n == 0) co_return 1;
  co_await tine::fork(&a, case_deep, n - 1);  // forks 5000
  co_await tine::join;
  co_return a + 1;
}
tine::task<long> one() { co_return 1; }
CASE case_wrapped_task() {
  count += tine::run(wrap::twice<tine::task<long> (*)()>, &one);  // forks 1
}

void run_all() {
  for (const auto each : {case_par,
                          case_par_of_four,
                          case_par_of_ten,
                          case_loop,
                          case_reduction,
                          case_fork_in_loop,
                          case_loop_in_fork,
                          case_group,
                          case_submitted,
                          case_submitted_wrapper,
                          case_c,
                          case_algorithms,
                          case_wrapped_loop,
                          case_wrapped_fork,
                          case_erased,
                          case_wrapped_sort,
                          case_nested_wrappers,
                          case_constructor,
                          case_std_for_each,
                          case_std_sort,
                          case_std_reduce,
                          case_std_function,
                          case_tbb_for,
                          case_tbb_range,
                          case_tbb_invoke,
                          case_tbb_reduce,
                          case_tbb_group})
    each();
  count += case_fib(15) + tine::run(case_task, 10) + tine::run(case_deep, 5'000);
}

}  // namespace

// With an argument all cases are a single root. Otherwise each call of a library is one.
int main(int argc, char**) {
  argc > 1 ? tine::run(run_all) : run_all();
  case_wrapped_task();
  std::printf("%ld\n", count.load() != 0 ? 7L : 0L);
}
