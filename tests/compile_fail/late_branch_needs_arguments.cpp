// A branch between others and the callable that combines the results is called without arguments, too.
#include <tine/tine.hpp>

int main() {
  auto sum = [](int a, int b, int c, int d) { return a + b + c + d; };
#ifdef MISUSE
  tine::par([] { return 1; }, [] { return 2; }, [] { return 3; }, [](int x) { return x; }, sum);
#else
  tine::par([] { return 1; }, [] { return 2; }, [] { return 3; }, [](int x = 4) { return x; }, sum);
#endif
}
