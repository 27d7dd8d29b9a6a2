// Loops whose iterations differ so much that a grain, chosen before the loop begins, is wrong somewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench {

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

inline const std::vector<std::pair<std::string, shape>> shapes = {
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
  /// Returns a description of the mistake in the answer; empty if it is right.
  std::string mistake() const;
};

// The loops of each shape, as templates over the kinds of the outer and the inner loops.

struct plus {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

/// Computes `steps` steps of a hash, about two nanoseconds each.
[[gnu::always_inline]] inline std::uint64_t hash_of(std::uint64_t x, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) x = (x ^ x >> 32) * 0x5851f42d4c957f2d;
  return x;
}

inline std::uint64_t item(std::int64_t row, std::int64_t column) {
  return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(column);
}

constexpr std::int64_t item_steps = 2;
constexpr std::int64_t jump = 10'000;
constexpr std::int64_t light_steps = 50;
constexpr int leaves = 64;
constexpr std::int64_t leaf_steps = 30;

/// Returns the number of steps of iteration i in loops without a nest.
inline std::int64_t steps_of(shape kind, std::int64_t n, std::int64_t i) {
  if (kind == shape::heavy_first) return i == 0 ? n / 2 * light_steps : light_steps;
  if (kind == shape::heavy_last) return i == n - 1 ? n / 2 * light_steps : light_steps;
  if (kind == shape::jump_up) return i < n / 2 ? item_steps : item_steps * jump;
  return i < n / 2 ? item_steps * jump : item_steps;
}

/// Returns the length of the inner loop.
inline std::int64_t length_of(shape kind, std::int64_t n, std::int64_t i) {
  if (kind == shape::triangle_up) return i;
  if (kind == shape::triangle_down) return n - 1 - i;
  return i % 4;
}

template <class Loops>
std::uint64_t tree(const Loops& loops, std::int64_t row, int from, int to) {
  if (to - from == 1) return hash_of(item(row, from), leaf_steps);
  const int middle = from + (to - from) / 2;
  const auto first = [&loops, row, from, middle] { return tree(loops, row, from, middle); };
  const auto second = [&loops, row, middle, to] { return tree(loops, row, middle, to); };
  return loops.fork(first, second, plus{});
}

template <class Outer, class Inner>
std::uint64_t sum(const problem& p, const Outer& outer, const Inner& inner) {
  const std::int64_t n = p.n(), zero = 0;
  const shape kind = p.kind;
  const std::uint64_t nothing = 0;
  switch (kind) {
    case shape::triangle_up:
    case shape::triangle_down:
    case shape::tiny:
      return outer.reduce(
          zero, n, nothing,
          [&inner, kind, n](std::int64_t i) {
            return inner.reduce(
                std::int64_t{0}, length_of(kind, n, i), std::uint64_t{0},
                [i](std::int64_t j) { return hash_of(item(i, j), item_steps); }, plus{});
          },
          plus{});
    case shape::forks:
      return outer.reduce(zero, n, nothing, [&inner](std::int64_t i) { return tree(inner, i, 0, leaves); }, plus{});
    case shape::heavy_first:
    case shape::heavy_last:
    case shape::jump_up:
    case shape::jump_down:
      break;
  }
  return outer.reduce(
      zero, n, nothing, [kind, n](std::int64_t i) { return hash_of(item(i, 0), steps_of(kind, n, i)); }, plus{});
}

template <class Loops>
void solve(problem& p, const Loops& loops) {
  p.answer = sum(p, loops, loops);
}

}  // namespace bench
