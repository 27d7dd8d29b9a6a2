// Fibers: a native stack with its shadow stack, and the switch between two fibers. The thread that runs a fiber owns
// its data. This file knows workers only by the name of their class.
//
// Each fiber has one mapping: [guard | native stack, grows down | shadow stack, grows up | guard]. The two stacks start
// back to back, and the kernel commits their pages when they are first touched. If a shadow stack is large, we map only
// its first part, at an address with free space behind it; `grow` maps more there.
#pragma once

#include "sched/guard_pages.hpp"
#include "sched/root_number.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/shadow_stack.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/detail/sched/task.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace tine::sched {

struct debugger_layout;
struct skipped_stretch;

/// The point where a flow of control was left: a fiber, or a thread's own stack.
struct context {
  boost::context::detail::fcontext_t point = nullptr;
  void* exceptions[2] = {nullptr, nullptr};  ///< __cxa_eh_globals: caught exceptions and the uncaught count
  const void* stack_bottom = nullptr;        ///< for AddressSanitizer, as are the next two
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;
  void* tsan_fiber = nullptr;  ///< for ThreadSanitizer
};

/// Gives the calling thread the exception state that the context had when it was left.
void load_exceptions(const context& c) noexcept;

/// A strand's part in a skipped stretch (skipped_stretch.hpp). Only the strand's thread touches it.
struct skipped_part {
  skipped_stretch* of = nullptr;  ///< null: the strand skips nothing
  base::ticks since = 0;          ///< when it last started or continued to run
  base::ticks looked = 0;         ///< when it last promoted what was pending, or the stretch began
  bool is_long = false;           ///< it has done so
};

/// The work that remains for the context just left. Only the next context can do it: before the switch the old context
/// is not saved yet, and a worker that resumed it would run on a stack still in use.
struct departure {
  enum class then : unsigned char { stay, release, suspend, wait };
  context* from;
  context* to;
  then what;
  void* awaited = nullptr;  ///< suspend: the completion; wait: the join counter
};

/// Switches from `leaving.from` to `leaving.to`. Returns when a context switches back, perhaps on another thread. The
/// result is the departure of that context; the caller must do its remaining work before anything else.
departure& switch_context(departure& leaving) noexcept;

class fiber : public context {
 public:
  using entry = void (*)(departure&);

  /// Maps a fiber with `stack_bytes` of native stack, and a shadow stack that can grow to `record_bytes`. The first
  /// switch to the fiber calls `start`, which must not return. Throws std::system_error.
  fiber(std::size_t stack_bytes, std::size_t record_bytes, entry start);
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  address records_begin() const noexcept { return records_; }
  /// Returns the limit: a fork whose record starts at the limit or above takes its slow path. A fork writes its record
  /// before the test, so we leave space for a record that starts just below the limit, and for the record on top of
  /// that.
  address records_end() const noexcept { return mapping_ + mapping_bytes_ - guard_bytes - 2 * max_record_bytes; }
  /// Returns true if `at` lies in this fiber's shadow stack.
  bool holds_record(address at) const noexcept { return records_ <= at && at < mapping_ + mapping_bytes_; }
  /// Moves `records_end` up. Returns false if the shadow stack already has its full size, or if the system refuses
  /// more.
  bool grow() noexcept;
  bool may_grow() const noexcept { return record_bytes() < most_record_bytes_; }
  /// Returns memory to the system that lies far beyond the current ends of the two stacks. So a fiber that is about to
  /// rest keeps the memory that it still uses, not all that it once touched. `top`: the first free byte of the shadow
  /// stack.
  void trim(address top) noexcept;

  /// Returns true if an access to `where`, made with that stack pointer, is an overflow of the native stack: it hits
  /// the guard below the stack, and the stack reaches down to the guard.
  bool overflows(const void* where, const void* stack_pointer) const noexcept {
    return where >= mapping_ && where < mapping_ + guard_bytes && stack_pointer < mapping_ + 2 * guard_bytes;
  }

  /// Returns the bytes of the native stack below `stack_pointer`, which is in it.
  std::size_t stack_left(const std::byte* stack_pointer) const noexcept {
    return static_cast<std::size_t>(stack_pointer - (mapping_ + guard_bytes));
  }

  /// Prepares `s` for submission: the worker that takes it resumes this fiber, which must be suspended and have no
  /// other resumer.
  void return_by(submission& s) noexcept { s.what = numbered(&return_.emplace(*this), root); }

  /// Save and restore the fiber-local words: they leave the thread with their fiber, and come back with it.
  void save_fiber_local(const hot_words& h) noexcept { std::copy_n(h.fiber_local, fiber_local_words, fiber_local_); }
  void restore_fiber_local(hot_words& h) const noexcept { std::copy_n(fiber_local_, fiber_local_words, h.fiber_local); }

  worker* origin = nullptr;  ///< the worker that it left when it was suspended; published with the word of the waiter
  root_number root = 0;      ///< the root that it worked for then
  submission return_submission;  ///< the submission by which a finisher returns it there
  skipped_part skips;            ///< the stretch that its strand skips
  int tokens = 0;                ///< tokens that its work may still spend, kept while it is suspended (heartbeat)

  /// The work that the fiber has started and not ended, as it is queued; null: none. `work_begin`: an address in the
  /// native frame below this work. For strand traces and debuggers; only the fiber's own thread writes it.
  const task* work = nullptr;
  const void* work_begin = nullptr;
  /// How the fiber was left when its strand started to wait, for what, and with how many records. For debuggers: the
  /// values are stale while the fiber runs.
  departure::then left_by = departure::then::stay;
  const void* awaited = nullptr;
  address open_records_end = nullptr;

  void begin_work(const task* queued, const void* native_begin, skipped_stretch* in) noexcept {
    work = queued, work_begin = native_begin, skips = {in};
  }
  void end_work() noexcept { work = nullptr; }

  /// Returns the fiber whose shadow stack holds the address, or null. Async-signal-safe, for an address whose fiber
  /// exists.
  static const fiber* of_record(const void* at) noexcept;
  /// Returns true if the address lies in the native stack.
  bool holds_frame(const void* at) const noexcept { return at >= mapping_ && at < records_; }

 private:
  friend struct debugger_layout;
  struct return_task : task {
    explicit return_task(fiber& f) noexcept : task{&kind, completion{}, 0}, to{f} {}
    static bool run(task& t) noexcept;  // worker.cpp
    static constexpr descriptor kind{&run, 0};
    fiber& to;
  };

  static constexpr std::size_t dumped_record_bytes = 64 << 10;  // how many bytes of the records a core file contains
  static constexpr std::size_t guard_bytes = 64 << 10;  // as much as the frame of one function may sensibly skip
  static void start_up(boost::context::detail::transfer_t);
  std::size_t record_bytes() const noexcept {
    return static_cast<std::size_t>(mapping_ + mapping_bytes_ - guard_bytes - records_);
  }

  const std::size_t most_record_bytes_;
  std::size_t mapping_bytes_;
  std::byte* mapping_;
  guard_pages guards_;
  address records_;
  entry start_;
  std::uintptr_t fiber_local_[fiber_local_words]{};
  std::optional<return_task> return_;  ///< a new task each time
};

/// The fibers of a pool. Thread-safe.
class fiber_store {
 public:
  fiber_store(std::size_t stack_bytes, std::size_t record_bytes, fiber::entry start)
      : stack_bytes_{stack_bytes}, record_bytes_{record_bytes}, start_{start} {}
  ~fiber_store();

  /// Returns a fiber that is ready to be switched to. Maps a new one if all are in use. If the system refuses, ends the
  /// program with a message, because a join cannot be undone half way.
  fiber& take() noexcept;
  void give_back(fiber& f) noexcept;
  std::size_t mapped() const;

 private:
  const std::size_t stack_bytes_, record_bytes_;
  const fiber::entry start_;
  mutable std::mutex lock_;
  std::vector<fiber*> free_;
  std::vector<fiber*> all_;
};

}  // namespace tine::sched
