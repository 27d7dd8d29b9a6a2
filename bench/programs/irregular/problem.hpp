// Loops whose iterations differ so much that a grain, chosen before the loop begins, is wrong somewhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace bench::irregular {

enum class shape {
  triangle_up,    ///< row i has i items, in a loop of its own
  triangle_down,  ///< row i has n - 1 - i items
  heavy_first,    ///< the first iteration takes a third of the time of all
  heavy_last,     ///< the last iteration takes a third of the time of all
  forks,          ///< every iteration is a tree of forks
  tiny,           ///< an inner loop of 0, 1, 2 or 3 iterations
  jump_up,        ///< the second half of the iterations takes ten thousand times as long as the first
  jump_down,      ///< the first half takes ten thousand times as long as the second
};

inline const std::map<std::string, shape> shapes = {
    {"triangle-up", shape::triangle_up},
    {"triangle-down", shape::triangle_down},
    {"heavy-first", shape::heavy_first},
    {"heavy-last", shape::heavy_last},
    {"forks", shape::forks},
    {"tiny", shape::tiny},
    {"jump-up", shape::jump_up},
    {"jump-down", shape::jump_down},
};

struct problem {
  shape kind = shape::triangle_up;
  bool quick = false;  ///< selects a size that takes a tenth of the time
  std::uint64_t answer = 0;

  /// Returns the number of iterations of the outer loop.
  std::int64_t n() const;
  /// Returns the sum over all items, computed by a plain loop over them instead of the nest.
  std::uint64_t expected() const;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::irregular
