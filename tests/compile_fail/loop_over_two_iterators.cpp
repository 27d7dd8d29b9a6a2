// Both iterators of a loop have the same type.
#include <tine/tine.hpp>

#include <vector>

int main() {
  std::vector<int> items;
#ifdef MISUSE
  tine::par_for(items.begin(), items.cend(), [](int) {});
#else
  tine::par_for(items.cbegin(), items.cend(), [](int) {});
#endif
}
