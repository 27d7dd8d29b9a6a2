// record and replay: regions whose schedule is recorded, and regions that follow a schedule.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/replay/schedule.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <utility>

namespace tine {

/// How closely a replay follows its schedule (constrained stealing, §IV-C).
enum class replay_mode : unsigned char {
  strict_ordered,    ///< every strand on its worker, in the recorded order (StOWS)
  strict_unordered,  ///< every strand on its worker, in the order in which they become ready (StUWS)
  relaxed,           ///< like strict_unordered, but idle workers steal (RelWS)
};

/// The result of a replay.
struct replayed {
  std::uint64_t matched = 0;   ///< recorded steals, and joins after them, that were followed
  std::uint64_t skipped = 0;   ///< recorded steals and joins that the computation never came to
  std::uint64_t diverged = 0;  ///< forks and loops that differ from the schedule, and waits for strands that never came
  /// The schedule that was in fact performed. After a relaxed replay it is prepared for the next relaxed replay: neighbouring parts
  /// that one worker ran are merged into one part, and there are no more steals than in the schedule that was followed, or than 32
  /// for each worker if that is more. Parts that the program itself placed do not count towards this limit.
  schedule performed;
};

namespace detail {

class session;

/// A region while it is recorded or replayed. It lives on the stack of the caller that began it.
class replay_region {
 public:
  TINE_API replay_region();
  TINE_API replay_region(const schedule& follow, replay_mode how);
  replay_region(const replay_region&) = delete;
  replay_region& operator=(const replay_region&) = delete;
  TINE_API ~replay_region();

  /// Between `begin` and `end` the running strand belongs to the region.
  TINE_API void begin() noexcept;
  TINE_API void end() noexcept;
  /// Returns the result of the region. Call it after `end`.
  TINE_API replayed result() const;

 private:
  session* session_;
};

/// Calls `f`. It is never inlined, because the begin and the end of a region may move the strand to another thread, and compilers
/// keep addresses of thread-locals across them.
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

/// Runs `f()` and returns its schedule: which worker ran which part of it. `record` follows all forks and loops of both front ends
/// in `f`. Only code in such a region becomes slower. The result of `f` is discarded; `f` may be a coroutine. An exception that `f`
/// throws leaves `record`, which then returns no schedule. Regions nest, and there may be several at the same time. Outside every
/// pool `record` uses the default pool.
template <class F>
  requires std::invocable<F&>
schedule record(F&& f) {
  return run([&] {
    detail::replay_region region;
    detail::run_in_replay_region(region, f);
    return region.result().performed;
  });
}

/// Runs `f()` and follows the schedule `follow`: each part that was stolen in the recorded run is placed on the same worker in this
/// run. The schedule of another program costs only speed. Its entries for forks that do not come are void. Forks without an entry
/// stay on their worker (or, in relaxed mode, may be stolen). No strand waits for a strand that never comes.
///
/// The worker that begins takes the place of the worker that began the recorded run. If the schedule is for more workers than the
/// pool has, one worker takes the places of several, in their common order. If it is for fewer workers, the remaining workers stay
/// idle, or steal in relaxed mode. `replay` returns on the thread that called it, unless `options::resume` of the pool is not
/// `resume_policy::same_thread`; in a strict mode `f` may be called on another thread.
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

/// Returns true if nothing that the running strand will still fork runs elsewhere, up to the end of its branch or of its piece of a
/// loop, because the strand follows a schedule strictly and the schedule has no more entries for it. Then a coarse sequential
/// kernel does as well, and is often faster: dynamic coarsening (constrained stealing, §VI). Returns false outside of strict
/// replays. Workers that the program itself names with `par_on` and the like are not foreseen. A call takes some nanoseconds.
TINE_API bool no_split_below() noexcept;

}  // namespace tine
