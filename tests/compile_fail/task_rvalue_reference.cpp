// The object of an rvalue reference is gone when the task continues elsewhere.
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
