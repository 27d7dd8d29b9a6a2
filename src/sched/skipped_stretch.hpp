// Skipped stretches: parts of an observed strand that run unobserved, at full speed. The strand owns its stretch.
// Thieves of records that were forked in it only add to the atomic sums.
#pragma once

#include "sched/fiber.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/scope.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tine::sched {

struct skipped_stretch;

/// The memory of an observer that follows a part of a skipped stretch.
struct apart_memory {
  alignas(16) std::byte bytes[256];
};

/// The functions of an observer that skips stretches. The thread of the strand calls them.
struct skip_hooks {
  /// The strand of `at` continues unobserved. Returns the time.
  base::ticks (*look_away)(observer& at) noexcept;
  /// The stretch has ended, and all that it forked has been joined: adds what ran in it, and observes the strand again.
  void (*look_back)(observer& at, const skipped_stretch& over) noexcept;
  /// The strand gets an observer of its own, in `memory`, for a part of what was forked in the stretch. `end_apart`
  /// adds what that one has seen to the sums.
  void (*begin_apart)(apart_memory& memory, const skipped_stretch& in) noexcept;
  void (*end_apart)(apart_memory& memory, skipped_stretch& in) noexcept;
  /// The clocks of strands: `rested` is for a thread that may have been idle since its last reading.
  base::ticks (*now)() noexcept;
  base::ticks (*rested)() noexcept;
  /// The stretch has taken longer than `longest`, and is not over. Any of its strands may call this, several times.
  void (*found_long)(const skipped_stretch& s) noexcept;
  /// Returns false if stretches of the strand of `at` need no beats, because none will take longer than `longest`.
  bool (*may_be_long)(const observer& at) noexcept;
  /// The time that a stretch should take at most. If one takes longer, we promote what is pending, and observe it.
  base::ticks longest;
};

/// Lives until everything that was forked in it has been joined.
struct skipped_stretch {
  scope own;                             ///< thieves find the stretch by the scope that their task inherits
  observer* by = nullptr;                ///< the strand's observer, meanwhile without a strand
  site where = 0;                        ///< the fork whose second branch it is; 0: a chunk of a loop
  base::atomic<base::ticks> ran{0};      ///< the time of all strands in it
  base::atomic<base::ticks> high{0};     ///< how much of it is on the longest chain, at most
  base::atomic<std::uint64_t> forks{0};  ///< forks that were observed in it

  const skip_hooks& hooks() const noexcept { return *by->events->skips; }
  // relaxed: the joins of the tasks publish the sums
  void add(base::ticks work, base::ticks span, std::uint64_t observed = 0) noexcept {
    ran.fetch_add(work, base::relaxed);
    high.fetch_add(span, base::relaxed);
    forks.fetch_add(observed, base::relaxed);
  }
};

/// The running strand, whose observer skips stretches, is unobserved from `begin_skipping` to `end_skipping`. In
/// between it leaves each scope that it enters.
TINE_API void begin_skipping(skipped_stretch& s) noexcept;
TINE_API void end_skipping(skipped_stretch& s) noexcept;

/// Called by a strand that isn't joined, with the last thing that it does for its stretch: the stretch may end from now
/// on. Does nothing on other strands.
void leave_stretch() noexcept;

/// Returns the innermost stretch that the running strand is in; null: none.
inline skipped_stretch* stretch_here() noexcept {
  const scope* const here = current_scope();
  return here != nullptr ? here->skipped : nullptr;
}

/// Returns the innermost scope around `s` that the program has made.
inline const scope* outside_stretch(const scope* s) noexcept {
  while (s != nullptr && s->skipped != nullptr && s == &s->skipped->own) s = s->outer;
  return s;
}

/// While it lives, the running strand, which is in a skipped stretch, is observed by an observer of its own. Only the
/// strand's thread touches it.
class observed_apart {
 public:
  TINE_API observed_apart() noexcept;
  TINE_API ~observed_apart();
  observed_apart(const observed_apart&) = delete;
  observed_apart& operator=(const observed_apart&) = delete;

 private:
  skipped_part part_;  ///< the strand's part in the stretch
  scope inside_;       ///< tasks of the part are in no stretch
  apart_memory observer_;
};

/// Returns null if the running strand is in no skipped stretch.
inline std::unique_ptr<observed_apart> observe_if_skipping() {
  return stretch_here() != nullptr ? std::make_unique<observed_apart>() : nullptr;
}

}  // namespace tine::sched
