// The combine of a reduction takes the result so far and a result of the map.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto sum = [](int a) { return a; };
#else
  auto sum = [](int a, int b) { return a + b; };
#endif
  return tine::par_reduce(0, 10, 0, [](int i) { return i; }, sum);
}
