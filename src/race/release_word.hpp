// Strands that atomic operations order. A strand that reads, with acquire semantics, what another one wrote with
// release semantics comes after all that the other one had done before, in this run. In another schedule it may find
// the former value. So such a pair of accesses is no data race, but still a determinacy race. Only the thread that
// holds the detector comes here.
#pragma once

#include "race/context.hpp"

#include <cstdint>

namespace tine::detail {

/// Tells how an atomic operation changed the value of its word.
enum class word_change : unsigned char {
  none,       ///< it was a load, has failed, or has written the same value
  replaced,   ///< a store
  continued,  ///< a read-modify-write, which keeps the releases before it
};

/// The running strand does an atomic operation on this word, which is no access yet. If the memory was given out again
/// since the latest one, the word is a new one.
void forget_former_word(std::uintptr_t word) noexcept;
/// The strand has done the operation, with that value of std::memory_order. An operation acquires before it is an
/// access, and releases afterwards.
void acquire_word(context& c, std::uintptr_t word, int order, word_change change, std::uintptr_t place) noexcept;
void release_word(context& c, std::uintptr_t word, int order, word_change change) noexcept;

/// Returns what the running strand has acquired that contains `earlier`, in every schedule if possible; null if nothing
/// does.
const acquired* acquired_of(const context& c, strand_number earlier) noexcept;

/// Returns what the running strand knows: all earlier strands, except those in open intervals of which it has acquired
/// nothing. `only_certain`: what it would know in every schedule.
known_strands known_here(const context& c, bool only_certain = false) noexcept;
/// The running strand comes to know these. `place`: see acquired.
void acquire(context& c, const known_strands& known, std::uintptr_t place) noexcept;

/// As reopen_waited_tasks and keep_waited_tasks, for what strands have acquired.
TINE_COLD void reopen_acquired(context& c) noexcept;
TINE_COLD void keep_acquired(context& c, std::uint32_t construct) noexcept;
/// A task of the group ends, the innermost open construct. A strand that waits for it knows what it has acquired.
void hand_over_acquired(context& c, interval_owner group) noexcept;
/// The strand has waited for the group. `again`: others will do so, too.
void acquire_from_tasks(context& c, interval_owner group, bool again) noexcept;

}  // namespace tine::detail
