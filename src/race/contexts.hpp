// The contexts of the process, and which of them runs where. One context serves all roots, which are checked one after
// the other: a root that begins while another thread's root is checked waits for its end.
#pragma once

#include "race/context.hpp"
#include "trace/profile.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::detail {

/// Prepares the detector. Returns false, and prints why, if the system refuses the memory.
void open_detector(bool determinism) noexcept;
/// Returns true from the first call of open_detector on.
bool is_detector_open() noexcept;

/// The running thread begins to check a root. Returns null if this root is not checked.
context* begin_checking() noexcept;
void end_checking(context& c) noexcept;

/// The root that the running thread checks leaves the thread, because it waits; it continues on the running thread.
void detach_root() noexcept;
void attach_root() noexcept;

/// Returns the native stack around `frame`, the address of a frame of the running strand.
native_stack& stack_around(context& c, std::uintptr_t frame) noexcept;
/// The fiber of the running thread begins to run something that the context has not seen on it before.
void forget_running_stack(context& c) noexcept;

/// The running thread checks nothing while its count of pauses is not 0.
void pause_checking() noexcept;
void resume_checking() noexcept;
/// Nothing is checked any more.
void stop_checking() noexcept;

/// The running thread's part in the check.
struct thread_check {
  context* own = nullptr;  ///< of the root that the thread checks
  unsigned pauses = 0;
};
extern thread_local constinit thread_check this_thread [[gnu::tls_model("initial-exec")]];
extern base::atomic<bool> is_checking_stopped;

/// Returns the context of the running thread, even if checking is paused; null if the thread checks no root.
TINE_ALWAYS_INLINE context* own_context() noexcept {
  return is_checking_stopped.load(base::relaxed) ? nullptr : this_thread.own;  // relaxed: a hint
}

/// The running strand's accesses are checked again, after its loop has set `checked_context` to null.
TINE_ALWAYS_INLINE void continue_checking() noexcept {
  context* const c = own_context();
  const bool is_between = c != nullptr && !c->open.empty() && c->open.back().is_between;
  set_checked(this_thread.pauses == 0 && !is_between ? c : nullptr);
}

/// Returns true if the address is on the stack of the running thread.
bool is_on_thread_stack(std::uintptr_t address) noexcept;

/// Adds what was counted since the process began, or since it was forked.
void add_totals(trace::race_totals& to) noexcept;
/// Called in a process that was forked.
void forget_totals() noexcept;

/// `release_to`: what the running thread has done so far comes before what follows `acquire_from` with the same token,
/// on any thread. For roots only: the order of strands inside of a root is that of its forks.
void release_to(std::uintptr_t token) noexcept;
void acquire_from(std::uintptr_t token) noexcept;

}  // namespace tine::detail
