// The smallest program that uses tine.
#include <tine/tine.hpp>

#include <cstdio>

long fib(int n) {
  if (n < 2) return n;
  return tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

int main() {
  const long answer = fib(27);
  std::printf("fib(27) = %ld on %u workers\n", answer, tine::default_pool().workers());
  return answer == 196418 ? 0 : 1;
}
