// Continuations: records of one word, written by a front end whose forks leave their own future behind instead of a
// closure. What they mean is that front end's business; this is all the scheduler knows of them.
#pragma once

#include <tine/sched/hot_words.hpp>
#include <tine/sched/task.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

/// A continuation's record holds its address with this bit set, where other records hold the address of a descriptor; and
/// where others are queued by their address, it is queued as that same word.
inline constexpr std::uintptr_t continuation_bit = 1;

/// The bytes of such a record.
inline constexpr std::size_t continuation_bytes = sizeof(const descriptor*);

/// Whether this is no task but a continuation in the place of one.
inline bool is_continuation(const task* t) noexcept {
  return (reinterpret_cast<std::uintptr_t>(t) & continuation_bit) != 0;
}

/// The continuation at `where` as it is queued.
inline task* queued(const void* where) noexcept {
  return reinterpret_cast<task*>(reinterpret_cast<std::uintptr_t>(where) | continuation_bit);
}

// The front end defines what follows (src/coro/join.cpp).

/// The continuation, whose record is there, is about to become visible to thieves. Runs on the thread of the fiber that wrote
/// the record, perhaps in the signal handler in the middle of user code: it neither allocates nor throws.
void awaken(std::uintptr_t continuation, address record) noexcept;

/// Whether that is the record by which the continuation, now in the hands of this worker alone, was queued. It may have been
/// taken from there, have gone on, and be queued for the next time.
bool was_queued_from(std::uintptr_t continuation, address record) noexcept;

/// Goes on with a continuation that this worker has taken, as long as there is something to do.
void resume(std::uintptr_t continuation) noexcept;

}  // namespace tine::sched
