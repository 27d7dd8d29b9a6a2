// The combining function takes the results of the branches: nothing converts a string to a number.
#include <tine/tine.hpp>

#include <string>

int main() {
  auto sum = [](int a, int b) { return a + b; };
#ifdef MISUSE
  auto g = [] { return std::string{"2"}; };
#else
  auto g = [] { return 2; };
#endif
  return tine::par([] { return 1; }, g, sum);
}
