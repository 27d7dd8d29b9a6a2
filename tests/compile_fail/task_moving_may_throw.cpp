// Moving an argument of a fork must not throw, because it is too late for an exception then.
#include <tine/coro.hpp>

struct brittle {
  brittle() = default;
#ifdef MISUSE
  brittle(const brittle&) {}
#else
  brittle(const brittle&) noexcept {}
#endif
};

tine::task<> child(brittle) { co_return; }

tine::task<> parent() {
  co_await tine::fork(child, brittle{});
  co_await tine::join;
}

int main() {}
