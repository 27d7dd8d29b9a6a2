// Finds the elements whose place changed between two orders.
#pragma once

#include <cstddef>
#include <vector>

namespace tine::cli {

/// `places` holds, for each element in one order, its place in another order. Returns the fewest elements that have to
/// move to turn one order into the other: those outside of a longest increasing subsequence of places.
std::vector<std::size_t> moved(const std::vector<std::size_t>& places);

}  // namespace tine::cli
