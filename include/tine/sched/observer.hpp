// The interface that analyses attach to: the events of an observed strand.
//
// A fiber's word `observer_word` says whether its strand is observed. If it is, the strand's limit is armed (1, below
// every record), so every fork and every loop takes its slow path, which calls these events. Therefore the usual path
// has no instruction for them, and an observer also follows code that was compiled without any analysis. The scheduler
// does not interpret the events.
#pragma once

#include <tine/base/clock.hpp>
#include <tine/sched/hot_words.hpp>
#include <tine/sched/shadow_stack.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::sched {

/// The fiber-local word that holds the address of the observer; 0: the strand is not observed.
inline constexpr unsigned observer_word = fiber_local_words - 1;

/// The fiber-local word that holds the end of an observed strand's shadow stack, because the limit of such a strand does
/// not hold it.
inline constexpr unsigned shadow_end_word = fiber_local_words - 2;

/// The place of a fork or loop in the program: the return address of its call.
using site = std::uintptr_t;

/// This bit is set beside the address of a coroutine's fork; no address has it.
inline constexpr site of_coroutine = site{1} << 63;

/// This bit and the address of a loop's storage stand in place of a site: the fork is one halving of that loop, which is
/// run as a tree of forks.
inline constexpr site of_halving = site{1} << 62;

/// How the second branch of a fork ended; known when the fork is joined.
enum class branch_end : unsigned char {
  unpromoted,  ///< it was never promoted
  reclaimed,   ///< it was promoted, and reclaimed by its owner
  stolen,      ///< it ran elsewhere
};

/// The way in which an observer wants loops to be run.
enum class loop_mode : unsigned char {
  in_chunks,   ///< as loops of an unobserved strand
  one_by_one,  ///< each iteration by itself
  as_forks,    ///< as a balanced tree of forks; the observer gets the events of forks
  halved,      ///< as that tree, with `open_tree` and its related events: some analyses see forks, others see a loop
};

struct observer;
struct placer_hooks;
struct task;
struct join_counter;
class placement_hint;

/// Counts of short loops, which end before a thief could steal a part of them. An observer may count such loops in place of
/// getting their events; their iterations then belong to the strand. A loop that an exception leaves is counted as
/// begun, but `end` is not called for it.
///
/// A few of these loops are timed. The time of each other loop is estimated: it is the number of its iterations times
/// the rate of its kind of loop, which is the average of the loops that were timed. A loop inside of another loop adds
/// nothing, because the rate of the outer loop contains it.
struct short_loops {
  std::uint64_t begun = 0;
  std::uint64_t iterations = 0;  ///< the iterations of the loops that have ended
  std::uint64_t open = 0;        ///< levels of halving: ⌈log₂ n⌉ for each loop that is open, one inside the other
  std::uint64_t deepest = 0;     ///< the greatest value that `open` ever had
  std::uint64_t inside = 0;      ///< estimated time of the strand inside of these loops, in fractions of a tick

  /// Rates are kept in fractions of a tick; this is the number of fractions in one tick.
  static constexpr std::uint64_t fractions = 256;

  /// A loop of `n` iterations begins. Its kind of loop takes `rate` fractions of a tick for each iteration.
  TINE_ALWAYS_INLINE void begin(std::uint64_t n, std::uint64_t rate) noexcept {
    if (open == 0) inside += n * rate;
    begin_timed(n);
  }
  TINE_ALWAYS_INLINE void begin_timed(std::uint64_t n) noexcept {
    ++begun;
    open += levels_of(n);
    if (deepest < open) deepest = open;
  }
  /// The loop ends. The empty `asm` keeps compilers from doing both additions at once in a vector: the vector load
  /// would have to wait until the stores of `begin` are in the cache.
  TINE_ALWAYS_INLINE void end(std::uint64_t n) noexcept {
    iterations += n;
    asm("" : "+r"(n));
    open -= levels_of(n);
  }
  /// To be called after the end of a loop that was timed. `took`: the time of the loop.
  void add_timed(base::ticks took) noexcept {
    if (open == 0) inside += took * fractions;
  }

 private:
  static constexpr std::uint64_t levels_of(std::uint64_t n) noexcept {
    return static_cast<std::uint64_t>(std::bit_width(n - 1));
  }
};

/// The events of an observer. Each fork and each loop lends the observer some storage, which stays where it is until the
/// join. Every event runs on the thread of its strand and must not throw, fork or wait. An event that returns an observer
/// returns the observer that the strand has from then on.
struct observer_hooks {
  /// The strand of `at` forks, and continues with the first branch.
  observer& (*fork)(observer& at, void* storage, site where) noexcept;
  /// The first branch has ended, and the same strand continues with the second one.
  observer& (*first_done)(void* storage) noexcept;
  /// The first branch has ended, and the second one runs in another strand.
  void (*first_done_suspended)(void* storage) noexcept;
  /// `begin`: a strand, unobserved so far, begins with the second branch. `end`: it ends with that branch. `on_other_strand`: it
  /// is not the strand of the first branch.
  observer& (*begin)(void* storage, bool on_other_strand) noexcept;
  void (*end)(void* storage) noexcept;
  /// Returns the storage of the fork that has this first branch.
  void* (*storage_of_first)(observer& first) noexcept;
  /// Both branches have ended. `here`: the second branch ended on this strand, after `first_done`, and nothing else has
  /// happened since.
  observer& (*join)(void* storage, branch_end how, bool here) noexcept;

  /// `open_loop`: the strand of `at` comes to a loop of `n` iterations. `close_loop`: it comes to the end of the loop,
  /// after all subranges have ended.
  void (*open_loop)(observer& at, void* storage, std::uint64_t n, site where) noexcept;
  observer& (*close_loop)(void* storage) noexcept;
  /// A strand begins a subrange of the loop, at iteration `first`. `on_other_strand`: it is not the strand of the loop, because the
  /// subrange was promoted or placed on a worker. The memory of the subrange belongs to the observer.
  observer& (*begin_subrange)(void* storage, std::uint64_t first, bool on_other_strand) noexcept;
  /// Iteration `i` begins on that subrange. Only for loops that are run `one_by_one`.
  void (*iteration)(observer& subrange, std::uint64_t i) noexcept;
  /// `iterations` more iterations of the subrange have ended.
  void (*chunk)(observer& subrange, std::uint64_t iterations) noexcept;
  void (*end_subrange)(observer& subrange) noexcept;

  /// `begin_unsplit`: the strand of `at` runs an unsplit loop of `n` iterations itself; there are no events of subranges for
  /// it. `end_unsplit`: the loop has ended, after `iterations` iterations. Only for loops that are run `in_chunks`.
  observer& (*begin_unsplit)(observer& at, void* storage, std::uint64_t n, site where) noexcept;
  observer& (*end_unsplit)(void* storage, std::uint64_t iterations) noexcept;

  /// `open_tree`: the strand of `at` begins to run a loop as a tree of forks, each with `of_halving`. `close_tree`: the
  /// loop has ended. Only for loops that are `halved`.
  observer& (*open_tree)(observer& at, void* storage, std::uint64_t n, site where) noexcept;
  observer& (*close_tree)(void* storage) noexcept;
  /// `begin_leaf`: a strand of the tree begins iteration `i` of `n`. `end_leaf`: it has ended that iteration.
  void (*begin_leaf)(observer& at, std::uint64_t i, std::uint64_t n) noexcept;
  void (*end_leaf)(observer& at) noexcept;

  /// `pause`: the strand pauses. `resume`: it continues, perhaps on another worker.
  void (*pause)(observer& at) noexcept;
  void (*resume)(observer& at) noexcept;

  std::uint32_t storage_bytes;  ///< size of the storage that a fork or a loop must give; the storage is aligned to 16
  loop_mode loops;

  /// The clock of strands that times some of the short loops, if the observer has a short_loops at `short_loops_at`.
  /// Null: the observer gets the events of an unsplit loop for them. The clock waits until everything that the strand has
  /// begun is done; the difference of two readings is the time of the strand in between.
  base::ticks (*short_loop_clock)() noexcept = nullptr;

  /// An observer that is not itself an analysis may keep one, and passes all events on to it. `analysis` returns the
  /// analysis that it keeps, or null; `set_analysis` makes it keep another one. Other observers have null here.
  observer* (*analysis)(observer& at) noexcept = nullptr;
  void (*set_analysis)(observer& at, observer* kept) noexcept = nullptr;
  /// Places branches and subranges on workers; null if the observer never does.
  const placer_hooks* placer = nullptr;
  bool is_unstealable =
      false;  ///< unstealable: other workers run only the branches and subranges that the observer places on them
};

/// The placer of an observer: it places the second branch of an open fork, or subranges of an open loop, on workers before
/// these request work, and the strand then waits for them at a join counter.
struct placer_hooks {
  /// Returns true if the second branch is a placed branch. `place` then submits it to its worker, before the first branch
  /// begins.
  bool (*is_placed)(void* storage) noexcept;
  void (*place)(void* storage, task* second) noexcept;  ///< `second`: as it is queued
  /// `subranges` returns the number of subranges in which a loop is to be run; 0: it is run as usual. `subrange_begin` returns
  /// the iteration at which a subrange begins; the first subrange begins at 0. `is_subrange_placed` returns true if the subrange is
  /// placed on a worker. `place_subrange` submits it there.
  unsigned (*subranges)(void* storage) noexcept;
  std::uint64_t (*subrange_begin)(void* storage, unsigned subrange) noexcept;
  bool (*is_subrange_placed)(void* storage, unsigned subrange) noexcept;
  void (*place_subrange)(void* storage, unsigned subrange, task& t) noexcept;
  /// The strand has nothing else to do for the fork or the loop, and waits at the join counter for all of its placed
  /// branches or subranges.
  void (*wait)(void* storage) noexcept;
  /// Returns the join counter of `wait`, for a front end that waits in its own way.
  join_counter& (*join_counter_of)(void* storage) noexcept;
  /// The strand begins a run of coroutines that may end on another worker. It then waits at the join counter for that
  /// worker, and continues there or here. The storage belongs to the observer until `close_run`. `has_waited`: the strand has
  /// waited so.
  void* (*open_run)(observer& at) noexcept;
  join_counter& (*join_counter_of_run)(void* storage) noexcept;
  /// The run has ended in its own strand. Returns true if the strand must wait at the join counter all the same, because
  /// its continuation is placed on a worker.
  bool (*is_rest_placed)(void* storage) noexcept;
  /// `strand_blocked`: this worker has nothing left of the strand to run, and the strand waits at the join counter.
  /// `strand_unblocked`: the worker has work of the strand again.
  void (*strand_blocked)(void* storage) noexcept;
  void (*strand_unblocked)(void* storage) noexcept;
  void (*close_run)(void* storage, bool has_waited) noexcept;
  /// The program wants this owner, or these cuts, for the next fork or loop of the strand (sched/owners.hpp).
  /// `hint_owner` and `hint_cuts` throw if the observer cannot grant that. `forget_hint` drops the wanted cuts after
  /// the loop.
  void (*hint_owner)(observer& at, int owner);
  void (*hint_cuts)(observer& at, const placement_hint& cuts);
  void (*forget_hint)(observer& at) noexcept;
};

/// Offset in bytes of the short_loops from the begin of an observer. All observers have the same offset, so that it need
/// not be looked up.
inline constexpr std::uint32_t short_loops_at = 16;

/// The head of the data that an observer keeps for a strand.
struct observer {
  const observer_hooks* events;

  /// Returns the observer of the running strand; null if it is not observed.
  TINE_ALWAYS_INLINE static observer* current() noexcept {
    return reinterpret_cast<observer*>(hot::fiber_local<observer_word>());
  }
  TINE_ALWAYS_INLINE static void set(observer& w) noexcept {
    hot::set_fiber_local<observer_word>(reinterpret_cast<std::uintptr_t>(&w));
  }
  /// Returns the short_loops of the observer, which must have them.
  TINE_ALWAYS_INLINE short_loops& counted() noexcept {
    return *reinterpret_cast<short_loops*>(reinterpret_cast<std::byte*>(this) + short_loops_at);
  }
};

/// Returns true if the strand with these words is observed.
inline bool is_observed(const hot_words& h) noexcept { return h.fiber_local[observer_word] != 0; }

/// The armed limit: the limit of an observed strand while no work request is pending. It is below every record, but not 0.
inline const auto armed_limit = reinterpret_cast<address>(std::uintptr_t{1});

/// `begin_observing` attaches an observer to the running strand, which must have none; `end_observing` detaches it. In an
/// observed strand only records that were written for the observer may be promoted, so the watermark rises and falls with
/// these records: the usual path of a fork writes its record before it finds out that the strand is observed.
void begin_observing(observer& w) noexcept;
void end_observing() noexcept;

/// `analysis` returns the analysis of the running strand, and `set_analysis` sets it; null: none.
observer* analysis() noexcept;
void set_analysis(observer* w) noexcept;

/// The value of the watermark when every record may be promoted.
inline const auto no_watermark = reinterpret_cast<address>(~std::uintptr_t{0});

/// Returns true if no record can begin at this address.
inline bool is_odd(address a) noexcept { return (reinterpret_cast<std::uintptr_t>(a) & 1) != 0; }
/// Returns true if the running strand is inside tine::sequential.
inline bool is_kept_sequential() noexcept {
  const address watermark = hot::words().watermark.load(base::relaxed);  // relaxed: own word
  return is_odd(watermark) && watermark != no_watermark;
}

/// The observed strand forks, with a record that ends at `end`. If the shadow stack is full, it grows; if it cannot
/// grow, the program ends with a message.
TINE_COLD void grow_observed(address end) noexcept;
inline void check_observed_capacity(address end) noexcept {
  if (reinterpret_cast<std::uintptr_t>(end) > hot::fiber_local<shadow_end_word>()) [[unlikely]]
    grow_observed(end);
}

/// `push_observed`: an observed strand, or one that is about to be observed, has written a record. The record may be
/// promoted unless the strand is unstealable. `pop_observed`: the strand takes the record off again. Inside tine::sequential
/// the watermark is never at the begin of a record, and stays where it is.
inline void push_observed(address at, address end, bool is_unstealable = false) noexcept {
  hot_words& h = hot::words();
  h.top.store(end,
              base::relaxed);  // relaxed, here and below: own words; the fence keeps the order for the signal handler
  base::signal_fence();
  if (!is_unstealable && h.watermark.load(base::relaxed) == at) h.watermark.store(end, base::relaxed);
}
inline void pop_observed(address at, address end) noexcept {
  hot_words& h = hot::words();
  if (h.watermark.load(base::relaxed) == end) h.watermark.store(at, base::relaxed);
  base::signal_fence();
  h.top.store(at, base::relaxed);
}

/// The storage of an observed construct, from `at` to `end`, is the newest thing on the shadow stack, and its construct
/// has been joined. Promotion may have passed over the storage: without the rewinding the next record at `at` would
/// look promoted.
TINE_ALWAYS_INLINE void pop_storage_block(address at, address end) noexcept {
  pop_observed(at, end);
  if (hot::is_promoted(at)) [[unlikely]]
    rewind(at);
}

/// Storage for an observed loop, with the loop's record on top of it. (A fork writes its storage together with its
/// record: see observed_fork.)
class observer_storage {
 public:
  TINE_ALWAYS_INLINE observer_storage(address at, std::uint32_t storage_bytes, bool is_unstealable) noexcept
      : at_{at}, end_{storage_in(at) + storage_bytes} {
    check_observed_capacity(end_ + max_record_bytes);
    write_storage_block(at_, end_);
    push_observed(at_, end_, is_unstealable);
  }
  TINE_ALWAYS_INLINE ~observer_storage() { pop_storage_block(at_, end_); }
  observer_storage(const observer_storage&) = delete;
  observer_storage& operator=(const observer_storage&) = delete;

  TINE_ALWAYS_INLINE void* data() const noexcept { return storage_in(at_); }

 private:
  const address at_, end_;
};

/// Part of a managed fork's slow path. Returns true if the fork takes another way than usual, because the strand is
/// observed or because the thread is outside every pool. An observed strand comes here at every fork, so the observer is
/// tested first; the observed way does everything that poll does.
TINE_ALWAYS_INLINE bool forks_otherwise() noexcept {
  return observer::current() != nullptr || poll() != polled::inside;
}

/// Called by an observed strand to serve idle workers. The armed limit sends every fork of such a strand to its slow
/// path, so the strand must test `is_requested`.
namespace plain {
TINE_COLD void serve_requests() noexcept;
}  // namespace plain
TINE_SLOW_PATH void serve_requests() noexcept { plain::serve_requests(); }
inline bool is_requested() noexcept {
  return hot::is_past_limit(nullptr);  // an estimate; `acknowledge` reads the limit again
}
/// Returns true if the limit is armed: the running strand is observed, and no work request is pending.
TINE_ALWAYS_INLINE bool is_armed() noexcept { return hot::is_limit(armed_limit); }
inline void serve_observed() noexcept {
  if (is_requested()) serve_requests();
}

/// Observes whole roots, on their strands. Roots are rare, so the scheduler calls it for each root. A root that an
/// observed strand runs in another pool is a part of that strand: it has the same analysis, which is not started for it,
/// and at its end is paused instead of ended.
struct root_observer {
  /// Returns null if this root is not observed. `caller`: the analysis of its caller's strand, or null.
  observer* (*begin)(observer* caller) noexcept;
  void (*start)(observer& w) noexcept;
  void (*end)(observer& w, bool threw) noexcept;
};

/// The observer of roots; null: there is none. The profiler sets it before main, if it is linked (src/augment/profile.cpp). So the
/// scheduler refers to no analysis, and a program without the profiler links none.
extern constinit const root_observer* registered_root_observer;

}  // namespace tine::sched
