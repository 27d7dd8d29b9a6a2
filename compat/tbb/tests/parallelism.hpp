// How many workers the tests run on: TINE_NUM_THREADS says it for tine, and this header tells oneTBB. Constant.
#pragma once

#include <cstdlib>

#if __has_include(<oneapi/tbb/tine/split.hpp>)
#include <tine/managed/sequential.hpp>
#else
#include <oneapi/tbb/global_control.h>
#endif

namespace tbb_test {

inline const std::size_t workers = [] {
  const char* const given = std::getenv("TINE_NUM_THREADS");
  return given != nullptr ? static_cast<std::size_t>(std::atoi(given)) : std::size_t{2};
}();

#if __has_include(<oneapi/tbb/tine/split.hpp>)
inline constexpr bool on_tine = true;
/// Lets another thread take what the calling strand has forked: ThreadSanitizer's builds don't interrupt strands.
inline void poll() noexcept { tine::poll(); }
#else
inline constexpr bool on_tine = false;
inline void poll() noexcept {}
inline const tbb::global_control parallelism{tbb::global_control::max_allowed_parallelism, workers};
#endif

}  // namespace tbb_test
