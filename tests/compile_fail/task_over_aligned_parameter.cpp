// Compilers do not align the parameters in a frame to more than 16 bytes.
#include <tine/coro.hpp>

struct alignas(64) line {
  char bytes[64];
};

#ifdef MISUSE
tine::task<char> child(line l) { co_return l.bytes[0]; }
#else
tine::task<char> child(const line& l) { co_return l.bytes[0]; }
#endif

tine::task<char> parent(const line& l) { co_return co_await tine::call(child, l); }

int main() {}
