// A loop takes iterators only if they are random access iterators.
#include <tine/tine.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISUSE
  std::list<int> items;
  tine::par_for(items.begin(), items.end(), [](int) {});
#else
  std::vector<int> items;
  tine::par_for(items.begin(), items.end(), [](int) {});
#endif
}
