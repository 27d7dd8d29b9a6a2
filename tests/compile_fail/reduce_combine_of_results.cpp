// Results of pieces are combined with each other, not only with results of the map.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  struct item {};
  auto map = [](int) { return item{}; };
  auto count = [](int n, item) { return n + 1; };
#else
  auto map = [](int) { return 1; };
  auto count = [](int n, int m) { return n + m; };
#endif
  return tine::par_reduce(0, 10, 0, map, count);
}
