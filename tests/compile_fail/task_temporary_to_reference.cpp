// A forked task that takes a reference needs an object that lives until the join.
#include <tine/coro.hpp>

tine::task<> child(const long& v) {
  static_cast<void>(v);
  co_return;
}

tine::task<> parent() {
#ifdef MISUSE
  co_await tine::fork(child, 5L);
#else
  const long v = 5;
  co_await tine::fork(child, v);
#endif
  co_await tine::join;
}

int main() {}
