// The combining function takes the results of both branches.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  auto sum = [](int a) { return a; };
#else
  auto sum = [](int a, int b) { return a + b; };
#endif
  return tine::par([] { return 1; }, [] { return 2; }, sum);
}
