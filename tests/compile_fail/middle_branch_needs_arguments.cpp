// Of three and more arguments only the last may take arguments: it combines the results.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par([] {}, [](int) {}, [] {}, [] {});
#else
  tine::par([] {}, [](int = 1) {}, [] {}, [] {});
#endif
}
