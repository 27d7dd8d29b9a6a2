// The first branch, too, is called without arguments.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par([](int) {}, [] {});
#else
  tine::par([](int = 1) {}, [] {});
#endif
}
