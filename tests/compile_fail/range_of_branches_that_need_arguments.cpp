// The callables of a range are called without arguments.
#include <tine/tine.hpp>

#include <vector>

int main() {
#ifdef MISUSE
  std::vector<void (*)(int)> jobs;
  tine::par(jobs);
#else
  std::vector<void (*)()> jobs;
  tine::par(jobs);
#endif
}
