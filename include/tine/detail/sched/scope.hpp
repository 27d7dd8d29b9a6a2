// Stop scopes decide when a strand stops. A stop region is a scope (stop.hpp), and so is every task: its owner stops it
// when an exception has made its result useless. Any thread may read a scope and set its flag; src/sched/README.md,
// "Stopping", has the protocol.
//
// A fiber-local word holds the innermost scope of the strand. Promotion writes it into the task, and the thief enters
// it. Forks and loops look at the chain of scopes on their slow path only, and only while an alert is raised
// (alert.hpp).
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/splittable_range.hpp>
#include <tine/detail/sched/task.hpp>

#include <exception>

namespace tine {

/// A fork or a loop throws this exception when it must stop. Either a stop token asks for it (stop.hpp), or a branch or
/// an iteration that precedes it in the serial order has thrown, so that its result is not needed.
class TINE_API stopped : public std::exception {
 public:
  const char* what() const noexcept override {
    return "tine: stopped, by a std::stop_token or by an exception elsewhere";
  }
};

namespace sched {

struct skipped_stretch;

/// The fiber-local word that holds the address of the strand's innermost scope; 0: it is in none.
inline constexpr unsigned scope_word = fiber_local_words - 3;

/// Lives in the frame of the function that begins it. Other workers read it while they run tasks that were forked
/// inside.
struct scope {
  const scope* outer = nullptr;  ///< around it, here or where its task was forked; null: none
  address from = nullptr;        ///< the first record of its fiber that is inside; null: all records are inside
  /// set at most once, never cleared; null: scopes around this one do not stop it
  const base::atomic<bool>* stopping = nullptr;
  region* in = nullptr;  ///< the innermost region that the scope is in, on its own fiber; null: none
  /// the part of an observed strand that runs unobserved and that the scope is in; null: none
  skipped_stretch* skipped = outer != nullptr ? outer->skipped : nullptr;
  /// The strands inside are isolated: while one waits at a join, its thread runs nothing else (tine::isolate).
  bool isolates = false;
  /// The strand may change its floating-point control words inside; `words_before` are those that it had before.
  bool changes_words = false;
  /// A stop by `stopping` ends `stop_flag::run` without an exception, here and in everything that runs inside.
  bool ends_quietly = false;
  std::uint32_t words_before = 0;
  /// Around a task of a group: the lowest number of a task that has thrown, and the number of this one. Later tasks
  /// stop, too.
  const base::atomic<std::uint64_t>* first_failed = nullptr;
  std::uint64_t number = 0;

  constexpr scope() noexcept = default;
  constexpr scope(const scope* around, address first, const base::atomic<bool>* flag) noexcept
      : scope{around, first, flag, around != nullptr ? around->in : nullptr} {}
  constexpr scope(const scope* around, address first, const base::atomic<bool>* flag, region* of) noexcept
      : outer{around}, from{first}, stopping{flag}, in{of}, isolates{around != nullptr && around->isolates} {}

  /// `stopping` is not null. Returns true if this scope is to stop; those around it may be, too.
  // relaxed: an alert is raised after either word has changed. The strand that checks has seen it, or its worker will
  // get the work request of that alert.
  bool stops() const noexcept {
    return stopping->load(base::relaxed) || (first_failed != nullptr && first_failed->load(base::relaxed) < number);
  }
};

/// Returns the innermost scope of the running strand.
inline const scope* current_scope() noexcept { return base::from_word<const scope>(hot::fiber_local<scope_word>()); }

/// Returns true if the running strand is isolated: it, or a strand that forked it, is inside tine::isolate.
inline bool is_isolated() noexcept { return current_scope() != nullptr && current_scope()->isolates; }

/// Returns true if the running strand must not leave its thread: where others suspend, it blocks the thread, and
/// nothing of it is placed on a worker.
inline bool must_keep_thread() noexcept { return is_kept_sequential() || is_isolated(); }

/// Makes `s` the innermost scope of the running strand. If `s` is to stop, the next fork takes its slow path.
TINE_API void enter_scope(const scope* s) noexcept;

/// The scope of tine::isolate, which doesn't stop anything.
class isolation {
 public:
  isolation() noexcept : scope_{current_scope(), hot::top(), flag_of(current_scope())} {
    scope_.isolates = true;
    enter_scope(&scope_);
  }
  ~isolation() { enter_scope(scope_.outer); }
  isolation(const isolation&) = delete;
  isolation& operator=(const isolation&) = delete;

 private:
  static const base::atomic<bool>* flag_of(const scope* s) noexcept { return s != nullptr ? s->stopping : nullptr; }

  scope scope_;
};

/// A scope that doesn't stop anything: it tells which records of a fiber belong to a region.
class region_scope {
 public:
  /// From now on the records of the running strand belong to `in`.
  TINE_API void enter(region& in) noexcept;
  void leave() const noexcept { enter_scope(scope_.outer); }
  /// From now on the records of the running strand don't belong to a region.
  static void enter_none() noexcept;

 private:
  scope scope_;
};

/// Returns true if the strand with these words is to stop. The calling thread runs it.
bool is_stopping(const hot_words& h) noexcept;

/// Returns true if the running strand must throw tine::stopped here. Returns false while another exception unwinds the
/// stack, because a destructor must not throw. Works outside of every pool, too.
TINE_API TINE_COLD bool must_stop() noexcept;

[[noreturn]] TINE_API TINE_COLD void throw_stopped();

/// Returns true if the strand is to stop by a scope that ends quietly: `innermost` or one around it.
TINE_API TINE_COLD bool is_stopping_quietly(const scope* innermost) noexcept;

/// Called by a task that starts: throws tine::stopped if the task is to stop. In that case the scheduler has left a
/// work request pending.
inline void stop_before_begin() {
  if (hot::is_past_limit(nullptr) && must_stop()) throw_stopped();
}

/// Called for a promoted subrange that ended by an exception, before it is finished. Stops all promoted subranges that
/// come later in the same loop.
TINE_API TINE_COLD void stop_later_subranges(promoted_subrange& p) noexcept;

/// Called by the owner of a range whose promoted subranges are no longer needed: stops those that run. The owner then
/// calls `discard` for each promoted subrange.
TINE_API void stop_promoted_subranges(splittable_range& r) noexcept;

}  // namespace sched
}  // namespace tine
