// Fibonacci's function by tasks.
#pragma once

#include <tine/coro.hpp>

namespace tine::test {

inline task<long> task_fib(long n) {
  if (n < 2) co_return n;
  long a = 0;
  co_await fork<task_fib>(&a, n - 1);
  const long b = co_await call(task_fib, n - 2);
  co_await join;
  co_return a + b;
}

}  // namespace tine::test
