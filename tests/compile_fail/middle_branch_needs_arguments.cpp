// A branch is called without arguments; only the last of three or more arguments may take some, because it combines the results.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par([] {}, [](int) {}, [] {}, [] {});
#else
  tine::par([] {}, [](int = 1) {}, [] {}, [] {});
#endif
}
