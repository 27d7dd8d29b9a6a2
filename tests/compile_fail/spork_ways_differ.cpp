// All ways out of a spork give the same type.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto stolen = [](int a, int) -> long { return a; };
#else
  auto stolen = [](int a, int b) { return a + b; };
#endif
  auto keep = [](int a) { return a; };
  return static_cast<int>(tine::spork([] { return 1; }, [] { return 2; }, keep, stolen, keep));
}
