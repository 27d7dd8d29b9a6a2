// record and replay: run code in a region whose schedule is recorded, or that follows a schedule. Any thread may call
// them.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/replay/schedule.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tine {

/// How closely a replay follows its schedule (constrained stealing, §IV-C).
enum class replay_mode : unsigned char {
  strict_ordered,    ///< every strand on its worker, in the recorded order (StOWS)
  strict_unordered,  ///< every strand on its worker, in the order in which they become ready (StUWS)
  relaxed,           ///< like strict_unordered, but idle workers steal (RelWS)
  /// Every strand on its worker, and one strand at a time, in the recorded order of all starts. The running strand may
  /// wait for another one in a way that the runtime does not see, as in a std::mutex. Then it loses its turn after 30
  /// ms; if it only spins, after 2 s.
  serial,
};

/// Thrown by a replay that must match its schedule, and does not.
class TINE_API schedule_mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument of `replay`: throw if the run differs from the schedule.
struct must_match_t {
  explicit must_match_t() = default;
};
inline constexpr must_match_t must_match{};  ///< the argument

/// The result of a replay.
struct replayed {
  std::uint64_t matched = 0;  ///< recorded steals, and joins after them, that the run followed
  std::uint64_t skipped = 0;  ///< recorded steals and joins that the computation never came to
  /// forks and loops that differ from the schedule, steals in a strict mode, and waits for strands that never came
  std::uint64_t diverged = 0;
  /// The schedule that was in fact performed. A relaxed replay prepares it for the next one: it merges neighbouring
  /// parts that one worker ran, and prunes steals. As many stay as the schedule that was followed has, or 32 for each
  /// worker if that is more. Parts that the program itself placed don't count towards this limit.
  schedule performed;
  /// the first place at which the run differed from the schedule, and how, as "fork 2.1/0 …"
  /// (docs/reference/schedules.md); empty if it did not differ
  std::string first_divergence;
  std::uint64_t duration_ns = 0;       ///< from the start of the region to the end of its last strand, in nanoseconds
  std::vector<std::uint64_t> busy_ns;  ///< by worker number: the time that it spent in strands of the region
  std::vector<std::uint64_t> idle_ns;  ///< by worker number: the rest of `duration_ns`

  /// Computes the three times from `performed`.
  TINE_API void time_workers();
};

namespace detail {

class session;

/// A region while it is recorded or replayed. It lives on the stack of the caller that began it.
class replay_region {
 public:
  TINE_API replay_region();
  TINE_API replay_region(const schedule& follow, replay_mode how, bool must_match = false);
  replay_region(const replay_region&) = delete;
  replay_region& operator=(const replay_region&) = delete;
  TINE_API ~replay_region();

  /// Between `begin` and `end` the running strand belongs to the region.
  TINE_API void begin() noexcept;
  TINE_API void end() noexcept;
  /// Returns the region's result. Call it after `end`.
  TINE_API replayed result() const;

 private:
  session* session_;
};

/// Calls `f`. Never inlined: entering and leaving a region may move the strand to another thread, and compilers keep
/// addresses of thread-locals across both.
template <class F>
TINE_NOINLINE void run_in_region(F& f) {
  static_cast<void>(sched::run_here(f));
}

template <class F>
void run_in_replay_region(replay_region& r, F& f) {
  struct scope {
    replay_region& region;
    explicit scope(replay_region& s) noexcept : region{s} { region.begin(); }
    ~scope() { region.end(); }
  } const here{r};
  run_in_region(f);
}

}  // namespace detail

/// Runs `f()` and returns its schedule: the worker that ran each part of it. `record` follows all forks and loops of
/// both front ends in `f`, and makes only code in such a region slower. The result of `f` is discarded; `f` may be a
/// coroutine. If `f` throws, so does `record`, and there is no schedule. Regions nest, and several may run at the same
/// time. Outside every pool `record` uses the default pool.
template <class F>
  requires std::invocable<F&>
schedule record(F&& f) {
  return run([&] {
    detail::replay_region region;
    detail::run_in_replay_region(region, f);
    return region.result().performed;
  });
}

/// Runs `f()` by the schedule `follow`: each part that was stolen in the recorded run is placed on the same worker in
/// this run. The schedule of another program costs only speed. Entries for forks that don't come are void, forks
/// without an entry stay on their worker (or may be stolen, in relaxed mode), and no strand waits for one that never
/// comes.
///
/// The worker that starts the region takes the place of the worker that started the recorded one. If the schedule is
/// for more workers than the pool has, one worker takes the places of several, in their common order. If it is for
/// fewer, the remaining workers stay idle, or steal in relaxed mode. `replay` returns on the thread that called it,
/// unless `options::resume` of the pool is not `resume_policy::same_thread`; in a strict mode `f` may be called on
/// another thread.
///
/// The rules for `f` and its exceptions are those of `record`.
template <class F>
  requires std::invocable<F&>
replayed replay(const schedule& follow, replay_mode how, F&& f) {
  return run([&] {
    detail::replay_region region{follow, how};
    detail::run_in_replay_region(region, f);
    return region.result();
  });
}

/// As `replay`, but the run must match the schedule. Throws schedule_mismatch before it calls `f` if another program,
/// or another build of this one, recorded the schedule; and after `f` has returned if the run differed. The message
/// names the first place at which it did.
template <class F>
  requires std::invocable<F&>
replayed replay(const schedule& follow, replay_mode how, must_match_t, F&& f) {
  replayed done = run([&] {
    detail::replay_region region{follow, how, true};
    detail::run_in_replay_region(region, f);
    return region.result();
  });
  if (!done.first_divergence.empty())
    throw schedule_mismatch{"tine: the run differs from its schedule: " + done.first_divergence};
  return done;
}

/// Returns true if everything that the running strand will still fork stays here, up to the end of its branch or of its
/// piece of a loop. That is so if the strand follows a schedule strictly that has no more entries for it. Then use a
/// coarse sequential kernel, which is often faster: dynamic coarsening (constrained stealing, §VI). Returns false
/// outside of strict replays. Workers that the program itself names with `par_on` and the like are not foreseen. A call
/// takes some nanoseconds.
TINE_API bool no_split_below() noexcept;

}  // namespace tine
