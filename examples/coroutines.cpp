// Coroutines that walk a tree: a fork for each child, with the results in an array on the task's own stack.
#include <tine/coro.hpp>

#include <cstdio>

namespace {

/// Counts the nodes of a tree in which a node on level d has d % 3 + 1 children, down to level `depth`.
tine::task<long> count(int level, int depth) {
  if (level == depth) co_return 1;
  const int children = level % 3 + 1;
  auto nodes = co_await tine::scratch<long>(static_cast<std::size_t>(children));
  for (int i = 0; i < children; ++i) co_await tine::fork<count>(&nodes[static_cast<std::size_t>(i)], level + 1, depth);
  co_await tine::join;
  long sum = 1;
  for (const long n : nodes) sum += n;
  co_return sum;
}

tine::task<long> fib(long n) {
  if (n < 2) co_return n;
  long a;
  co_await tine::fork<fib>(&a, n - 1);  // the child runs at once; a thief may steal the code that follows
  const long b = co_await tine::call<fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

}  // namespace

int main() {
  const long nodes = tine::run(count, 0, 20);
  const long f = tine::run(fib, 25);
  std::printf("%ld nodes, fib(25) = %ld\n", nodes, f);
  return nodes == 223948 && f == 75025 ? 0 : 1;
}
