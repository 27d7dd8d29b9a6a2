// The resolution of a profile: how finely it distinguishes forks and loops, and how much it may hold. All threads share
// both.
//
// A fork or loop with less work than the threshold is counted by site and path, and is part of the leaf around it. When
// the points or the nodes reach their cap, the threshold doubles. Points that are now below it are dropped, and nodes
// that are now below it are folded: totals stay exact, and the lists stay short.
#pragma once

#include <tine/base/ticks.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// The largest number of rows of each list of a profile.
struct profile_caps {
  std::size_t points, nodes, paths, roots, samples, events;
};

/// The least value and the default value of `TINE_PROFILE_MAX_SIZE`, in bytes.
inline constexpr std::uint64_t least_profile_bytes = 64 << 10;
inline constexpr std::uint64_t usual_profile_bytes = 16 << 20;

/// Returns the caps for a file of that size. Sites, modules and phases, which the program's text bounds, come on top,
/// and so do samples, which get a 32nd.
profile_caps caps_for(std::uint64_t bytes) noexcept;

/// Sets the threshold and the caps. Called before the first vertex is made.
void set_resolution(std::uint64_t threshold_ns, const profile_caps& caps) noexcept;
const profile_caps& caps() noexcept;

/// Returns the least work, in ticks, that a fork or loop must have below it to become a point and a node of its own.
base::ticks point_threshold() noexcept;

/// Doubles the threshold, unless another thread has changed it since the caller read `from`.
void double_threshold(base::ticks from) noexcept;

/// Count a node that is made, or deleted. `count_node` doubles the threshold when there are too many nodes.
void count_node() noexcept;
void forget_node() noexcept;
std::size_t counted_nodes() noexcept;

}  // namespace tine::detail
