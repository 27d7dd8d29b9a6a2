// libtine_locks.so: a library to preload that reports what a program does with the locks of the C library. It stands in
// front of the functions of mutexes, read-write locks, spin locks and conditions, on which those of C++ are built, and
// calls a listener.
//
// As libtine_space.so it shares no symbol with tine. Their only agreement is the environment variable
// TINE_LOCKS_LISTENER, "<process id>:<address>" of the word below that holds the listener, and the layout of
// lock_event.hpp. So it works with tine linked statically, and does nothing in processes without tine.
//
// A program that is linked statically to the C library, or that has its own locks (futexes, spinning), is not seen.
#include "augment/lock_event.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

namespace base = tine::base;
using tine::detail::lock_action;
using tine::detail::lock_event;
using tine::detail::lock_listener;

/// The listener, or null. The address of this word is published.
constinit base::atomic<lock_listener> slot{nullptr};

/// True while this thread is in the listener. Locks that the listener takes are not reported; otherwise it would be
/// called without end.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool telling = false;

/// Calls the listener, which leaves errno and the answers of the caller alone.
void tell(lock_listener to, const lock_event& what) noexcept {
  const int error = errno;
  telling = true;
  to(what);
  telling = false;
  errno = error;
}

/// Returns the listener that this thread calls; null: none.
lock_listener listener() noexcept {
  // Acquire pairs with the release of the thread that writes the slot, so that the listener finds the data prepared for
  // it.
  const lock_listener to = slot.load(base::acquire);
  return telling ? nullptr : to;
}

std::uint64_t nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

/// A function of the C library, found at its first call: a lock may be taken before this library is initialised.
template <class F>
class original {
 public:
  constexpr explicit original(const char* name, const char* version = nullptr) noexcept
      : name_{name}, version_{version} {}
  F* get() noexcept {
    // Relaxed: every thread that looks for the function finds the same address, and no other data belongs to it.
    void* at = at_.load(base::relaxed);
    if (at == nullptr) [[unlikely]] {
      at = version_ != nullptr ? dlvsym(RTLD_NEXT, name_, version_) : nullptr;
      if (at == nullptr) at = dlsym(RTLD_NEXT, name_);
      at_.store(at, base::relaxed);
    }
    return base::function_at<F>(at);
  }

 private:
  const char* name_;
  const char* version_;
  base::atomic<void*> at_{nullptr};
};

/// Returns true if the call gave the lock to the caller. A robust mutex whose owner died is taken, too.
bool is_taken(int result) noexcept { return result == 0 || result == EOWNERDEAD; }

/// Takes a lock by `call`. `tries` is a way to take it without waiting, which returns EBUSY if it would wait: only a
/// call that waits is announced and timed, so a lock that is free costs no reading of the clock.
template <class Call, class Try>
int take(const void* caller, const volatile void* lock, bool shared, Call call, Try tries) noexcept {
  const lock_listener to = listener();
  if (to == nullptr) return call();
  const void* const at = const_cast<const void*>(lock);
  const int at_once = tries();
  if (is_taken(at_once)) {
    tell(to, {lock_action::taken, at, shared, 0, caller});
    return at_once;
  }
  tell(to, {lock_action::waits, at, shared, 0, caller});
  const std::uint64_t began = nanoseconds();
  const int result = call();
  const std::uint64_t waited = nanoseconds() - began;
  tell(to, {is_taken(result) ? lock_action::taken : lock_action::not_taken, at, shared, waited, caller});
  return result;
}

/// Takes a lock by a call that does not wait.
template <class Call>
int attempt(const void* caller, const volatile void* lock, bool shared, Call call) noexcept {
  const int result = call();
  const lock_listener to = listener();
  if (to != nullptr && is_taken(result))
    tell(to, {lock_action::tried, const_cast<const void*>(lock), shared, 0, caller});
  return result;
}

/// Reports before the lock is released: afterwards another strand could take it, and destroy it.
template <class Call>
int release(const void* caller, const volatile void* lock, Call call) noexcept {
  if (const lock_listener to = listener())
    tell(to, {lock_action::released, const_cast<const void*>(lock), false, 0, caller});
  return call();
}

/// Reports that the lock is about to be destroyed, so that its address stands for another lock afterwards.
template <class Call>
int destroy(const void* caller, const volatile void* lock, Call call) noexcept {
  if (const lock_listener to = listener())
    tell(to, {lock_action::destroyed, const_cast<const void*>(lock), false, 0, caller});
  return call();
}

/// A wait for a condition gives the mutex back and takes it again. Cancellation of the thread may unwind it.
template <class Call>
int wait(const void* caller, pthread_mutex_t* mutex, Call call) {
  const lock_listener to = listener();
  if (to == nullptr) return call();
  tell(to, {lock_action::waits_for_condition, mutex, false, 0, caller});
  const std::uint64_t began = nanoseconds();
  const int result = call();
  tell(to, {lock_action::woken, mutex, false, nanoseconds() - began, caller});
  return result;
}

template <class Lock>
using plain = int(Lock*);
template <class Lock>
using timed = int(Lock*, const timespec*);
template <class Lock>
using clocked = int(Lock*, clockid_t, const timespec*);

constinit original<plain<pthread_mutex_t>> mutex_lock{"pthread_mutex_lock"}, mutex_trylock{"pthread_mutex_trylock"},
    mutex_unlock{"pthread_mutex_unlock"}, mutex_destroy{"pthread_mutex_destroy"};
constinit original<timed<pthread_mutex_t>> mutex_timedlock{"pthread_mutex_timedlock"};
constinit original<clocked<pthread_mutex_t>> mutex_clocklock{"pthread_mutex_clocklock"};

constinit original<plain<pthread_rwlock_t>> rdlock{"pthread_rwlock_rdlock"}, wrlock{"pthread_rwlock_wrlock"},
    tryrdlock{"pthread_rwlock_tryrdlock"}, trywrlock{"pthread_rwlock_trywrlock"}, rwunlock{"pthread_rwlock_unlock"},
    rwdestroy{"pthread_rwlock_destroy"};
constinit original<timed<pthread_rwlock_t>> timedrdlock{"pthread_rwlock_timedrdlock"},
    timedwrlock{"pthread_rwlock_timedwrlock"};
constinit original<clocked<pthread_rwlock_t>> clockrdlock{"pthread_rwlock_clockrdlock"},
    clockwrlock{"pthread_rwlock_clockwrlock"};

constinit original<plain<pthread_spinlock_t volatile>> spin_lock{"pthread_spin_lock"},
    spin_trylock{"pthread_spin_trylock"}, spin_unlock{"pthread_spin_unlock"}, spin_destroy{"pthread_spin_destroy"};

// The C library has an older version of these functions beside the current one, for conditions of another size; dlsym
// may find it.
#ifdef __x86_64__
constexpr const char* of_conditions = "GLIBC_2.3.2";
#else
constexpr const char* of_conditions = nullptr;
#endif
constinit original<int(pthread_cond_t*, pthread_mutex_t*)> cond_wait{"pthread_cond_wait", of_conditions};
constinit original<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> cond_timedwait{"pthread_cond_timedwait",
                                                                                           of_conditions};
constinit original<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> cond_clockwait{
    "pthread_cond_clockwait"};

[[gnu::constructor]] void publish() noexcept {
  char text[64];
  std::snprintf(text, sizeof text, "%ld:%llx", static_cast<long>(getpid()),
                static_cast<unsigned long long>(base::to_word(&slot)));
  setenv("TINE_LOCKS_LISTENER", text, 1);
}

}  // namespace

#define TINE_PRELOADED [[gnu::visibility("default")]] int
#define TINE_CALLER __builtin_return_address(0)

extern "C" {

TINE_PRELOADED pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  return take(TINE_CALLER, m, false, [=] { return mutex_lock.get()(m); }, [=] { return mutex_trylock.get()(m); });
}
TINE_PRELOADED pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) noexcept {
  return take(
      TINE_CALLER, m, false, [=] { return mutex_timedlock.get()(m, until); }, [=] { return mutex_trylock.get()(m); });
}
TINE_PRELOADED pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* until) noexcept {
  return take(
      TINE_CALLER, m, false, [=] { return mutex_clocklock.get()(m, clock, until); },
      [=] { return mutex_trylock.get()(m); });
}
TINE_PRELOADED pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  return attempt(TINE_CALLER, m, false, [=] { return mutex_trylock.get()(m); });
}
TINE_PRELOADED pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  return release(TINE_CALLER, m, [=] { return mutex_unlock.get()(m); });
}
TINE_PRELOADED pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  return destroy(TINE_CALLER, m, [=] { return mutex_destroy.get()(m); });
}
TINE_PRELOADED pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  return destroy(TINE_CALLER, l, [=] { return rwdestroy.get()(l); });
}

TINE_PRELOADED pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  return take(TINE_CALLER, l, true, [=] { return rdlock.get()(l); }, [=] { return tryrdlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* until) noexcept {
  return take(TINE_CALLER, l, true, [=] { return timedrdlock.get()(l, until); }, [=] { return tryrdlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) noexcept {
  return take(
      TINE_CALLER, l, true, [=] { return clockrdlock.get()(l, clock, until); }, [=] { return tryrdlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  return attempt(TINE_CALLER, l, true, [=] { return tryrdlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  return take(TINE_CALLER, l, false, [=] { return wrlock.get()(l); }, [=] { return trywrlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* until) noexcept {
  return take(TINE_CALLER, l, false, [=] { return timedwrlock.get()(l, until); }, [=] { return trywrlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) noexcept {
  return take(
      TINE_CALLER, l, false, [=] { return clockwrlock.get()(l, clock, until); }, [=] { return trywrlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  return attempt(TINE_CALLER, l, false, [=] { return trywrlock.get()(l); });
}
TINE_PRELOADED pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  return release(TINE_CALLER, l, [=] { return rwunlock.get()(l); });
}

TINE_PRELOADED pthread_spin_lock(pthread_spinlock_t* l) noexcept {
  return take(TINE_CALLER, l, false, [=] { return spin_lock.get()(l); }, [=] { return spin_trylock.get()(l); });
}
TINE_PRELOADED pthread_spin_trylock(pthread_spinlock_t* l) noexcept {
  return attempt(TINE_CALLER, l, false, [=] { return spin_trylock.get()(l); });
}
TINE_PRELOADED pthread_spin_unlock(pthread_spinlock_t* l) noexcept {
  return release(TINE_CALLER, l, [=] { return spin_unlock.get()(l); });
}
TINE_PRELOADED pthread_spin_destroy(pthread_spinlock_t* l) noexcept {
  return destroy(TINE_CALLER, l, [=] { return spin_destroy.get()(l); });
}

// These three are points of cancellation, which unwinds the stack, so they are not noexcept.
TINE_PRELOADED pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait(TINE_CALLER, m, [=] { return cond_wait.get()(c, m); });
}
TINE_PRELOADED pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  return wait(TINE_CALLER, m, [=] { return cond_timedwait.get()(c, m, until); });
}
TINE_PRELOADED pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* until) {
  return wait(TINE_CALLER, m, [=] { return cond_clockwait.get()(c, m, clock, until); });
}

}  // extern "C"

#undef TINE_PRELOADED
#undef TINE_CALLER
