// Random points and rectangles, and the number of points in a rectangle by a plain scan.
#pragma once

#include "studies/release/sweep.hpp"

#include <vector>

namespace bench::release {

/// Returns a permutation of the numbers from 0 to before `n`.
std::vector<rank> random_heights(std::size_t n);

std::vector<rectangle> random_rectangles(std::size_t count, std::size_t n);

/// Returns the number of points in `r`, without a tree and without forks.
std::uint32_t count_plainly(std::span<const rank> heights, const rectangle& r);

}  // namespace bench::release
