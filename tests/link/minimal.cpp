// A program with one fork, whose symbols linking_test.py reads.
#include <tine/tine.hpp>

int main() {
  const int sum = tine::par([] { return 1; }, [] { return 2; }, [](int a, int b) { return a + b; });
  return sum == 3 ? 0 : 1;
}
