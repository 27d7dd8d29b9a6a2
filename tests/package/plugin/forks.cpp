#include "forks.hpp"

#include <tine/tine.hpp>

extern "C" long forked_fib(int n) {
  if (n < 2) return n;
  return tine::par([=] { return forked_fib(n - 1); }, [=] { return forked_fib(n - 2); },
                   [](long a, long b) { return a + b; });
}

extern "C" void throw_from_fork(int x) {
  tine::par([] {}, [=] { throw x; });
}
