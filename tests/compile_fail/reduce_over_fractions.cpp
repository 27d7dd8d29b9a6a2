// Reductions count with integers.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  tine::par_reduce(0.0F, 1, 0.0F, [](float x) { return x; }, [](float a, float b) { return a + b; });
#else
  tine::par_reduce(0, 1, 0.0F, [](int x) { return static_cast<float>(x); }, [](float a, float b) { return a + b; });
#endif
}
