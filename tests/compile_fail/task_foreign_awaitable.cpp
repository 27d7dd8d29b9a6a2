// A task may await only awaitables of tine.
#include <tine/coro.hpp>

#include <coroutine>

tine::task<> parent() {
#ifdef MISUSE
  co_await std::suspend_always{};
#else
  co_await tine::join;
#endif
}

int main() {}
