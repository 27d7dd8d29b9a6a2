// Loops count with integers.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par_for(0.0, 1.0, [](double) {});
#else
  tine::par_for(0, 1, [](int) {});
#endif
}
