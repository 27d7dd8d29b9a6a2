// The interface that analyses attach to: the events of an observed strand.
//
// A fiber's word `observer_word` says whether its strand is observed. If it is, we arm the strand's limit (1, below
// every record), so every fork and every loop takes its slow path, which calls these events. Therefore the fast path
// has no instruction for them, and an observer also follows code that was compiled without any analysis. The scheduler
// doesn't interpret the events.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::sched {

/// The fiber-local word that holds the address of the observer; 0: the strand is not observed.
inline constexpr unsigned observer_word = fiber_local_words - 1;

/// The fiber-local word that holds the end of an instrumented strand's shadow stack, because the limit of such a strand
/// doesn't hold it.
inline constexpr unsigned shadow_end_word = fiber_local_words - 2;

/// The place of a fork or loop in the program: the return address of its call.
using site = std::uintptr_t;

/// This bit is set beside the address of a coroutine's fork; no address has it.
inline constexpr site of_coroutine = site{1} << 63;

/// This bit and the address of a loop's storage stand in place of a site: the fork is one halving of that loop, which
/// runs as a tree of forks.
inline constexpr site of_halving = site{1} << 62;

/// How an observer wants loops to run.
enum class loop_mode : unsigned char {
  in_chunks,   ///< as loops of an unobserved strand
  one_by_one,  ///< each iteration by itself
  as_forks,    ///< as a balanced tree of forks; the observer gets the events of forks
  halved,      ///< as that tree, but as one loop with `loop_form::halved`: some analyses see forks, others see a loop
};

/// How the strand runs a loop that it reports.
enum class loop_form : unsigned char {
  split,    ///< in subranges, on this strand and on others; each subrange is reported
  unsplit,  ///< the strand runs all iterations itself, and reports no subrange; only if loops are run `in_chunks`
  halved,   ///< as a tree of forks, each with `of_halving`; its leaves report their iterations
};

struct observer;
struct fork_steps;
struct skip_hooks;

/// Counts of short loops, which end before a thief could steal a part of them. An observer may count such loops instead
/// of getting their events; their iterations then belong to the strand. If an exception leaves a loop, the loop and all
/// of its iterations count, but `end` isn't called for it.
///
/// A few of these loops are timed. The time of each other loop is estimated: it is the number of its iterations times
/// the rate of its kind of loop, which is the average of the loops that were timed. A loop inside of another loop adds
/// nothing, because the rate of the outer loop contains it.
struct short_loops {
  std::uint64_t begun = 0;
  std::uint64_t iterations = 0;  ///< of these loops
  std::uint64_t open = 0;        ///< levels of halving: ⌈log₂ n⌉ for each loop that is open, one inside the other
  std::uint64_t deepest = 0;     ///< the greatest value that `open` ever had
  std::uint64_t inside = 0;      ///< estimated time of the strand inside of these loops, in fractions of a tick

  /// Rates are kept in fractions of a tick; this is the number of fractions in one tick.
  static constexpr std::uint64_t fractions = 256;

  /// A loop of `n` iterations starts. Its kind of loop takes `rate` fractions of a tick for each iteration.
  TINE_ALWAYS_INLINE void begin(std::uint64_t n, std::uint64_t rate) noexcept {
    if (open == 0) inside += n * rate;
    begin_timed(n);
  }
  /// The empty `asm` keeps compilers from adding to `iterations` and `open` at once in a vector, whose load would have
  /// to wait until the store of the last `end` is in the cache.
  TINE_ALWAYS_INLINE void begin_timed(std::uint64_t n) noexcept {
    ++begun;
    iterations += n;
    asm("" : "+r"(n));
    open += levels_of(n);
    if (deepest < open) deepest = open;
  }
  /// The loop ends.
  TINE_ALWAYS_INLINE void end(std::uint64_t n) noexcept { open -= levels_of(n); }
  /// To be called after the end of a loop that was timed. `took`: the time of the loop.
  void add_timed(base::ticks took) noexcept {
    if (open == 0) inside += took * fractions;
  }

 private:
  static constexpr std::uint64_t levels_of(std::uint64_t n) noexcept {
    return static_cast<std::uint64_t>(64 - std::countl_zero(n - 1));
  }
};

/// The events of an observer. Each fork and each loop lends the observer some storage, which stays where it is until
/// the join. Every event runs on the thread of its strand and must not throw, fork or wait. An event that returns an
/// observer returns the observer that the strand has from then on.
struct observer_hooks {
  /// The strand of `at` forks, and continues with the first branch.
  observer& (*fork)(observer& at, void* storage, site where) noexcept;
  /// The first branch has ended, and the same strand continues with the second one.
  observer& (*first_done)(void* storage) noexcept;
  /// A strand, unobserved so far, starts with the second branch. `on_other_strand`: it isn't the strand of the first
  /// one.
  observer& (*begin)(void* storage, bool on_other_strand) noexcept;
  /// The strand of `at` ends with its branch: a second branch that began so, or a first one whose second runs
  /// elsewhere.
  void (*stop)(observer& at) noexcept;
  /// Both branches have ended. `here`: the second branch ended on this strand, after `first_done`, and nothing else has
  /// happened since.
  observer& (*join)(void* storage, branch_end how, bool here) noexcept;

  /// The strand of `at` comes to a loop of `n` iterations.
  observer& (*open_loop)(observer& at, void* storage, loop_form form, std::uint64_t n, site where) noexcept;
  /// All iterations of that loop have ended. An unsplit loop reports here how many did.
  observer& (*close_loop)(void* storage, loop_form form, std::uint64_t iterations) noexcept;
  /// A strand starts a subrange of the loop, at iteration `first`. `on_other_strand`: it isn't the strand of the loop,
  /// because the subrange was promoted or placed on a worker. The memory of the subrange belongs to the observer.
  observer& (*begin_subrange)(void* storage, std::uint64_t first, bool on_other_strand) noexcept;
  void (*end_subrange)(observer& subrange) noexcept;
  /// Iteration `i` of `n` starts on the subrange, or on a leaf of the tree. Only for loops that are run `one_by_one` or
  /// `halved`; a leaf may be a piece of several iterations.
  void (*iteration)(observer& at, std::uint64_t i, std::uint64_t n) noexcept;
  /// `iterations` more iterations of the subrange have ended; 1 for a leaf.
  void (*chunk)(observer& at, std::uint64_t iterations) noexcept;

  /// `pause`: the strand pauses. `resume`: it continues, perhaps on another worker.
  void (*pause)(observer& at) noexcept;
  void (*resume)(observer& at) noexcept;

  std::uint32_t first_at;       ///< offset in the storage of a fork: the observer of its first branch
  std::uint32_t storage_bytes;  ///< size of the storage that a fork or a loop must give; the storage is aligned to 16
  loop_mode loops;
  /// Unstealable: a strand with this observer runs all of its branches and iterations itself, in the serial order,
  /// however many workers are idle.
  bool is_unstealable = false;
  /// As `loops`, for loops that do not report each iteration to the race detector. The greater one of the two counts.
  loop_mode unseparated_loops = loop_mode::in_chunks;
  /// The halving of an algorithm's loop ends at pieces of several items, instead of single ones, if there are many.
  bool has_pieces = false;

  /// The clock of strands that times some of the short loops, if the observer has a short_loops at `short_loops_at`.
  /// Null: the observer gets the events of an unsplit loop for them. The clock waits until everything that the strand
  /// has begun is done; the difference of two readings is the time of the strand in between.
  base::ticks (*short_loop_clock)() noexcept = nullptr;
  /// The steps of managed forks on a strand with this observer that is in no region (fork_steps.hpp). Null: `fork` and
  /// the other events above.
  const fork_steps* nested_forks = nullptr;
  /// Called where parts of the observer's strands run unobserved (src/sched/skipped_stretch.hpp). Null: it observes
  /// everything.
  const skip_hooks* skips = nullptr;
};

/// Offset in bytes of the short_loops from the start of an observer. All observers have the same offset, so that we
/// need not look it up.
inline constexpr std::uint32_t short_loops_at = 32;

/// The head of the data that an observer keeps for a strand.
struct observer {
  const observer_hooks* events;

  /// Returns the observer of the running strand; null if it is not observed.
  TINE_ALWAYS_INLINE static observer* current() noexcept {
    return base::from_word<observer>(hot::fiber_local<observer_word>());
  }
  TINE_ALWAYS_INLINE static void set(observer& w) noexcept { hot::set_fiber_local<observer_word>(base::to_word(&w)); }
  /// Returns the short_loops of the observer, which must have them.
  TINE_ALWAYS_INLINE short_loops& counted() noexcept {
    return *base::object_at<short_loops>(base::bytes_of(*this) + short_loops_at);
  }
};

/// Returns true if the strand with these words is instrumented: it is observed, or in a region.
inline bool is_instrumented(const hot_words& h) noexcept {
  return h.fiber_local[observer_word] != 0 || h.fiber_local[position_word] != 0;
}

/// Returns true if the running strand is instrumented.
TINE_ALWAYS_INLINE bool is_instrumented() noexcept {
  return hot::is_fiber_local_set<observer_word>() || hot::is_fiber_local_set<position_word>();
}

/// The armed limit: the limit of an instrumented strand while no work request is pending. It is below every record, but
/// not 0.
inline const address& armed_limit = base::pointer_constant<std::byte, 1>;

/// `begin_observing` attaches an observer to the running strand, which must have none; `end_observing` detaches it. In
/// an observed strand only records that were written for the observer may be promoted, so the promotion limit rises and
/// falls with these records. Reason: the fast path of a fork writes its record before it finds out that the strand is
/// observed.
TINE_API void begin_observing(observer& w) noexcept;
TINE_API void end_observing() noexcept;

/// Makes `w` the observer of the running strand in place of the one that it may have; null: none.
TINE_API void set_observer(observer* w) noexcept;

/// The value of the promotion limit when every record may be promoted.
inline const address& no_promotion_limit = base::pointer_constant<std::byte, ~std::uintptr_t{0}>;

/// Returns true if no record can begin at this address.
inline bool is_odd(address a) noexcept { return (base::to_word(a) & 1) != 0; }
/// Returns true if the observer of the running strand keeps all of its branches on the strand.
inline bool has_unstealable_observer() noexcept {
  const observer* const w = observer::current();
  return w != nullptr && w->events->is_unstealable;
}

/// Returns true if the running strand is inside tine::sequential.
inline bool is_kept_sequential() noexcept {
  const address promotion_limit = hot::words().promotion_limit.load(base::relaxed);  // relaxed: own word
  return is_odd(promotion_limit) && promotion_limit != no_promotion_limit;
}

/// The observed strand forks, with a record that ends at `end`. A full shadow stack grows; if it can't, the program
/// ends with a message.
namespace plain {
TINE_API TINE_COLD void grow_observed(address end) noexcept;
}  // namespace plain
TINE_SLOW_PATH void grow_observed(address end) noexcept { plain::grow_observed(end); }
inline void check_observed_capacity(address end) noexcept {
  if (hot::is_above_fiber_local<shadow_end_word>(base::to_word(end))) [[unlikely]]
    grow_observed(end);
}

/// `push_observed`: an observed strand, or one that is about to be observed, has written a record. The record may be
/// promoted. `pop_observed`: the strand takes the record off again. Inside tine::sequential and in an unstealable
/// region the promotion limit is never at the start of a record, and stays where it is.
inline void push_observed(address at, address end) noexcept {
  hot::set_top(end);
  if (hot::is_promotion_limit(at)) hot::set_promotion_limit(end);
}
inline void pop_observed(address at, address end) noexcept {
  if (hot::is_promotion_limit(end)) hot::set_promotion_limit(at);
  hot::set_top(at);
}

/// The storage of an observed construct, from `at` to `end`, is the newest thing on the shadow stack, and its construct
/// has been joined. Promotion may have passed over the storage: without the rewinding the next record at `at` would
/// look promoted.
TINE_ALWAYS_INLINE void pop_storage_block(address at, address end) noexcept {
  pop_observed(at, end);
  if (hot::is_promoted(at)) [[unlikely]]
    rewind_shadow_stack(at);
}

/// Called by an observed strand to serve idle workers. The armed limit sends every fork of such a strand to its slow
/// path, so the strand must test `is_requested`.
namespace plain {
TINE_API TINE_COLD void serve_requests() noexcept;
/// As `serve_requests`, and then makes up to `more` further records stealable. See tine_abi_offer.
TINE_API TINE_COLD void offer(unsigned more) noexcept;
}  // namespace plain
TINE_SLOW_PATH void serve_requests() noexcept { plain::serve_requests(); }
inline bool is_requested() noexcept {
  return hot::is_limit(nullptr);  // an estimate; `acknowledge` reads the limit again
}
/// Returns true if the limit is armed: the running strand is instrumented, and no work request is pending.
TINE_ALWAYS_INLINE bool is_armed() noexcept { return hot::is_limit(armed_limit); }

/// Part of a managed fork's slow path. Returns true if the fork takes another way than usual, because the strand is
/// instrumented or because the thread is outside every pool. An instrumented strand comes here at every fork, so we
/// test the armed limit first; the other way does everything that poll does.
TINE_ALWAYS_INLINE bool forks_otherwise() noexcept { return is_armed() || poll() != polled::inside; }

inline void serve_observed() noexcept {
  if (is_requested()) serve_requests();
}

/// Observes whole roots, on their strands. Roots are rare, so the scheduler calls it for each root. A root that an
/// observed strand runs in another pool is a part of that strand. It has the same analysis, which isn't started for it,
/// and at its end is paused instead of ended.
struct root_observer {
  /// Called on the thread that brings or submits the root. Returns the place in the program of that call; 0: not known.
  /// `caller`: the analysis of the calling strand, or null.
  site (*place)(const observer* caller) noexcept;
  /// Returns null if this root is not observed. `caller`: the analysis of its caller's strand, or null. `from`: its
  /// place.
  observer* (*begin)(observer* caller, site from) noexcept;
  void (*start)(observer& w) noexcept;
  void (*end)(observer& w, bool threw) noexcept;
};

/// The observer of roots; null: there is none. The profiler sets it before main, if it is linked
/// (src/augment/profile.cpp). So the scheduler refers to no analysis, and a program without the profiler links none.
TINE_API extern constinit const root_observer* registered_root_observer;

/// As `root_observer::place`; 0 if nothing observes roots.
inline site place_of_root(const observer* caller) noexcept {
  return registered_root_observer != nullptr ? registered_root_observer->place(caller) : 0;
}

}  // namespace tine::sched
