// A loop would be empty if the usual conversions changed its begin.
#include <tine/managed.hpp>

#include <vector>

int main() {
  std::vector<int> v(10);
  tine::par_for(0, v.size(), [](auto) {});
#ifdef MISUSE
  tine::par_for(-1, v.size(), [](auto) {});
#else
  tine::par_for(-1, static_cast<int>(v.size()), [](auto) {});
#endif
}
