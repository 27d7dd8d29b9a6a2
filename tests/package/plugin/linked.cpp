// Forks of a program and of a shared library it links, in the same pools.
#include "forks.hpp"

#include <tine/tine.hpp>

#include <cstdio>

namespace {

long own_fib(int n) {
  if (n < 2) return n;
  return tine::par([=] { return forked_fib(n - 1); }, [=] { return own_fib(n - 2); },
                   [](long a, long b) { return a + b; });
}

bool throws_through(tine::pool& p) {
  try {
    p.run([] { throw_from_fork(7); });
  } catch (int x) {
    return x == 7;
  }
  return false;
}

}  // namespace

int main() {
  bool right = own_fib(25) == 75025 && forked_fib(25) == 75025;
  tine::pool p{{.workers = 4, .promote = tine::promotion::eager()}};
  for (int i = 0; i < 100; ++i) right = right && p.run([] { return own_fib(14); }) == 377 && throws_through(p);
  const tine::counters done = p.counters();
  std::printf("%s, %llu steals\n", right ? "right" : "wrong", static_cast<unsigned long long>(done.steals));
  return right && done.promotions > 0 ? 0 : 1;
}
