// An algorithm takes a range only if its iterators are random access iterators.
#include <tine/algo/count_if.hpp>

#include <list>
#include <vector>

int main() {
  const auto is_odd = [](int k) { return k % 2 != 0; };
#ifdef MISUSE
  const std::list<int> items;
#else
  const std::vector<int> items;
#endif
  return static_cast<int>(tine::count_if(items, is_odd));
}
