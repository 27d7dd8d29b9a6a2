// A forked member function refers to its object.
#include <tine/coro.hpp>

struct counter {
  long n = 0;
  tine::task<> up() {
    ++n;
    co_return;
  }
};

tine::task<> parent() {
#ifdef MISUSE
  co_await tine::fork(&counter::up, counter{});
#else
  counter c;
  co_await tine::fork(&counter::up, c);
#endif
  co_await tine::join;
}

int main() {}
