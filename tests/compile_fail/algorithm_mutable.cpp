// Several workers call the function of an algorithm at once, so it must not be mutable.
#include <tine/algo/count_if.hpp>

#include <vector>

int main() {
  const std::vector<int> items;
#ifdef MISUSE
  int calls = 0;
  return static_cast<int>(tine::count_if(items, [calls](int) mutable { return ++calls > 1; }));
#else
  return static_cast<int>(tine::count_if(items, [](int k) { return k > 1; }));
#endif
}
