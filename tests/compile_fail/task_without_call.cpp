// A task is awaited through tine::call.
#include <tine/coro.hpp>

tine::task<int> leaf(int n) { co_return n; }

tine::task<int> parent() {
#ifdef MISUSE
  co_return co_await leaf(1);
#else
  co_return co_await tine::call(leaf, 1);
#endif
}

int main() {}
