// Loops over chunks count with integers.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par_for_chunks(0, 1.0, [](double, double) {});
#else
  tine::par_for_chunks(0, 1, [](int, int) {});
#endif
}
