// A task would refer to the captures of a temporary lambda.
#include <tine/coro.hpp>

tine::task<> parent() {
  long v = 5;
#ifdef MISUSE
  co_await tine::fork([&v]() -> tine::task<> {
    ++v;
    co_return;
  });
#else
  const auto child = [&v]() -> tine::task<> {
    ++v;
    co_return;
  };
  co_await tine::fork(child);
#endif
  co_await tine::join;
}

int main() {}
