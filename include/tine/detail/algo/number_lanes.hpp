// Several numbers side by side, for loops that compilers do not vectorise by themselves, because floating-point
// operations must keep their order.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstring>

namespace tine::detail {

/// 128 bytes of numbers in vectors of 16 bytes, which every x86-64 processor has: enough independent operations to hide
/// their latency.
template <class T>
struct number_lanes {
  using vector __attribute__((vector_size(16))) = T;
  static constexpr std::size_t width = 16 / sizeof(T);
  static constexpr std::size_t vectors = 8;
  static constexpr std::size_t count = vectors * width;

  vector of[vectors];

  TINE_ALWAYS_INLINE void load(const T* from) noexcept { std::memcpy(of, from, sizeof(of)); }
  TINE_ALWAYS_INLINE void store(T* to) const noexcept { std::memcpy(to, of, sizeof(of)); }
};

}  // namespace tine::detail
