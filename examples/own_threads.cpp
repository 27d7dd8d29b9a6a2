// Two ways to decide where tasks run: on the calling thread alone, and on threads of the program's own.
#include <tine/coro.hpp>
#include <tine/stop.hpp>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

tine::task<long> fib(long n) {
  if (n < 2) co_return n;
  long a;
  co_await tine::fork<fib>(&a, n - 1);
  const long b = co_await tine::call<fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

/// Runs all tasks on the calling thread, in serial order.
long run_inline() {
  tine::pool alone{{.workers = 1}};
  return alone.run(fib, 25);
}

/// Runs the tasks on the calling thread and on threads that the program itself starts and stops.
long run_on_own_threads() {
  tine::pool p{{.workers = 1, .pin = tine::affinity::none}};
  std::vector<std::jthread> mine;
  for (int i = 0; i < 3; ++i) {
    mine.emplace_back([&p](std::stop_token stop) { tine::work_for(p, stop); });
  }
  return p.run(fib, 25);
}

}  // namespace

int main() {
  const long here = run_inline();
  const long there = run_on_own_threads();
  std::printf("fib(25) = %ld on one thread, %ld on four\n", here, there);
  return here == 75025 && there == 75025 ? 0 : 1;
}
