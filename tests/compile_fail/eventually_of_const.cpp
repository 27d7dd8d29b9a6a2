// eventually holds a plain object type.
#include <tine/coro.hpp>

tine::task<> parent() {
#ifdef MISUSE
  const tine::eventually<const long> e;
#else
  const tine::eventually<long> e;
#endif
  static_cast<void>(e);
  co_return;
}

int main() {}
