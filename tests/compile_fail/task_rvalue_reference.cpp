// What an rvalue reference refers to is gone when the task goes on elsewhere.
#include <tine/coro.hpp>

#ifdef MISUSE
tine::task<> child(long&& v) {
#else
tine::task<> child(long v) {
#endif
  static_cast<void>(v);
  co_return;
}

tine::task<> parent() { co_await tine::call(child, 5L); }

int main() {}
