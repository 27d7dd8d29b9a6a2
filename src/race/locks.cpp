// The locks of the C library, and the mutexes of tine, that strands hold. They don't order strands, nor roots: which
// one comes first is a matter of timing. Any thread may call these functions.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/context.hpp"
#include "race/contexts.hpp"
#include "race/next_function.hpp"
#include "race/note_lock.hpp"
#include "race/race_kind.hpp"
#include "race/release_word.hpp"
#include "race/slots.hpp"

#include "sched/scheduler_time.hpp"

#include <pthread.h>

namespace tine::detail {
namespace {

template <class F>
void change_held(F f) noexcept {
  context* const c = own_context();
  if (c == nullptr) return;
  c->held = f(c->held);
  continue_checking();
}

// Which strand takes a lock first is a matter of timing, so that locks don't order strands. There are two exceptions
// among the members of a team. If a member has had the lock since the phase started, all others take it after its
// release, in each schedule. And a member that has waited, for the lock or for something that others write under it,
// comes after those who have written under it until then.

constexpr int acquire_order = 2, release_order = 3;

/// The words of a lock in the table of releases. Locks are aligned.
constexpr std::uintptr_t first_release_of(std::uintptr_t lock) noexcept { return lock; }
constexpr std::uintptr_t releases_of(std::uintptr_t lock) noexcept { return lock + 1; }

void acquire_lock(context& c, std::uintptr_t lock) noexcept {
  const std::uintptr_t place = c.looks.place;
  acquire_word(c, first_release_of(lock), acquire_order, word_change::none, place);
  if (c.has_paused) acquire_word(c, releases_of(lock), acquire_order, word_change::none, place);
}

void release_lock(context& c, std::uintptr_t lock) noexcept {
  if (const lockset others = without_lock(c.held_from_start, lock); others != c.held_from_start) {
    c.held_from_start = others;
    release_word(c, first_release_of(lock), release_order, word_change::continued);
  }
  if (c.has_had_pauses && c.writes != c.looks.writes_unlocked)
    release_word(c, releases_of(lock), release_order, word_change::continued);
}

}  // namespace

/// Returns true if the lock is one of the runtime. A thread outside of all pools is never quite out of the scheduler.
bool is_of_runtime() noexcept {
  const sched::hot_words& h = sched::hot::words();
  return h.in_scheduler > (h.self == nullptr && own_context() != nullptr ? 1 : 0);
}

void note_lock(const void* lock, bool shared, std::uintptr_t place) noexcept {
  if (!is_detector_open() || is_of_runtime()) return;
  context* const c = own_context();
  if (c == nullptr) return;
  if (c->held == 0) c->looks.writes_unlocked = c->writes;
  c->looks.place = place;
  change_held([&](lockset held) { return with_lock(held, base::to_word(lock), shared); });
  if (!c->stretches.empty()) acquire_lock(*c, base::to_word(lock));
}

void note_unlock(const void* lock) noexcept {
  if (!is_detector_open() || is_of_runtime()) return;
  if (context* const c = own_context(); c != nullptr && !c->stretches.empty()) release_lock(*c, base::to_word(lock));
  change_held([&](lockset held) { return without_lock(held, base::to_word(lock)); });
}

void note_unlocked() noexcept {
  context* const c = this_thread.own;
  if (c == nullptr || c->held != 0 || is_of_runtime()) return;
  if (!c->postponed.empty()) run_postponed_tasks();
  if (own_context() != c) return;
  note_look(*c);
  if (!look_in_vain(*c)) return;
  ++c->repeated;
  c->repeated_at = c->looks.place;
  let_others_run(*c);
}

}  // namespace tine::detail

using namespace tine::detail;

#define TINE_LOCK(name, type, shared)                                                                              \
  TINE_API int name(type* lock) {                                                                                  \
    static int (*next)(type*) = nullptr;                                                                           \
    if (next == nullptr) next = next_function<int(type*)>(#name);                                                  \
    const int result = next(lock);                                                                                 \
    if (result == 0) note_lock(const_cast<const void*>(static_cast<volatile void*>(lock)), shared, called_from()); \
    return result;                                                                                                 \
  }
#define TINE_UNLOCK(name, type)                                              \
  TINE_API int name(type* lock) {                                            \
    static int (*next)(type*) = nullptr;                                     \
    if (next == nullptr) next = next_function<int(type*)>(#name);            \
    note_unlock(const_cast<const void*>(static_cast<volatile void*>(lock))); \
    const int result = next(lock);                                           \
    note_unlocked();                                                         \
    return result;                                                           \
  }
#define TINE_TIMED_LOCK(name, type, shared)                                        \
  TINE_API int name(type* lock, const timespec* until) {                           \
    static int (*next)(type*, const timespec*) = nullptr;                          \
    if (next == nullptr) next = next_function<int(type*, const timespec*)>(#name); \
    const int result = next(lock, until);                                          \
    if (result == 0) note_lock(lock, shared, called_from());                       \
    return result;                                                                 \
  }
#define TINE_CLOCK_LOCK(name, type, shared)                                                   \
  TINE_API int name(type* lock, clockid_t clock, const timespec* until) {                     \
    static int (*next)(type*, clockid_t, const timespec*) = nullptr;                          \
    if (next == nullptr) next = next_function<int(type*, clockid_t, const timespec*)>(#name); \
    const int result = next(lock, clock, until);                                              \
    if (result == 0) note_lock(lock, shared, called_from());                                  \
    return result;                                                                            \
  }

// A wait for a condition gives the mutex back and takes it again, so the strand holds the same locks before and after
// it.
extern "C" {
TINE_LOCK(pthread_mutex_lock, pthread_mutex_t, false)
TINE_LOCK(pthread_mutex_trylock, pthread_mutex_t, false)
TINE_TIMED_LOCK(pthread_mutex_timedlock, pthread_mutex_t, false)
TINE_CLOCK_LOCK(pthread_mutex_clocklock, pthread_mutex_t, false)
TINE_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
TINE_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, true)
TINE_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t, true)
TINE_TIMED_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_t, true)
TINE_CLOCK_LOCK(pthread_rwlock_clockrdlock, pthread_rwlock_t, true)
TINE_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, false)
TINE_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t, false)
TINE_TIMED_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_t, false)
TINE_CLOCK_LOCK(pthread_rwlock_clockwrlock, pthread_rwlock_t, false)
TINE_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
TINE_LOCK(pthread_spin_lock, volatile pthread_spinlock_t, false)
TINE_LOCK(pthread_spin_trylock, volatile pthread_spinlock_t, false)
TINE_UNLOCK(pthread_spin_unlock, volatile pthread_spinlock_t)

TINE_API void tine_race_note_lock(const void* lock, int shared) noexcept {
  if (context* const c = own_context()) forget_slots(*c);  // the strand may have waited
  note_lock(lock, shared != 0, called_from());
}
TINE_API void tine_race_note_unlock(const void* lock) noexcept { note_unlock(lock); }
TINE_API void tine_race_note_unlocked() noexcept { note_unlocked(); }
}

#undef TINE_LOCK
#undef TINE_UNLOCK
#undef TINE_TIMED_LOCK
#undef TINE_CLOCK_LOCK
