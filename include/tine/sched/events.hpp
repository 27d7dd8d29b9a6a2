// The interface that analyses attach to: the events of a watched strand.
//
// A fiber's word `watch_word` says whether its strand is watched. If it is, the doorbell counts as rung all the time,
// so every fork and every loop takes its slow path, which calls these events. Therefore the usual path has no
// instruction for them, and a watch also follows code that was compiled without any analysis. The scheduler does not
// interpret the events.
#pragma once

#include <tine/base/clock.hpp>
#include <tine/sched/hot_words.hpp>
#include <tine/sched/shadow_stack.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::sched {

/// The strand word that holds the address of the watch; 0: the strand is not watched.
inline constexpr unsigned watch_word = strand_words - 1;

/// The strand word that holds the end of a watched strand's shadow stack, because the limit of such a strand does not
/// hold it.
inline constexpr unsigned watched_end_word = strand_words - 2;

/// The place of a fork or loop in the program: the return address of its call.
using site = std::uintptr_t;

/// This bit is set beside the address of a coroutine's fork; no address has it.
inline constexpr site of_coroutine = site{1} << 63;

/// This bit and the address of a loop's room stand in place of a site: the fork is one halving of that loop, which is
/// run as a tree of forks.
inline constexpr site of_halving = site{1} << 62;

/// How the second branch of a fork ended; known when the fork is joined.
enum class branch_end : unsigned char {
  unoffered,  ///< it was never promoted
  unstolen,   ///< it was promoted, and taken back by its owner
  stolen,     ///< it ran elsewhere
};

/// The way in which a watch wants loops to be run.
enum class watched_loops : unsigned char {
  in_chunks,   ///< as loops of an unwatched strand
  one_by_one,  ///< each iteration by itself
  as_forks,    ///< as a balanced tree of forks; the watch gets the events of forks
  halved,      ///< as that tree, with `open_tree` and its related events: some analyses see forks, others see a loop
};

struct watch;
struct watch_directions;
struct task;
struct rendezvous;
class wanted_cuts;

/// Counts of brief loops, which end before a thief could take a part of them. A watch may count such loops in place of
/// getting their events; their iterations then belong to the strand. A loop that an exception leaves is counted as
/// begun, but `end` is not called for it.
///
/// A few of these loops are timed. The time of each other loop is estimated: it is the number of its iterations times
/// the rate of its kind of loop, which is the average of the loops that were timed. A loop inside of another loop adds
/// nothing, because the rate of the outer loop contains it.
struct brief_loops {
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

/// The events of a watch. Each fork and each loop lends the watch some room, which stays where it is until the join.
/// Every event runs on the thread of its strand and must not throw, fork or wait. An event that returns a watch returns
/// the watch that the strand has from then on.
struct watch_events {
  /// The strand of `at` forks, and continues with the first branch.
  watch& (*fork)(watch& at, void* room, site where) noexcept;
  /// The first branch has ended, and the same strand continues with the second one.
  watch& (*turn)(void* room) noexcept;
  /// The first branch has ended, and the second one runs in another strand.
  void (*leave)(void* room) noexcept;
  /// `begin`: a strand, unwatched so far, begins with the second branch. `end`: it ends with that branch. `taken`: it
  /// is not the strand of the first branch.
  watch& (*begin)(void* room, bool taken) noexcept;
  void (*end)(void* room) noexcept;
  /// Returns the room of the fork that has this first branch.
  void* (*room_of_first)(watch& first) noexcept;
  /// Both branches have ended. `here`: the second branch ended on this strand, after `turn`, and nothing else has
  /// happened since.
  watch& (*join)(void* room, branch_end how, bool here) noexcept;

  /// `open_loop`: the strand of `at` comes to a loop of `n` iterations. `close_loop`: it comes to the end of the loop,
  /// after all pieces have ended.
  void (*open_loop)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*close_loop)(void* room) noexcept;
  /// A strand begins a piece of the loop, at iteration `first`. `taken`: the piece was given away. The memory of the
  /// piece belongs to the watch.
  watch& (*begin_piece)(void* room, std::uint64_t first, bool taken) noexcept;
  /// Iteration `i` begins on that piece. Only for loops that are run `one_by_one`.
  void (*iteration)(watch& piece, std::uint64_t i) noexcept;
  /// `iterations` more iterations of the piece have ended.
  void (*chunk)(watch& piece, std::uint64_t iterations) noexcept;
  void (*end_piece)(watch& piece) noexcept;

  /// `begin_whole`: the strand of `at` runs a whole loop of `n` iterations itself; there are no events of pieces for
  /// it. `end_whole`: the loop has ended, after `iterations` iterations. Only for loops that are run `in_chunks`.
  watch& (*begin_whole)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*end_whole)(void* room, std::uint64_t iterations) noexcept;

  /// `open_tree`: the strand of `at` begins to run a loop as a tree of forks, each with `of_halving`. `close_tree`: the
  /// loop has ended. Only for loops that are `halved`.
  watch& (*open_tree)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*close_tree)(void* room) noexcept;
  /// `begin_leaf`: a strand of the tree begins iteration `i` of `n`. `end_leaf`: it has ended that iteration.
  void (*begin_leaf)(watch& at, std::uint64_t i, std::uint64_t n) noexcept;
  void (*end_leaf)(watch& at) noexcept;

  /// `pause`: the strand pauses. `go_on`: it continues, perhaps on another worker.
  void (*pause)(watch& at) noexcept;
  void (*go_on)(watch& at) noexcept;

  std::uint32_t room_bytes;  ///< size of the room that a fork or a loop must give; the room is aligned to 16
  watched_loops loops;

  /// The clock of strands that times some of the brief loops, if the watch has a brief_loops at `brief_loops_at`. Null:
  /// the watch gets the events of a whole loop for them. The clock waits until everything that the strand has begun is
  /// done; the difference of two readings is the time of the strand in between.
  base::ticks (*brief_loop_clock)() noexcept = nullptr;

  /// A watch that is not itself an analysis may keep one, and passes all events on to it. `analysis` returns the
  /// analysis that it keeps, or null; `set_analysis` makes it keep another one. Other watches have null here.
  watch* (*analysis)(watch& at) noexcept = nullptr;
  void (*set_analysis)(watch& at, watch* kept) noexcept = nullptr;
  /// Gives branches and pieces to workers by name; null if the watch never does.
  const watch_directions* directions = nullptr;
  bool is_closed =
      false;  ///< unstealable: other workers run only the branches and pieces that the watch assigns to them
};

/// The events of a watch that also places work: it assigns the second branch of an open fork, or pieces of an open loop, to workers
/// before these ask for work, and the strand then waits for them at a rendezvous.
struct watch_directions {
  /// Returns true if the second branch is assigned to a worker. `give` then submits it there, before the first branch begins.
  bool (*is_given)(void* room) noexcept;
  void (*give)(void* room, task* second) noexcept;  ///< `second`: as it is queued
  /// `pieces` returns the number of pieces in which a loop is to be run; 0: it is run as usual. `piece_begin` returns
  /// the iteration at which a piece begins; the first piece begins at 0. `is_piece_given` returns true if the piece is
  /// assigned to a worker. `give_piece` submits it there.
  unsigned (*pieces)(void* room) noexcept;
  std::uint64_t (*piece_begin)(void* room, unsigned piece) noexcept;
  bool (*is_piece_given)(void* room, unsigned piece) noexcept;
  void (*give_piece)(void* room, unsigned piece, task& t) noexcept;
  /// The strand has nothing else to do for the fork or the loop, and waits for all branches or pieces of it that it has
  /// given away.
  void (*meet)(void* room) noexcept;
  /// Returns the rendezvous of `meet`, for a front end that waits in its own way.
  rendezvous& (*meeting)(void* room) noexcept;
  /// The strand begins a run of coroutines that may end on another worker. It then meets that worker, and continues
  /// there or here. The room belongs to the watch until `close_run`. `met`: there was such a meeting.
  void* (*open_run)(watch& at) noexcept;
  rendezvous& (*meeting_of_run)(void* room) noexcept;
  /// The run has ended in its own strand. Returns true if the strand must meet a worker all the same, because the
  /// continuation is assigned to that worker.
  bool (*is_rest_given)(void* room) noexcept;
  /// `begin_rest`: this worker has nothing left of the strand to run but the meeting. `end_rest`: it has work of the strand again.
  void (*begin_rest)(void* room) noexcept;
  void (*end_rest)(void* room) noexcept;
  void (*close_run)(void* room, bool met) noexcept;
  /// The program wants this owner, or these cuts, for the next fork or loop of the strand (sched/owners.hpp).
  /// `want_owner` and `want_cuts` throw if the watch cannot grant that. `forget_wanted` drops the wanted cuts after the
  /// loop.
  void (*want_owner)(watch& at, int owner);
  void (*want_cuts)(watch& at, const wanted_cuts& cuts);
  void (*forget_wanted)(watch& at) noexcept;
};

/// Offset in bytes of the brief_loops from the begin of a watch. All watches have the same offset, so that it need not
/// be looked up.
inline constexpr std::uint32_t brief_loops_at = 16;

/// The head of the data that a watch keeps for a strand.
struct watch {
  const watch_events* events;

  /// Returns the watch of the running strand; null if it is not watched.
  TINE_ALWAYS_INLINE static watch* current() noexcept { return reinterpret_cast<watch*>(hot::strand<watch_word>()); }
  TINE_ALWAYS_INLINE static void set(watch& w) noexcept {
    hot::set_strand<watch_word>(reinterpret_cast<std::uintptr_t>(&w));
  }
  /// Returns the brief_loops of the watch, which must have them.
  TINE_ALWAYS_INLINE brief_loops& counted() noexcept {
    return *reinterpret_cast<brief_loops*>(reinterpret_cast<std::byte*>(this) + brief_loops_at);
  }
};

/// Returns true if the strand with these words is watched.
inline bool is_watched(const hot_words& h) noexcept { return h.strand[watch_word] != 0; }

/// The limit of a watched strand while its doorbell is not rung: below every record, but not 0.
inline const auto watched_limit = reinterpret_cast<address>(std::uintptr_t{1});

/// `begin_watching` attaches a watch to the running strand, which must have none; `end_watching` detaches it. In a
/// watched strand only records that were written for the watch may be promoted, so the ceiling rises and falls with
/// these records: the usual path of a fork writes its record before it finds out that the strand is watched.
void begin_watching(watch& w) noexcept;
void end_watching() noexcept;

/// `analysis` returns the analysis of the running strand, and `set_analysis` sets it; null: none.
watch* analysis() noexcept;
void set_analysis(watch* w) noexcept;

/// The value of the ceiling when every record may be promoted.
inline const auto no_ceiling = reinterpret_cast<address>(~std::uintptr_t{0});

/// Returns true if no record can begin at this address.
inline bool is_odd(address a) noexcept { return (reinterpret_cast<std::uintptr_t>(a) & 1) != 0; }
/// Returns true if the running strand is inside tine::sequential.
inline bool is_kept_sequential() noexcept {
  const address ceiling = hot::words().ceiling.load(base::relaxed);  // relaxed: own word
  return is_odd(ceiling) && ceiling != no_ceiling;
}

/// The watched strand forks, with a record that ends at `end`. If the shadow stack is full, it grows; if it cannot
/// grow, the program ends with a message.
TINE_COLD void make_watched_room(address end) noexcept;
inline void check_watched_room(address end) noexcept {
  if (reinterpret_cast<std::uintptr_t>(end) > hot::strand<watched_end_word>()) [[unlikely]]
    make_watched_room(end);
}

/// `push_watched`: a watched strand, or one that is about to be watched, has written a record. The record may be
/// promoted unless the strand is closed. `pop_watched`: the strand takes the record off again. Inside tine::sequential
/// the ceiling is never at the begin of a record, and stays where it is.
inline void push_watched(address at, address end, bool is_closed = false) noexcept {
  hot_words& h = hot::words();
  h.top.store(end,
              base::relaxed);  // relaxed, here and below: own words; the fence keeps the order for the signal handler
  base::signal_fence();
  if (!is_closed && h.ceiling.load(base::relaxed) == at) h.ceiling.store(end, base::relaxed);
}
inline void pop_watched(address at, address end) noexcept {
  hot_words& h = hot::words();
  if (h.ceiling.load(base::relaxed) == end) h.ceiling.store(at, base::relaxed);
  base::signal_fence();
  h.top.store(at, base::relaxed);
}

/// The storage of a watched construct, from `at` to `end`, is the newest thing on the shadow stack, and its construct
/// has been joined. Promotion may have passed over the storage: without the rewinding the next record at `at` would
/// look promoted.
TINE_ALWAYS_INLINE void pop_storage(address at, address end) noexcept {
  pop_watched(at, end);
  if (hot::is_promoted(at)) [[unlikely]]
    rewind(at);
}

/// Storage for a watched loop, with the loop's record on top of it. (A fork writes its storage together with its record: see
/// watched_fork.)
class watched_storage {
 public:
  TINE_ALWAYS_INLINE watched_storage(address at, std::uint32_t room_bytes, bool is_closed) noexcept
      : at_{at}, end_{room_at(at) + room_bytes} {
    check_watched_room(end_ + max_record_bytes);
    write_storage(at_, end_);
    push_watched(at_, end_, is_closed);
  }
  TINE_ALWAYS_INLINE ~watched_storage() { pop_storage(at_, end_); }
  watched_storage(const watched_storage&) = delete;
  watched_storage& operator=(const watched_storage&) = delete;

  TINE_ALWAYS_INLINE void* room() const noexcept { return room_at(at_); }

 private:
  const address at_, end_;
};

/// Part of a managed fork's slow path. Returns true if the fork takes another way than usual, because the strand is
/// watched or because the thread is outside every pool. A watched strand comes here at every fork, so the watch is
/// tested first; the watched way does everything that poll does.
TINE_ALWAYS_INLINE bool forks_otherwise() noexcept { return watch::current() != nullptr || poll() != polled::inside; }

/// Called by a watched strand to serve idle workers: its limit does not show a ring, so it must check.
namespace plain {
TINE_COLD void answer_bell() noexcept;
}  // namespace plain
TINE_SLOW_PATH void answer_bell() noexcept { plain::answer_bell(); }
inline bool is_rung_by_somebody() noexcept {
  return hot::is_rung(nullptr);  // an estimate; `answer` reads the limit again
}
/// Returns true if the running strand is watched and its doorbell is not rung.
TINE_ALWAYS_INLINE bool is_watched_in_peace() noexcept { return hot::is_limit(watched_limit); }
inline void serve_watched() noexcept {
  if (is_rung_by_somebody()) answer_bell();
}

/// Watches whole roots, on their strands. Roots are rare, so the scheduler calls it for each root. A root that a
/// watched strand runs in another pool is a part of that strand: it has the same analysis, which is not started for it,
/// and at its end is paused instead of ended.
struct root_watch {
  watch* (*begin)(
      watch* caller) noexcept;  ///< null: this one is not watched. `caller`: the analysis of the strand that runs it
  void (*start)(watch& w) noexcept;
  void (*end)(watch& w, bool threw) noexcept;
};

/// An analysis defines this function (src/augment/profile.cpp).
const root_watch& watch_of_roots() noexcept;

}  // namespace tine::sched
