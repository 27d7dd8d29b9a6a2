// A branch is called without arguments.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto g = [](int x) { return x; };
#else
  auto g = [](int x = 2) { return x; };
#endif
  auto [a, b] = tine::par([] { return 1; }, g);
  return a + b;
}
