// record and replay: regions whose schedule is written down, and regions that follow one.
#pragma once

#include <tine/base/result.hpp>
#include <tine/replay/schedule.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <utility>

namespace tine {

/// How closely a replay follows its schedule (constrained stealing, §IV-C).
enum class replay_mode : unsigned char {
  strict_ordered,    ///< every strand on its worker, in the recorded order (StOWS)
  strict_unordered,  ///< every strand on its worker, in the order in which they become ready (StUWS)
  relaxed,           ///< as unordered; but whoever is idle steals (RelWS)
};

/// What became of a replay.
struct replayed {
  std::uint64_t matched = 0;   ///< recorded steals, and joins after them, that were followed
  std::uint64_t voided = 0;    ///< that the computation never came to
  std::uint64_t diverged = 0;  ///< forks and loops that were not what the schedule says, and waits for what never came
  /// What was done in fact. Of a relaxed replay it is made to be followed by the next: neighbouring parts that one worker ran are one
  /// part, and there are no more steals than in the schedule that was followed, or than 32 for each worker.
  schedule performed;
};

namespace detail {

class score;

/// A region while it is recorded or replayed, on the stack of whoever began it.
class scored_region {
 public:
  scored_region();
  scored_region(const schedule& follow, replay_mode how);
  scored_region(const scored_region&) = delete;
  scored_region& operator=(const scored_region&) = delete;
  ~scored_region();

  /// From here to there the running strand is the region's.
  void begin() noexcept;
  void end() noexcept;
  /// Afterwards. What was done.
  replayed result() const;

 private:
  score* score_;
};

/// Never inlined: the begin and the end of a region may take the strand to another thread, and compilers keep addresses of thread-locals
/// over them.
template <class F>
TINE_NOINLINE void run_in_region(F& f) {
  static_cast<void>(sched::run_here(f));
}

template <class F>
void run_scored(scored_region& r, F& f) {
  struct scope {
    scored_region& region;
    explicit scope(scored_region& s) noexcept : region{s} { region.begin(); }
    ~scope() { region.end(); }
  } const here{r};
  run_in_region(f);
}

}  // namespace detail

/// Runs `f()` and returns who ran what of it. Forks and loops of both front ends are followed wherever they are; nothing
/// is slower but what is in such a region. What `f` returns is dropped; `f` may be a coroutine. An exception of `f` goes on, and
/// nothing is returned. Regions nest, and there may be several at once. Outside every pool it uses the default pool.
template <class F>
  requires std::invocable<F&>
schedule record(F&& f) {
  return run([&] {
    detail::scored_region region;
    detail::run_scored(region, f);
    return region.result().performed;
  });
}

/// Runs `f()` as `follow` says: what was stolen there is given to the same worker here. A schedule of something else does no harm but to
/// speed: what it says of forks that do not come is void, forks of which it says nothing stay where they are (or, in
/// relaxed mode, may be stolen), and nobody waits for what never comes. The worker that begins takes the part of the one that
/// began then. Of a schedule for more workers than the pool has, several are put on one, in their common order; with fewer,
/// the others stay idle, or steal in relaxed mode. `replay` returns on the thread that called it, unless `options::resume` of the pool
/// is not `resume_policy::same_thread`; in a strict mode `f` may be called on another thread.
///
/// `f` as for `record`; the same for exceptions.
template <class F>
  requires std::invocable<F&>
replayed replay(const schedule& follow, replay_mode how, F&& f) {
  return run([&] {
    detail::scored_region region{follow, how};
    detail::run_scored(region, f);
    return region.result();
  });
}

/// Whether nothing of what the running strand is yet to fork, up to the end of its branch or of its piece of a loop, runs elsewhere,
/// because it follows a schedule strictly and that has nothing more for it. Then a coarse sequential kernel does as well, and
/// is often faster: dynamic coarsening (constrained stealing, §VI). False outside of strict replays. What the program itself
/// wants by `par_on` and the like is not foreseen. Takes some nanoseconds.
bool no_split_below() noexcept;

}  // namespace tine
