// Only tasks can be forked and called.
#include <tine/coro.hpp>

#ifdef MISUSE
long child() { return 1; }
#else
tine::task<long> child() { co_return 1; }
#endif

tine::task<long> parent() { co_return co_await tine::call(child); }

int main() {}
