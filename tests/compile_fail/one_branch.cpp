// One branch is no fork.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par([] { return 1; });
#else
  tine::par([] { return 1; }, [] {});
#endif
}
