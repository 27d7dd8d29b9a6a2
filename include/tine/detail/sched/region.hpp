// Regions: code whose schedule is recorded, or follows a recorded one (tine::record, tine::replay), as the scheduler
// and the front ends see it.
//
// A strand of a region has a position: the number of its next fork or loop, and the forks around it. Two fiber-local
// words hold the strand and the position. While they are set, we arm the strand's limit (observer.hpp), so every fork
// and loop takes its slow path. There, a fork that the schedule doesn't mention is counted: it keeps a position in its
// native frame, and its record is that of the fast path. We make everything else about such a fork when it is stolen.
// All other forks, and loops, call the region, and lend it storage (instrumentation.hpp).
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>

#include <cstdint>

namespace tine::detail {
struct segment_builder;
struct step_builder;
}  // namespace tine::detail

namespace tine::sched {

class region;
class placement_hint;
struct join_counter;
struct region_strand;
struct scope;
struct submission;
struct task;

/// How the second branch of a fork ended; known when the fork is joined.
enum class branch_end : unsigned char {
  unpromoted,  ///< it was never promoted
  reclaimed,   ///< it was promoted, and reclaimed by its owner
  stolen,      ///< it ran elsewhere
};

/// The fiber-local word that holds the address of the strand's position, and `counted_bit` beside it; 0: the strand is
/// in no region.
inline constexpr unsigned position_word = fiber_local_words - 4;
/// The fiber-local word that holds the address of the strand's region_strand.
inline constexpr unsigned region_data_word = fiber_local_words - 5;

/// This bit is set in the word of a position whose next fork only has to be counted: no analysis observes the strand,
/// and neither the schedule nor the program places the next fork.
inline constexpr std::uintptr_t counted_bit = 1;

/// The position of a strand: in one branch of a fork, in a subrange of a loop, or in the region itself. The position of
/// a counted fork lies in the fork's native frame, and serves both branches, one after the other. So does that of a
/// counted loop, for all iterations. A thief reads the
/// members of the position whose branch it has stolen, and of the positions around it. None of them changes until that
/// branch is joined.
struct alignas(8) position {
  /// The address of the position around the fork or loop, with counted_bit if this fork is counted; no address: the
  /// region.
  std::uintptr_t around;
  /// The record of this fork, in its first branch, once the record is complete. In a second branch it is null, and
  /// `stolen_record` for a thief. In the branches of a coroutine's fork it is null (coro/observed_fork.hpp). When the
  /// record is promoted, the position gets the scope that it was forked in. In a counted loop it is `loop_record`.
  union {
    address record;
    const scope* inside;
  };
  std::uint32_t next;  ///< the number of the next fork, loop or run in this branch
  std::uint32_t own;   ///< the number of this fork or loop in the branch around it
  /// The written step of this fork; null until something of it is stolen; under the region's lock.
  detail::step_builder* step;
  region* in;  ///< set by the promotion

  static constexpr std::uintptr_t stolen_record = 1;
  static constexpr std::uintptr_t loop_record = 2;
  static constexpr std::uintptr_t cursor_bit = 2;  ///< in `around`: the position is a cursor (replay/node.hpp)

  /// Returns the position in a word that may have bits beside the address.
  static position* of(std::uintptr_t word) noexcept { return base::from_word<position>(word & ~std::uintptr_t{7}); }
  /// Returns the position of the running strand; null if the strand is in no region.
  TINE_ALWAYS_INLINE static position* current() noexcept { return of(hot::fiber_local<position_word>()); }

  position* up() const noexcept { return of(around); }
  /// Makes this the position of a thief that starts with the second branch of the counted fork of `forked`, but for
  /// `step`. Reads only members that the owner of the fork doesn't change meanwhile; it counts the forks of its first
  /// branch in `next`.
  void begin_second_of(const position& forked) noexcept {
    around = forked.around;
    record = base::from_word<std::byte>(stolen_record);
    next = 0;
    own = forked.own;
  }
  /// Returns true if this position of a counted fork is in the second branch.
  bool is_in_second() const noexcept { return base::to_word(record) <= stolen_record; }
  /// Returns true if this is the position in the iterations of a counted loop, a `loop_position`.
  bool is_in_loop() const noexcept { return base::to_word(record) == loop_record; }
  bool is_cursor() const noexcept { return (around & cursor_bit) != 0; }
};

/// The position in the iterations of a counted loop: one that ends before a thief could help, so it runs on its strand.
struct loop_position : position {
  std::uint64_t iterations;
};

/// The part of a strand's data that concerns its region.
struct region_strand {
  region* in;
  region_strand* outer;          ///< the same strand in the region around this one; null: none
  detail::segment_builder* now;  ///< the segment in which the strand is written
  int hinted_worker;             ///< the worker that the program wants for the next fork, or `any_worker`
  const placement_hint* hint;    ///< the partition that the program gives for the next loop, or null

  /// Returns the strand that runs; null if it is in no region.
  TINE_ALWAYS_INLINE static region_strand* current() noexcept {
    return base::from_word<region_strand>(hot::fiber_local<region_data_word>());
  }
};

/// How much the region has to learn of the next forks of a strand: everything, or only how many there are.
enum class counted : unsigned char {
  none,  ///< everything about the next fork
  next,  ///< the next fork is only counted
  all,   ///< so are all that follow it at the same position
};

/// A region. Its functions run on the thread of the strand that they concern, unless they say otherwise, and neither
/// throw, fork nor wait, unless they say so. `storage` is what the fork or loop lends the region; it stays where it is
/// until the join.
class region {
 public:
  const std::uint32_t storage_bytes;  ///< of a fork or loop; a multiple of 16
  /// Unstealable: other workers run only the branches and subranges that the region places on them.
  const bool is_unstealable;

  // --- counted forks -----------------------------------------------------------------------------------------------

  /// A thief starts with the second branch of the counted fork of `forked`. Initialises the thief's strand and its
  /// first position, and makes them current.
  virtual void begin_stolen(position& forked, region_strand& thief, position& first) noexcept = 0;
  /// The running strand ends, waits, or has nothing left to run on its worker.
  virtual void pause() noexcept = 0;
  /// The running strand continues after the join of the counted fork of `forked`, whose second branch was stolen.
  virtual void resume_after(position& forked) noexcept = 0;
  /// Says which forks of the strand at `p` only have to be counted, provided that no analysis observes them.
  virtual counted counts(const position& p, const region_strand& s) const noexcept = 0;

  // --- waits outside of joins --------------------------------------------------------------------------------------

  /// The strand waits for a call from outside (external_wait). `wait_begins`: it is about to leave its worker.
  /// `wait_is_over`: the call has come, on any thread, and the strand may continue when this function returns.
  /// `wait_ends`: the strand continues; this function may wait for its turn, and the strand may then be on another
  /// worker.
  virtual void wait_begins() noexcept = 0;
  virtual void wait_is_over() noexcept = 0;
  virtual void wait_ends() noexcept = 0;

  // --- other forks -------------------------------------------------------------------------------------------------

  /// The strand forks, and continues with the first branch.
  virtual void fork(void* storage) noexcept = 0;
  /// Returns true if the region places the second branch on a worker. `place` then submits it to that worker, before
  /// the first branch starts. `second`: as it is queued.
  virtual bool is_placed(void* storage) noexcept = 0;
  virtual void place(void* storage, task* second) noexcept = 0;
  /// The first branch has ended. `continues`: the same strand continues with the second one. Otherwise that one runs in
  /// another strand, or is to be reclaimed.
  virtual void first_done(void* storage, bool continues) noexcept = 0;
  /// The running strand starts with the second branch. `on_other_strand`: it isn't the strand of the first branch.
  virtual void begin(void* storage, bool on_other_strand) noexcept = 0;
  /// The strand that started with the second branch ends.
  virtual void end(void* storage) noexcept = 0;
  /// Both branches have ended. `here`: the second branch ended on this strand, after `first_done`, and nothing else has
  /// happened since. `is_last_join`: no other fork is joined at the same time, or this is the oldest one of them that
  /// was stolen.
  virtual void join(void* storage, branch_end how, bool here, bool is_last_join) noexcept = 0;
  /// Returns the storage of the fork whose first branch `first` is in.
  virtual void* storage_of_first(position& first) noexcept = 0;

  // --- placed branches, subranges and runs -------------------------------------------------------------------------

  /// Returns the join counter of a fork or a loop with placed branches or subranges, or of a run. The strand waits
  /// there for all of them.
  virtual join_counter& join_counter_of(void* storage) noexcept = 0;
  /// The strand has nothing else to do for the fork or the loop, and waits at that join counter.
  TINE_API void wait(void* storage) noexcept;
  /// The strand starts a run of coroutines that may end on another worker. It then waits at the join counter for that
  /// worker, and continues there or here. The returned storage belongs to the region until `close_run`. `has_waited`:
  /// the strand has waited so.
  virtual void* open_run() noexcept = 0;
  virtual void close_run(void* storage, bool has_waited) noexcept = 0;
  /// The run has ended in its own strand. Returns true if the strand must wait at the join counter all the same,
  /// because its continuation is placed on a worker.
  virtual bool is_rest_placed(void* storage) noexcept = 0;
  /// While `blocked`, this worker has nothing left of the run to run, and the strand waits at a join counter.
  virtual void set_blocked(void* storage, bool blocked) noexcept = 0;

  // --- loops -------------------------------------------------------------------------------------------------------

  /// The strand comes to a loop of `n` iterations. Returns the number of subranges in which the loop must run; 0: it
  /// runs as it would outside of the region.
  virtual unsigned open_loop(void* storage, std::uint64_t n) noexcept = 0;
  /// The strand comes to the end of the loop, after all subranges have ended.
  virtual void close_loop(void* storage) noexcept = 0;
  /// One of the subranges in which the loop must run.
  struct subrange {
    std::uint64_t begin;  ///< its first iteration; 0 for the first subrange
    bool is_placed;       ///< the region places it on a worker: `place_subrange` submits it there
  };
  virtual subrange subrange_of(void* storage, unsigned i) noexcept = 0;
  virtual void place_subrange(void* storage, unsigned i, task& t) noexcept = 0;
  /// The running strand starts iterations of the loop, at `first`. `on_other_strand`: it isn't the strand of the loop.
  /// Returns the position in these iterations. Its memory belongs to the region until `end_subrange`, which gets the
  /// number of iterations that have ended.
  virtual position& begin_subrange(void* storage, std::uint64_t first, bool on_other_strand) noexcept = 0;
  virtual void end_subrange(position& subrange, std::uint64_t iterations) noexcept = 0;

  // --- what the program wants --------------------------------------------------------------------------------------

  /// The program is about to name a worker or a partition for the next fork or loop of the strand (region_strand).
  /// Throws if the region cannot grant that.
  virtual void check_may_place() = 0;

 protected:
  region(std::uint32_t bytes, bool unstealable) noexcept : storage_bytes{bytes}, is_unstealable{unstealable} {}
  region(const region&) = delete;
  region& operator=(const region&) = delete;
  ~region() = default;
};

/// Makes `p` the position of the running strand, and decides whether the next fork there is counted.
TINE_API void set_position(position& p) noexcept;

namespace plain {
TINE_API TINE_COLD bool is_next_counted() noexcept;
}  // namespace plain
/// Returns true if the running strand is in a region, and its next fork only has to be counted.
TINE_ALWAYS_INLINE bool is_next_counted() noexcept {
  return hot::is_fiber_local_set<position_word>() && plain::is_next_counted();
}

/// `enter_region`: the running strand is in region `s.in` from now on, at `p`. If the region is unstealable, no record
/// from the top on is promoted. `leave_region`: the strand isn't in a region any more; the promotion limit stays where
/// it is. `resume_strand`: the code that runs belongs to the strand `s`, at `p`, from now on. Before, it may have been
/// in no region or in another strand.
TINE_API void enter_region(region_strand& s, position& p) noexcept;
TINE_API void leave_region() noexcept;
TINE_API void resume_strand(region_strand& s, position& p) noexcept;

}  // namespace tine::sched
