// The combine of a reduction takes what there is so far and what the map gave.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto sum = [](int a) { return a; };
#else
  auto sum = [](int a, int b) { return a + b; };
#endif
  return tine::par_reduce(0, 10, 0, [](int i) { return i; }, sum);
}
