// An algorithm must know the length of its range before it begins.
#include <tine/algo/find_if.hpp>

#include <iterator>

int main() {
  const int items[] = {1, 2, 3};
  const auto is_three = [](int k) { return k == 3; };
#ifdef MISUSE
  return *tine::find_if(items, std::unreachable_sentinel, is_three);
#else
  return *tine::find_if(items, items + 3, is_three);
#endif
}
