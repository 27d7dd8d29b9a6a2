// How finely a profile tells forks and loops apart, and how much it may hold. All threads share both.
//
// What has less work than the threshold is counted by site and path, and is part of the leaf around it. When the points or the
// nodes reach their cap, the threshold doubles, and those that are below it now are folded: totals stay exact, and the lists stay
// short.
#pragma once

#include <tine/base/clock.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// How many rows each list of a profile may have.
struct profile_caps {
  std::size_t points, nodes, paths, roots, samples;
};

/// The least that `TINE_PROFILE_MAX_SIZE` may be, and what it is by default, in bytes.
inline constexpr std::uint64_t least_profile_bytes = 64 << 10;
inline constexpr std::uint64_t usual_profile_bytes = 16 << 20;

/// Caps for a file of that size. Sites, modules and phases, which the program's text bounds, come on top, and
/// samples, which have a 32nd.
profile_caps caps_for(std::uint64_t bytes) noexcept;

/// Before the first vertex is made.
void set_resolution(std::uint64_t threshold_ns, const profile_caps& caps) noexcept;
const profile_caps& caps() noexcept;

/// What work a fork or loop must have below it to be a point and a node of its own, in ticks.
base::ticks point_threshold() noexcept;

/// Doubles the threshold, unless another thread has changed it since the caller read `from`.
void double_threshold(base::ticks from) noexcept;

/// A node is made, or deleted. Doubles the threshold when there are too many.
void count_node() noexcept;
void forget_node() noexcept;
std::size_t counted_nodes() noexcept;

}  // namespace tine::detail
