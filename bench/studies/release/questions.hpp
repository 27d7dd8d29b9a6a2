// Random points and rectangles, and how many points are in each by looking at them one by one.
#pragma once

#include "studies/release/sweep.hpp"

#include <vector>

namespace bench::release {

/// A permutation of 0 up to `n`.
std::vector<rank> random_heights(std::size_t n);

std::vector<rectangle> random_rectangles(std::size_t count, std::size_t n);

/// How many points are in `r`: no tree, no forks.
std::uint32_t count_plainly(std::span<const rank> heights, const rectangle& r);

}  // namespace bench::release
