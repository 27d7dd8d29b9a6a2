// Stop scopes: what decides whether a strand is to stop. A stop region is one (stop.hpp), and so is every task: its owner stops
// it when an exception has made its result useless. src/sched/README.md, "Stopping", has the protocol.
//
// A strand word holds the innermost scope of the strand. Promotion writes it into the task, and the thief enters it. Forks and
// loops look at the chain of scopes on their slow path only, and only while an alert is raised (alert.hpp).
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/sched/hot_words.hpp>
#include <tine/sched/range.hpp>
#include <tine/sched/task.hpp>

#include <exception>

namespace tine {

/// What a fork or a loop throws when it is to stop: because a stop token asks for it (stop.hpp), or because a branch or an
/// iteration that comes first in the serial order has thrown, so that nothing of this one is wanted any more.
class stopped : public std::exception {
 public:
  const char* what() const noexcept override {
    return "tine: stopped, by a std::stop_token or by an exception elsewhere";
  }
};

namespace sched {

/// The strand word that holds the address of the strand's innermost scope; 0: it is in none.
inline constexpr unsigned scope_word = strand_words - 3;

/// Lives in the frame of the function that begins it. Others read it while something runs that was forked inside.
struct scope {
  const scope* outer;                  ///< around it, here or where its task was forked; null: none
  address from;                        ///< the first record of its fiber that is inside; null: all records are
  const base::atomic<bool>* stopping;  ///< set once, for good; null: scopes around this one do not stop it
};

/// The running strand's.
inline const scope* current_scope() noexcept { return reinterpret_cast<const scope*>(hot::strand<scope_word>()); }

/// The running strand is in `s` from here on. If `s` is to stop, the next fork takes its slow path.
void enter_scope(const scope* s) noexcept;

/// Returns true if the strand with these words is to stop. The calling thread runs it.
bool is_stopping(const hot_words& h) noexcept;

/// Returns true if the running strand is to stop by an exception here and now: not while another one unwinds the stack, because
/// a destructor must not throw. Works outside every pool, too.
TINE_COLD bool must_stop() noexcept;

/// Throws tine::stopped.
[[noreturn]] TINE_COLD void throw_stopped();

/// For a task that begins: throws tine::stopped if it is to stop. The scheduler has left the doorbell rung then.
inline void stop_before_begin() {
  if (hot::is_rung(nullptr) && must_stop()) [[unlikely]]
    throw_stopped();
}

/// The part ended by an exception. Stops everything that was given away of the same loop and comes later in it. To be called
/// before the part is finished.
TINE_COLD void stop_later_parts(part& p) noexcept;

/// The owner of a range wants no part of it any more: stops those that run. To be followed by `discard` for each.
void stop_all_parts(range& r) noexcept;

}  // namespace sched
}  // namespace tine
