// See problem.hpp.
#include "programs/map-heavy/problem.hpp"

namespace bench::map_heavy {
namespace {

/// Returns the y with x·y = 1 modulo 2⁶⁴, for an odd x, by Newton's method: x itself is right in three bits, and every round
/// doubles the number of right bits.
constexpr std::uint64_t inverse_of(std::uint64_t x) {
  std::uint64_t y = x;
  for (int bits = 3; bits < 64; bits *= 2) y *= 2 - x * y;
  return y;
}
static_assert(factor * inverse_of(factor) == 1);

std::uint64_t origin_of(std::uint64_t hash) {
  for (int i = 0; i < steps; ++i) {
    hash *= inverse_of(factor);
    hash ^= hash >> 32;  // this step is its own inverse
  }
  return hash;
}

}  // namespace

bool problem::hashes_are_right() const {
  for (std::size_t i = 0; i < n; ++i)
    if (origin_of(a[i]) != i) return false;
  return true;
}

}  // namespace bench::map_heavy
