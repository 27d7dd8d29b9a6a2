// The contexts of the process, and which of them runs where. One context serves all roots, which are checked one after
// the other: a root that starts while another thread's root is checked waits for the end of that. Any thread may call
// this.
#pragma once

#include "race/context.hpp"
#include "trace/profile.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::detail {

/// Prepares the detector; further calls only set `determinism`. `open_for_process`: for the whole process.
void open_detector(bool determinism) noexcept;
void open_for_process(bool determinism) noexcept;
/// Returns true from the first call of open_detector on.
bool is_detector_open() noexcept;
/// Returns true if the environment asks for the check of the whole process.
bool is_process_checked() noexcept;

/// The running thread starts to check a root. Returns null if this root is not checked.
context* begin_checking() noexcept;
void end_checking(context& c) noexcept;

/// The calling thread, outside of all pools, adds a task to a group: from now on its code is checked, too. Returns null
/// if the process is not checked. `frame`: of the function that runs the task.
context* begin_outside(const void* frame) noexcept;
/// That code adds a task to a group.
void note_outside_group(interval_owner group) noexcept;
/// The calling thread's code is no longer checked if it knows the ends of all tasks that it has added.
void end_outside_if_done(context& c) noexcept;
/// A root ends that code which is checked outside of all pools has started.
void leave_inner_root() noexcept;

/// The calling thread ends.
void end_outside_of_thread() noexcept;

/// Lets other threads' roots run while the calling thread waits for another thread outside of all pools: the check of
/// its code ends here, and starts again afterwards.
class outside_pause {
 public:
  outside_pause() noexcept;
  ~outside_pause();
  outside_pause(const outside_pause&) = delete;
  outside_pause& operator=(const outside_pause&) = delete;

 private:
  bool is_paused_;
};

/// The clocks of a submitted root, which is known by its address: see sched::group_follower.
void submit_root(std::uintptr_t root) noexcept;
void begin_submitted_root(std::uintptr_t root) noexcept;
void end_submitted_root(std::uintptr_t root) noexcept;
void know_submitted_root(std::uintptr_t root) noexcept;

/// The calling thread has waited for all tasks of a group.
void know_group(interval_owner group) noexcept;

/// `detach_root`: the root that the running thread checks leaves the thread, because it waits. `attach_root`: it
/// continues on the running thread.
void detach_root() noexcept;
void attach_root() noexcept;

/// Returns the native stack around `frame`, the address of a frame of the running strand.
native_stack& stack_around(context& c, std::uintptr_t frame) noexcept;
/// The running thread's fiber starts to run something that the context has not seen on it before.
void forget_running_stack(context& c) noexcept;

/// The running thread doesn't check anything while its count of pauses is not 0.
void pause_checking() noexcept;
void resume_checking() noexcept;
/// From now on nothing is checked.
void stop_checking() noexcept;

/// The running thread's part in the check.
struct thread_check {
  context* own = nullptr;  ///< of the root that the thread checks
  int thread = 0;          ///< its number; 0: not known yet
  unsigned pauses = 0;
};
extern thread_local constinit thread_check this_thread [[gnu::tls_model("initial-exec")]];
extern base::atomic<bool> is_checking_stopped;

/// Returns the running thread's context, even if checking is paused; null if the thread doesn't check a root.
TINE_ALWAYS_INLINE context* own_context() noexcept {
  return is_checking_stopped.load(base::relaxed) ? nullptr : this_thread.own;  // relaxed: a hint
}

/// Checks the running strand's accesses again, after its loop has set `checked_context` to null.
TINE_ALWAYS_INLINE void continue_checking() noexcept {
  context* const c = own_context();
  const bool is_between = c != nullptr && !c->open.empty() && c->open.back().is_between;
  set_checked(this_thread.pauses == 0 && !is_between ? c : nullptr);
}

/// As continue_checking, if the thread's context is this one and a branch of its innermost construct runs.
TINE_ALWAYS_INLINE void continue_checking_branch(context& c) noexcept {
  set_checked(this_thread.pauses == 0 ? &c : nullptr);
}

/// Returns true if the address is on the stack of the running thread.
bool is_on_thread_stack(std::uintptr_t address) noexcept;

/// Adds what was counted since the process started, or since it was forked.
void add_totals(trace::race_totals& to) noexcept;
/// Called in a process that was forked.
void forget_totals() noexcept;

/// `release_to`: everything that the running thread has done so far comes before what follows `acquire_from` with the
/// same token, on any thread. Only for roots: the order of strands inside of a root is that of its forks.
void release_to(std::uintptr_t token) noexcept;
void acquire_from(std::uintptr_t token) noexcept;

}  // namespace tine::detail
