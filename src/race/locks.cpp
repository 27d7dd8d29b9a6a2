// The locks of the C library, and the mutexes of tine, that strands hold. They don't order strands, nor roots: which
// one comes first is a matter of timing. Any thread may call these functions.
#include "race/context.hpp"
#include "race/contexts.hpp"
#include "race/next_function.hpp"
#include "race/note_lock.hpp"
#include "race/race_kind.hpp"
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

}  // namespace

/// Returns true if the lock is one of the runtime. A thread outside of all pools is never quite out of the scheduler.
bool is_of_runtime() noexcept {
  const sched::hot_words& h = sched::hot::words();
  return h.in_scheduler > (h.self == nullptr && own_context() != nullptr ? 1 : 0);
}

void note_lock(const void* lock, bool shared) noexcept {
  if (!is_detector_open() || is_of_runtime()) return;
  change_held([&](lockset held) { return with_lock(held, base::to_word(lock), shared); });
}

void note_unlock(const void* lock) noexcept {
  if (!is_detector_open() || is_of_runtime()) return;
  change_held([&](lockset held) { return without_lock(held, base::to_word(lock)); });
}

void note_unlocked() noexcept {
  const context* const c = this_thread.own;
  if (c == nullptr || c->held != 0 || c->postponed.empty() || is_of_runtime()) return;
  run_postponed_tasks();
}

}  // namespace tine::detail

using namespace tine::detail;

#define TINE_LOCK(name, type, shared)                                                               \
  TINE_API int name(type* lock) {                                                                   \
    static int (*next)(type*) = nullptr;                                                            \
    if (next == nullptr) next = next_function<int(type*)>(#name);                                   \
    const int result = next(lock);                                                                  \
    if (result == 0) note_lock(const_cast<const void*>(static_cast<volatile void*>(lock)), shared); \
    return result;                                                                                  \
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
    if (result == 0) note_lock(lock, shared);                                      \
    return result;                                                                 \
  }
#define TINE_CLOCK_LOCK(name, type, shared)                                                   \
  TINE_API int name(type* lock, clockid_t clock, const timespec* until) {                     \
    static int (*next)(type*, clockid_t, const timespec*) = nullptr;                          \
    if (next == nullptr) next = next_function<int(type*, clockid_t, const timespec*)>(#name); \
    const int result = next(lock, clock, until);                                              \
    if (result == 0) note_lock(lock, shared);                                                 \
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
  note_lock(lock, shared != 0);
}
TINE_API void tine_race_note_unlock(const void* lock) noexcept { note_unlock(lock); }
TINE_API void tine_race_note_unlocked() noexcept { note_unlocked(); }
}

#undef TINE_LOCK
#undef TINE_UNLOCK
#undef TINE_TIMED_LOCK
#undef TINE_CLOCK_LOCK
