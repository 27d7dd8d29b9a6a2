// What changed its place between two orders.
#pragma once

#include <cstddef>
#include <vector>

namespace tine::cli {

/// `places` holds, for each of some things in one order, its place in another. The least of them that have to move to turn one
/// order into the other: those outside of a longest run of places that grow.
std::vector<std::size_t> moved(const std::vector<std::size_t>& places);

}  // namespace tine::cli
