// A function that returns a task and is no coroutine has no task to return.
#include <tine/coro.hpp>

#ifdef MISUSE
tine::task<int> child(int) { return {}; }
#else
tine::task<int> child(int n) { co_return n; }
#endif

tine::task<int> parent() { co_return co_await tine::call(child, 1); }

int main() {}
