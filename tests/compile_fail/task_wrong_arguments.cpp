// The callable must take the arguments.
#include <tine/coro.hpp>

tine::task<long> child(long v) { co_return v; }

tine::task<long> parent() {
  long result = 0;
#ifdef MISUSE
  co_await tine::fork(&result, child, "five");
#else
  co_await tine::fork(&result, child, 5);
#endif
  co_await tine::join;
  co_return result;
}

int main() {}
