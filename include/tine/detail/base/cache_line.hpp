// The size of a cache line: the unit of memory for which cores compete.
#pragma once

#include <cstddef>

namespace tine::base {

/// Bytes that one core owns at a time. It is a constant of tine's own, because the standard's may differ between two
/// compilers that meet in one program.
inline constexpr std::size_t cache_line = 64;

/// Two lines, which the adjacent-line prefetcher fetches together.
inline constexpr std::size_t cache_line_pair = 2 * cache_line;

}  // namespace tine::base
