// How a frame's continuation was queued, in one word: the record of its fork, and the control words of the
// floating-point environment with which it continues. A record is aligned to 8, and the words have 20 bits, or 19 where
// addresses have 48. A frame that waits at its join has no record, and keeps its words here as well. The strand that
// has the frame calls these functions.
#pragma once

#include "base/fp_environment.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/frame.hpp>

namespace tine::detail {

#ifdef __x86_64__
inline constexpr unsigned record_address_bits = 47;
#else
inline constexpr unsigned record_address_bits = 48;
#endif

inline std::uintptr_t queuing(sched::address record, base::fp_words words) noexcept {
  return base::to_word(record) | (words & 7) | std::uintptr_t{words >> 3} << record_address_bits;
}

inline bool is_queued_from(const frame& f, sched::address record) noexcept {
  return base::to_word(record) == (f.queued & ((std::uintptr_t{1} << record_address_bits) - 8));
}

inline base::fp_words words_of(const frame& f) noexcept {
  return static_cast<base::fp_words>((f.queued & 7) | f.queued >> record_address_bits << 3);
}

}  // namespace tine::detail
