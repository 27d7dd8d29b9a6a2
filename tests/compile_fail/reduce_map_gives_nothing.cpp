// The map of a reduction has a result.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto map = [](int) {};
#else
  auto map = [](int i) { return i; };
#endif
  return tine::par_reduce(0, 10, 0, map, [](int a, int b) { return a + b; });
}
