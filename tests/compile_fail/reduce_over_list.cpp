// par_reduce takes a range only if its iterators are random access iterators.
#include <tine/tine.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISUSE
  std::list<int> items;
  tine::par_reduce(items, 0, [](int x) { return x; }, [](int a, int b) { return a + b; });
#else
  std::vector<int> items;
  tine::par_reduce(items, 0, [](int x) { return x; }, [](int a, int b) { return a + b; });
#endif
}
