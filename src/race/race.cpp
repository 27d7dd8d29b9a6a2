// The detector as a check of the profiler. An instrumented program refers to __tsan_init, so this file is always
// linked. It brings along all functions of the detector that stand in front of those of the C library.
#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/race_kind.hpp"
#include "race/shadow.hpp"

#include "augment/attached_check.hpp"

#include <tine/detail/base/assert.hpp>

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
extern "C" {
void __tsan_atomic_thread_fence(int);
// Functions of the runtimes of other sanitizers: defined if the program is linked with such a runtime.
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __hwasan_init();
[[gnu::weak]] void __msan_init();
}

namespace tine::detail {
namespace {

void begin_inner_root() noexcept {
  if (context* const c = own_context()) forget_running_stack(*c);
}

void forget_parent() noexcept {
  found_races::forget();
  forget_totals();
}

constexpr attached_check race_check{&race_kind, &open_for_process, &begin_inner_root, &found_races::collect,
                                    &forget_parent};

/// Ends a program that is also linked with another sanitizer. Both have a malloc, so one would free what the other one
/// has allocated.
void refuse_other_sanitizers() noexcept {
  if (&__asan_init == nullptr && &__hwasan_init == nullptr && &__msan_init == nullptr) return;
  base::warn(
      "the program is linked with libtine_race and with AddressSanitizer, HWAddressSanitizer or MemorySanitizer, which cannot be combined: build it without -fsanitize=address, or link it without libtine_race.");
  _exit(2);
}

/// A function of each file that no other file refers to.
struct linked_functions {
  decltype(&malloc) of_heap = &malloc;
  decltype(&memcpy) of_library_calls = &memcpy;
  decltype(&std::_Rb_tree_insert_and_rebalance) of_cxx_library = &std::_Rb_tree_insert_and_rebalance;
  decltype(&pthread_mutex_lock) of_locks = &pthread_mutex_lock;
  decltype(&pthread_create) of_threads = &pthread_create;
  decltype(&_exit) of_endings = &_exit;
  const bool* of_teams = &follows_teams;
  decltype(&__tsan_atomic_thread_fence) of_atomic_operations = &__tsan_atomic_thread_fence;
};
[[gnu::used]] const linked_functions linked;

}  // namespace
}  // namespace tine::detail

extern "C" {
TINE_API void __tsan_init() {}
[[gnu::constructor(102)]] TINE_API void tine_race() {
  tine::detail::refuse_other_sanitizers();
  tine::detail::shadow::open();
  tine::detail::registered_check = &tine::detail::race_check;
  tine::detail::follow_groups();
}
}
// NOLINTEND(readability-identifier-naming)
