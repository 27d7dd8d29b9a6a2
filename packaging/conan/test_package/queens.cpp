// Counts the solutions of eight queens with the package that Conan has just built.
#include <tine/tine.hpp>

#include <cstdio>

static long queens(unsigned all, unsigned columns, unsigned left, unsigned right, unsigned free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const unsigned here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  return tine::par([=] { return queens(all, c, l, r, all & ~(c | l | r)); },
                   [=] { return queens(all, columns, left, right, free & ~here); },
                   [](long with, long without) { return with + without; });
}

int main() {
  const long solutions = queens(0xff, 0, 0, 0, 0xff);
  std::printf("8 queens: %ld solutions\n", solutions);
  return solutions == 92 ? 0 : 1;
}
