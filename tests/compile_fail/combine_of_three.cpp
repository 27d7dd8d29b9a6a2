// With three branches, too, the combining function takes the results of all.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto sum = [](int a, int b) { return a + b; };
#else
  auto sum = [](int a, int b, int c) { return a + b + c; };
#endif
  return tine::par([] { return 1; }, [] { return 2; }, [] { return 3; }, sum);
}
