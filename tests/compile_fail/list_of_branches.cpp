// A range of callables has random access iterators.
#include <tine/tine.hpp>

#include <list>
#include <vector>

int main() {
#ifdef MISUSE
  std::list<void (*)()> jobs;
  tine::par(jobs);
#else
  std::vector<void (*)()> jobs;
  tine::par(jobs);
#endif
}
