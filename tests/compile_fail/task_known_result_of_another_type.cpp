// A fork's result goes into a variable of the task's own result type, also for a function that is known when compiling.
#include <tine/coro.hpp>

tine::task<long> child() { co_return 1; }

tine::task<> parent() {
#ifdef MISUSE
  int result = 0;
#else
  long result = 0;
#endif
  co_await tine::fork<child>(&result);
  co_await tine::join;
}

int main() {}
