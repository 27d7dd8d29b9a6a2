// par_for takes a range only if its iterators are random access iterators.
#include <tine/tine.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISUSE
  std::list<int> items;
  tine::par_for(items, [](int) {});
#else
  std::vector<int> items;
  tine::par_for(items, [](int) {});
#endif
}
