// The body of a loop takes the index.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par_for(0, 10, [] {});
#else
  tine::par_for(0, 10, [](int) {});
#endif
}
