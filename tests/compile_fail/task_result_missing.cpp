// A task with a result needs a place for it.
#include <tine/coro.hpp>

tine::task<long> child() { co_return 1; }

tine::task<> parent() {
#ifdef MISUSE
  co_await tine::fork(child);
#else
  long result = 0;
  co_await tine::fork(&result, child);
#endif
  co_await tine::join;
}

int main() {}
