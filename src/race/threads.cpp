// Threads of the program, which come after what their creator did and before what follows a join; and code that the
// language runs once, before all that uses it. Any thread may call these functions.
#include "race/contexts.hpp"
#include "race/next_function.hpp"

#include "sched/fault_handlers.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/atomic.hpp>

#include <pthread.h>
#include <sched.h>

#include <memory>
#include <mutex>
#include <new>

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
using namespace tine::detail;

extern "C" void tine_race_ignore_memory(const void* where, std::uint64_t bytes) noexcept;

namespace {

struct begin_of_thread {
  void* (*run)(void*);
  void* argument;
};

/// Tokens of the order between threads. Those of locks are their addresses, which are even.
std::uintptr_t token_of_begin(const begin_of_thread* b) noexcept { return tine::base::to_word(b) | 1; }
std::uintptr_t token_of_end(pthread_t thread) noexcept { return thread | 3; }

struct ends_thread {
  ~ends_thread() {
    end_outside_of_thread();
    release_to(token_of_end(pthread_self()));
  }
};

void* run_thread(void* closure) {
  const std::unique_ptr<begin_of_thread> begin{static_cast<begin_of_thread*>(closure)};
  acquire_from(token_of_begin(begin.get()));
  tine::sched::ensure_signal_stack();  // handles a stack overflow of this thread
  const ends_thread at_the_end;        // also if the thread is cancelled, because that unwinds its stack
  return begin->run(begin->argument);
}

/// The word of a static variable whose initialisation is guarded.
using guard_word = tine::base::atomic<std::uint32_t>;
constexpr std::uint32_t initialised = 1, in_progress = 1 << 8;
guard_word& guard_at(char* guard) noexcept { return *tine::base::object_at<guard_word>(guard); }

thread_local void (*once_body)() = nullptr;

}  // namespace

extern "C" {

TINE_API int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  using function = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static function* next = nullptr;
  if (next == nullptr) next = next_function<function>("pthread_create");
  const tine::sched::scheduler_time here;  // the memory of the closure is the detector's own
  auto begin = std::make_unique<begin_of_thread>(begin_of_thread{run, argument});
  release_to(token_of_begin(begin.get()));
  const int result = next(thread, attributes, &run_thread, begin.get());
  if (result == 0) begin.release();  // NOLINT(bugprone-unused-return-value): the thread destroys it
  return result;
}

TINE_API int pthread_join(pthread_t thread, void** result) {
  static int (*next)(pthread_t, void**) = nullptr;
  if (next == nullptr) next = next_function<int(pthread_t, void**)>("pthread_join");
  const outside_pause here;
  const int how = next(thread, result);
  if (how == 0) acquire_from(token_of_end(thread));
  return how;
}

/// The body comes before everything that follows the call, on every thread, so it is not checked.
TINE_API int pthread_once(pthread_once_t* once, void (*body)()) {
  static int (*next)(pthread_once_t*, void (*)()) = nullptr;
  if (next == nullptr) next = next_function<int(pthread_once_t*, void (*)())>("pthread_once");
  // The C++ library passes the function of std::call_once in two variables of the thread.
  tine_race_ignore_memory(&std::__once_callable, sizeof std::__once_callable);
  tine_race_ignore_memory(&std::__once_call, sizeof std::__once_call);
  void (*const outer)() = std::exchange(once_body, body);
  const int result = next(once, [] {
    struct pause {
      pause() noexcept { pause_checking(); }
      ~pause() { resume_checking(); }
    } const here;
    once_body();
  });
  once_body = outer;
  return result;
}

// The initialisation of a static variable in a function. We replace the functions of the C++ library, because it is not
// a race if one strand initialises such a variable and others use it.
TINE_API int __cxa_guard_acquire(char* guard) {
  for (;;) {
    // acquire pairs with the release in __cxa_guard_release, so that we see the variable
    std::uint32_t before = guard_at(guard).load(tine::base::acquire);
    if ((before & 0xff) != 0) return 0;
    if (before == 0 &&
        guard_at(guard).compare_exchange_strong(before, in_progress, tine::base::acquire, tine::base::relaxed)) {
      pause_checking();
      return 1;
    }
    sched_yield();
  }
}
TINE_API void __cxa_guard_release(char* guard) {
  guard_at(guard).store(initialised, tine::base::release);  // release pairs with the acquire in __cxa_guard_acquire
  resume_checking();
}
TINE_API void __cxa_guard_abort(char* guard) {
  guard_at(guard).store(0, tine::base::release);  // release pairs with the acquire in __cxa_guard_acquire
  resume_checking();
}
}
// NOLINTEND(readability-identifier-naming)
