// Counts the solutions of the n-queens problem, forking at every square.
#include <tine/tine.hpp>

#include <cstdio>

// Queens stand on the columns and diagonals whose bits are set; `free` has the squares of this row that are still to be
// tried.
static long queens(unsigned all, unsigned columns, unsigned left, unsigned right, unsigned free) {
  if (columns == all) return 1;
  if (free == 0) return 0;
  const unsigned here = free & -free, c = columns | here, l = (left | here) << 1, r = (right | here) >> 1;
  return tine::par([=] { return queens(all, c, l, r, all & ~(c | l | r)); },         // a queen on this square
                   [=] { return queens(all, columns, left, right, free & ~here); },  // or on a later one
                   [](long with, long without) { return with + without; });
}

int main() {
  const long solutions = queens((1U << 12) - 1, 0, 0, 0, (1U << 12) - 1);
  std::printf("12 queens: %ld solutions\n", solutions);
  return solutions == 14200 ? 0 : 1;
}
