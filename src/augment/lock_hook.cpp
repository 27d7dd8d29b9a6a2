// libtine_locks.so: a library to preload that reports what a program does with the locks of the C library. It replaces
// the functions of mutexes, read-write locks, spin locks, conditions and calls that are made once; those of C++ are
// built on these. It also replaces the functions by which C++ initialises static local variables. Each calls a
// listener, on the program's threads.
//
// Like libtine_space.so it shares no symbol with tine. All they have in common is the environment variable
// TINE_LOCKS_LISTENER, "<process id>:<address>" of the word below that holds the listener, and the layout in
// tine/detail/sched/lock_event.hpp. So it works with a statically linked tine, and does nothing in processes without
// tine.
//
// It can't see a program that links the C library statically, or that has its own locks (futexes, spinning).
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/lock_event.hpp>

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
using tine::detail::lock_kind;
using tine::detail::lock_listener;

/// The listener, or null. The address of this word is published.
constinit base::atomic<lock_listener> slot{nullptr};

/// True while this thread is in the listener. We don't report locks that the listener takes; otherwise it would be
/// called without end.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool telling = false;

/// Calls the listener, and keeps errno as it was for the caller.
void tell(lock_listener to, const lock_event& what) noexcept {
  const int error = errno;
  telling = true;
  to(what);
  telling = false;
  errno = error;
}

/// Returns the listener for this thread to call; null if there is none.
lock_listener listener() noexcept {
  // Acquire pairs with the release of the thread that writes the slot, so that the listener finds its data.
  const lock_listener to = slot.load(base::acquire);
  return telling ? nullptr : to;
}

std::uint64_t nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

/// A function of the C library. We look for it at its first call, because a lock may be taken before this library is
/// initialised.
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

/// Returns true if the caller has the lock now. That includes a robust mutex whose owner died.
bool is_taken(int result) noexcept { return result == 0 || result == EOWNERDEAD; }

/// Takes a lock by `call`. `tries` takes it without waiting, and returns EBUSY if it would have to wait. So we announce
/// and time only calls that wait, and a free lock doesn't cost a reading of the clock.
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

/// We report before the lock is released, because afterwards another strand could take and destroy it.
template <class Call>
int release(const void* caller, const volatile void* lock, Call call) noexcept {
  if (const lock_listener to = listener())
    tell(to, {lock_action::released, const_cast<const void*>(lock), false, 0, caller});
  return call();
}

/// Reports that the lock is about to be destroyed; its address may stand for another lock afterwards.
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

/// A call by pthread_once. The function that we pass on takes no argument, so the thread has it here.
struct pending_call {
  void (*function)();
  const void *flag, *caller;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local pending_call pending{};

/// Reports the end of the call, also if it throws.
class call_end {
 public:
  explicit call_end(const pending_call& of) noexcept : of_{of} {}
  call_end(const call_end&) = delete;
  call_end& operator=(const call_end&) = delete;
  ~call_end() {
    if (const lock_listener to = listener())
      tell(to, {lock_action::released, of_.flag, false, 0, of_.caller, lock_kind::call_once});
  }

 private:
  const pending_call& of_;
};

void make_pending_call() {
  const pending_call mine = pending;
  if (const lock_listener to = listener())
    tell(to, {lock_action::taken, mine.flag, false, 0, mine.caller, lock_kind::call_once});
  const call_end at_end{mine};
  mine.function();
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

// The C library also has an older version of these functions, for conditions of another size, and dlsym may find that
// one.
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

constinit original<int(pthread_once_t*, void (*)())> once{"pthread_once"};
constinit original<int(std::uint64_t*)> guard_acquire{"__cxa_guard_acquire"};
constinit original<void(std::uint64_t*)> guard_release{"__cxa_guard_release"}, guard_abort{"__cxa_guard_abort"};

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

// The function may throw. A call that has been made is reported, too, so that the orders do not depend on which strand
// comes first.
TINE_PRELOADED pthread_once(pthread_once_t* flag, void (*function)()) {
  const lock_listener to = listener();
  if (to == nullptr) return once.get()(flag, function);
  const void* const caller = TINE_CALLER;
  tell(to, {lock_action::waits, flag, false, 0, caller, lock_kind::call_once});
  const std::uint64_t began = nanoseconds();
  pending = {function, flag, caller};
  const int result = once.get()(flag, &make_pending_call);
  tell(to, {lock_action::not_taken, flag, false, nanoseconds() - began, caller, lock_kind::call_once});
  return result;
}

// NOLINTBEGIN(readability-identifier-naming): the names of the ABI
TINE_PRELOADED __cxa_guard_acquire(std::uint64_t* guard) {
  const lock_listener to = listener();
  if (to == nullptr) return guard_acquire.get()(guard);
  const void* const caller = TINE_CALLER;
  tell(to, {lock_action::waits, guard, false, 0, caller, lock_kind::static_local});
  const std::uint64_t began = nanoseconds();
  const int must_initialise = guard_acquire.get()(guard);
  tell(to, {must_initialise != 0 ? lock_action::taken : lock_action::not_taken, guard, false, nanoseconds() - began,
            caller, lock_kind::static_local});
  return must_initialise;
}
[[gnu::visibility("default")]] void __cxa_guard_release(std::uint64_t* guard) noexcept {
  if (const lock_listener to = listener())
    tell(to, {lock_action::released, guard, false, 0, TINE_CALLER, lock_kind::static_local});
  guard_release.get()(guard);
}
[[gnu::visibility("default")]] void __cxa_guard_abort(std::uint64_t* guard) noexcept {
  if (const lock_listener to = listener())
    tell(to, {lock_action::released, guard, false, 0, TINE_CALLER, lock_kind::static_local});
  guard_abort.get()(guard);
}
// NOLINTEND(readability-identifier-naming)

}  // extern "C"

#undef TINE_PRELOADED
#undef TINE_CALLER
