// Continuations: records of one word, written by a front end whose forks leave the rest of their own function behind
// instead of a closure. Only that front end interprets them; this file is all that the scheduler knows of them.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/task.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tine::sched {

/// The record of a continuation holds the address of the continuation with this bit set, where other records hold the
/// address of a descriptor. Other records are queued by their address; a continuation is queued as that same word.
inline constexpr std::uintptr_t continuation_bit = 1;

/// The size of a continuation's record in bytes.
inline constexpr std::size_t continuation_bytes = sizeof(std::uintptr_t);

/// The owner. Writes the record of the continuation `of`, which is aligned to at least 4.
template <class T>
TINE_ALWAYS_INLINE void write_continuation(address at, const T& of) noexcept {
  ::new (static_cast<void*>(at)) std::uintptr_t{base::to_word(&of) | continuation_bit};
}

/// The owner. Returns true if the record at `at` is that of a continuation.
inline bool is_continuation_at(address at) noexcept { return (base::word_at(at) & continuation_bit) != 0; }

/// Returns true if `t` is not the address of a task but a continuation as it is queued.
inline bool is_continuation(const task* t) noexcept { return (base::to_word(t) & continuation_bit) != 0; }

/// Returns the word as which the continuation at `where` is queued.
inline task* queued(const void* where) noexcept {
  return base::from_word<task>(base::to_word(where) | continuation_bit);
}

// The front end defines the following functions (src/coro/queued_frame.cpp, src/coro/join.cpp).

/// The scheduler calls it before the continuation, whose record is at `record`, becomes visible to thieves. It runs on
/// the thread of the fiber that wrote the record, perhaps in the signal handler in the middle of user code: it neither
/// allocates nor throws.
void awaken(std::uintptr_t continuation, address record) noexcept;

/// Returns true if the continuation was queued by the record at `record`. Only this worker holds the continuation now.
/// A thief may have stolen it from that record and resumed it, and it may have been queued again from another record.
bool was_queued_from(std::uintptr_t continuation, address record) noexcept;

/// The continuation is in a region. Returns true if the region knows of the fork whose record is at `record`. The
/// signal handler calls it, too.
bool is_known_to_region(std::uintptr_t continuation, address record) noexcept;

/// Resumes a continuation that this worker has taken, and runs until it has nothing left to do.
void resume(std::uintptr_t continuation) noexcept;

}  // namespace tine::sched
