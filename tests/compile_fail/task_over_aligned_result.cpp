// A call would keep its result in a frame, and compilers do not align the frame to more than 16 bytes.
#include <tine/coro.hpp>

struct alignas(64) line {
  char bytes[64];
};

tine::task<line> child() { co_return line{}; }

tine::task<> parent() {
#ifdef MISUSE
  co_await tine::call(child);
#else
  auto place = co_await tine::scratch<line>(1);
  co_await tine::fork(&place[0], child);
  co_await tine::join;
#endif
}

int main() {}
