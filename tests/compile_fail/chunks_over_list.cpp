// par_for_chunks takes a range only if its iterators are random access iterators.
#include <tine/tine.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISUSE
  std::list<int> items;
  tine::par_for_chunks(items, [](auto, auto) {});
#else
  std::vector<int> items;
  tine::par_for_chunks(items, [](auto, auto) {});
#endif
}
