// Several workers call the body of a loop at once, so it must not be mutable.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  int calls = 0;
  tine::par_for(0, 10, [calls](int) mutable { ++calls; });
#else
  tine::par_for(0, 10, [](int) {});
#endif
}
