// Fibonacci's function by forks: a small program that forks much.
#pragma once

#include <tine/managed.hpp>

namespace tine::test {

inline long fib(int n) {
  if (n < 2) return n;
  return par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

}  // namespace tine::test
