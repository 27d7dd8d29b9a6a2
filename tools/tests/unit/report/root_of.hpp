// Hand-made parts of profiles, small enough for mental arithmetic.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::test {

using trace::nothing;

inline trace::site fork_site(std::uint64_t count = 0) { return {.address = 0x1000, .count = count}; }

inline trace::site loop_site(std::uint64_t count, std::uint64_t iterations) {
  return {.address = 0x2000, .kind = trace::construct::loop, .count = count, .iterations = iterations};
}

/// A root from `begin` to `end` whose span is known exactly.
inline trace::root root_of(std::uint64_t begin, std::uint64_t end, std::uint64_t work, std::uint64_t span,
                           std::uint64_t serial = 0) {
  return {
      begin, end - begin, serial, {.work = work, .span_low = span, .span_high = span, .burdened_span = span}, false};
}

inline trace::node strand(std::uint64_t span, std::uint32_t site = nothing) {
  return {trace::node::shape::leaf, 0, site, span, span, 0};
}

inline trace::node inner(trace::node::shape shape, std::uint32_t children, std::uint64_t span,
                         std::uint32_t site = nothing) {
  return {shape, children, site, 0, span, 0};
}

}  // namespace tine::test
