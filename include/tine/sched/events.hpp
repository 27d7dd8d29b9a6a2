// The interface that analyses attach to: the events of a watched strand.
//
// A fiber's word `watch_word` says whether its strand is watched. If it is, the doorbell counts as rung all the time, so every
// fork and every loop takes its slow path, and there it calls these events. So no usual path has an instruction for them, and code
// that was compiled without knowing of an analysis is followed, too. The scheduler does not interpret the events.
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

/// The word beside it, of a watched strand: the end of its shadow stack, which its limit does not tell.
inline constexpr unsigned watched_end_word = strand_words - 2;

/// Where a fork or loop stands in the program: the return address of its call.
using site = std::uintptr_t;

/// Beside the address of a coroutine's fork, where no address has a bit.
inline constexpr site of_coroutine = site{1} << 63;

/// Beside the address of a loop's room, in place of a site: the fork is one halving of that loop, which is run as a tree of forks.
inline constexpr site of_halving = site{1} << 62;

/// The fate of the second branch of a fork, known when the fork is joined.
enum class branch_end : unsigned char {
  unoffered,  ///< it was never promoted
  unstolen,   ///< it was promoted, and taken back by its owner
  stolen,     ///< it ran elsewhere
};

/// How a watch wants loops to be run.
enum class watched_loops : unsigned char {
  in_chunks,   ///< as ever
  one_by_one,  ///< each iteration by itself
  as_forks,    ///< as a balanced tree of forks; the watch gets the events of forks
  halved,  ///< as that tree, with `open_tree` and what belongs to it: some of its analyses see forks, others see a loop
};

struct watch;
struct watch_directions;
struct task;
struct rendezvous;
class wanted_cuts;

/// What a watch may count of loops that are over sooner than anybody could help, instead of being told of them: their
/// iterations are then the strand's. A loop that an exception leaves has begun, but does not end here.
///
/// A few of these loops are timed. Of the others the time is estimated: the number of iterations times the rate of their kind of
/// loop, which is the average of those that were timed. A loop inside of another one adds nothing, because the rate of the outer
/// loop contains it.
struct brief_loops {
  std::uint64_t begun = 0;
  std::uint64_t iterations = 0;  ///< of those that have ended
  std::uint64_t open = 0;        ///< levels of halving: ⌈log₂ n⌉ for each loop that is open, one inside the other
  std::uint64_t deepest = 0;     ///< the most of them that were ever open
  std::uint64_t inside = 0;      ///< about how long the strand was inside of them, in fractions of a tick

  /// The fractions of a tick in which rates are kept.
  static constexpr std::uint64_t fractions = 256;

  /// The loop's kind takes `rate` fractions of a tick for each iteration.
  TINE_ALWAYS_INLINE void begin(std::uint64_t n, std::uint64_t rate) noexcept {
    if (open == 0) inside += n * rate;
    begin_timed(n);
  }
  TINE_ALWAYS_INLINE void begin_timed(std::uint64_t n) noexcept {
    ++begun;
    open += levels_of(n);
    if (deepest < open) deepest = open;
  }
  /// Compilers would rather do both at once, in a vector, which would have to wait until what `begin` wrote is in the cache.
  TINE_ALWAYS_INLINE void end(std::uint64_t n) noexcept {
    iterations += n;
    asm("" : "+r"(n));
    open -= levels_of(n);
  }
  /// After its end: the loop was timed, and has taken so long.
  void add_timed(base::ticks took) noexcept {
    if (open == 0) inside += took * fractions;
  }

 private:
  static constexpr std::uint64_t levels_of(std::uint64_t n) noexcept {
    return static_cast<std::uint64_t>(std::bit_width(n - 1));
  }
};

/// The events of a watch. Each fork and each loop lends the watch some room, which stays where it is until the join. Every event runs
/// on the thread of its strand and must not throw, fork or wait. An event that returns a watch returns the one that the strand has
/// from then on.
struct watch_events {
  /// The strand of `at` forks, and continues with the first branch.
  watch& (*fork)(watch& at, void* room, site where) noexcept;
  /// The first branch has ended, and the same strand continues with the second one.
  watch& (*turn)(void* room) noexcept;
  /// The first branch has ended, and the second one runs in another strand.
  void (*leave)(void* room) noexcept;
  /// A strand, unwatched so far, begins with the second branch; and ends with it. `taken`: it is not the strand of the first.
  watch& (*begin)(void* room, bool taken) noexcept;
  void (*end)(void* room) noexcept;
  /// Returns the room of the fork that has this first branch.
  void* (*room_of_first)(watch& first) noexcept;
  /// Both branches have ended; `here`: the second one on this strand, after `turn`, and nothing else has happened since.
  watch& (*join)(void* room, branch_end how, bool here) noexcept;

  /// The strand of `at` comes to a loop of `n` iterations, and its end after all pieces have ended.
  void (*open_loop)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*close_loop)(void* room) noexcept;
  /// A strand begins a piece of the loop, at iteration `first`; `taken`: it was given away. The piece is the watch's to keep.
  watch& (*begin_piece)(void* room, std::uint64_t first, bool taken) noexcept;
  /// Iteration `i` begins on that piece. Only for loops that are run one by one.
  void (*iteration)(watch& piece, std::uint64_t i) noexcept;
  /// So many more iterations of the piece have ended.
  void (*chunk)(watch& piece, std::uint64_t iterations) noexcept;
  void (*end_piece)(watch& piece) noexcept;

  /// The strand of `at` runs a whole loop of `n` iterations itself, in one piece, which is none of the above; and its end, after
  /// so many iterations. Only for loops that are run in chunks.
  watch& (*begin_whole)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*end_whole)(void* room, std::uint64_t iterations) noexcept;

  /// The strand of `at` runs a loop as a tree of forks, each with `of_halving`, and its end. Only for loops that are halved.
  watch& (*open_tree)(watch& at, void* room, std::uint64_t n, site where) noexcept;
  watch& (*close_tree)(void* room) noexcept;
  /// A strand of the tree begins iteration `i` of `n`, and has ended it.
  void (*begin_leaf)(watch& at, std::uint64_t i, std::uint64_t n) noexcept;
  void (*end_leaf)(watch& at) noexcept;

  /// The strand pauses; it continues later, perhaps on another worker.
  void (*pause)(watch& at) noexcept;
  void (*go_on)(watch& at) noexcept;

  std::uint32_t room_bytes;  ///< that a fork or a loop must give; aligned to 16
  watched_loops loops;

  /// If the watch has its brief_loops, `brief_loops_at`: the clock of strands that times some of them. Null: such a loop is a whole
  /// one. The clock waits for all that the strand has begun; two readings differ by the time of the strand in between.
  base::ticks (*brief_loop_clock)() noexcept = nullptr;

  /// A watch that is no analysis itself may keep one, and tells it of everything. That one, or null; and from now on it is
  /// another one. The others have null here.
  watch* (*analysis)(watch& at) noexcept = nullptr;
  void (*set_analysis)(watch& at, watch* kept) noexcept = nullptr;
  /// How branches and pieces are given to workers by name; null if they never are.
  const watch_directions* directions = nullptr;
  bool is_closed =
      false;  ///< unstealable: other workers run only the branches and pieces that the watch assigns to them
};

/// The events of a watch that also places work: it assigns the second branch of an open fork, or pieces of an open loop, to workers
/// before these ask for work, and the strand then waits for them at a rendezvous.
struct watch_directions {
  /// Returns true if the second branch is assigned to a worker. `give` then submits it there, before the first branch begins.
  bool (*is_given)(void* room) noexcept;
  void (*give)(void* room, task* second) noexcept;  ///< as it is queued
  /// Returns the number of pieces in which a loop is to be run; 0: as usual. The next three return where a piece begins, the first
  /// at 0, and whether it is assigned to a worker, and submit it there.
  unsigned (*pieces)(void* room) noexcept;
  std::uint64_t (*piece_begin)(void* room, unsigned piece) noexcept;
  bool (*is_piece_given)(void* room, unsigned piece) noexcept;
  void (*give_piece)(void* room, unsigned piece, task& t) noexcept;
  /// The strand, which has nothing else to do for the fork or the loop, waits for everything it has given away of it.
  void (*meet)(void* room) noexcept;
  /// Returns the rendezvous of `meet`, for a front end that waits in its own way.
  rendezvous& (*meeting)(void* room) noexcept;
  /// The strand begins a run that may end on another worker. It then meets that worker, and continues there or here. The room
  /// belongs to the watch until the close; `met`: there was such a meeting.
  void* (*open_run)(watch& at) noexcept;
  rendezvous& (*meeting_of_run)(void* room) noexcept;
  /// The run has ended in its own strand. Returns true if a worker must be met all the same, because the continuation is assigned to it.
  bool (*is_rest_given)(void* room) noexcept;
  /// `begin_rest`: this worker has nothing left of the strand to run but the meeting. `end_rest`: it has work of the strand again.
  void (*begin_rest)(void* room) noexcept;
  void (*end_rest)(void* room) noexcept;
  void (*close_run)(void* room, bool met) noexcept;
  /// The owner, or the cuts, that the program wants for the next fork or loop of the strand (sched/owners.hpp). These two throw if the
  /// watch cannot grant that; wanted cuts are forgotten after the loop.
  void (*want_owner)(watch& at, int owner);
  void (*want_cuts)(watch& at, const wanted_cuts& cuts);
  void (*forget_wanted)(watch& at) noexcept;
};

/// How many bytes behind the begin of a watch it has them. The same for all, so that there is no address more to look up.
inline constexpr std::uint32_t brief_loops_at = 16;

/// The head of what a watch keeps for a strand.
struct watch {
  const watch_events* events;

  /// Returns the watch of the running strand; null if it is not watched.
  TINE_ALWAYS_INLINE static watch* current() noexcept { return reinterpret_cast<watch*>(hot::strand<watch_word>()); }
  TINE_ALWAYS_INLINE static void set(watch& w) noexcept {
    hot::set_strand<watch_word>(reinterpret_cast<std::uintptr_t>(&w));
  }
  /// If it has them.
  TINE_ALWAYS_INLINE brief_loops& counted() noexcept {
    return *reinterpret_cast<brief_loops*>(reinterpret_cast<std::byte*>(this) + brief_loops_at);
  }
};

/// Returns true if the strand with these words is watched.
inline bool is_watched(const hot_words& h) noexcept { return h.strand[watch_word] != 0; }

/// The limit of a watched strand while its doorbell is not rung: below every record, but not 0.
inline const auto watched_limit = reinterpret_cast<address>(std::uintptr_t{1});

/// `begin_watching` attaches a watch to the running strand, which must have none; `end_watching` detaches it. In a watched strand only
/// records that were written for the watch may be promoted, so the ceiling rises and falls with them: the usual path of a fork
/// writes its record before it finds out that the strand is watched.
void begin_watching(watch& w) noexcept;
void end_watching() noexcept;

/// Returns, or sets, the analysis of the running strand; null: none.
watch* analysis() noexcept;
void set_analysis(watch* w) noexcept;

/// Where the ceiling is when every record may be promoted.
inline const auto no_ceiling = reinterpret_cast<address>(~std::uintptr_t{0});

/// Returns true if no record can begin at this address.
inline bool is_odd(address a) noexcept { return (reinterpret_cast<std::uintptr_t>(a) & 1) != 0; }
/// Returns true if the running strand is inside tine::sequential.
inline bool is_kept_sequential() noexcept {
  const address ceiling = hot::words().ceiling.load(base::relaxed);  // relaxed: own word
  return is_odd(ceiling) && ceiling != no_ceiling;
}

/// The watched strand forks, with a record that ends there. Its shadow stack grows if it is full; if it cannot, the program ends with
/// a message.
TINE_COLD void make_watched_room(address end) noexcept;
inline void check_watched_room(address end) noexcept {
  if (reinterpret_cast<std::uintptr_t>(end) > hot::strand<watched_end_word>()) [[unlikely]]
    make_watched_room(end);
}

/// The watched strand, or one that is about to be, has written a record that may be promoted, unless it is closed; and takes it
/// off again. Inside tine::sequential the ceiling is never at the begin of a record, and stays where it is.
inline void push_watched(address at, address end, bool is_closed = false) noexcept {
  hot_words& h = hot::words();
  h.top.store(end,
              base::relaxed);  // relaxed, here and below: own words; the order for the signal handler is the compiler's
  base::signal_fence();
  if (!is_closed && h.ceiling.load(base::relaxed) == at) h.ceiling.store(end, base::relaxed);
}
inline void pop_watched(address at, address end) noexcept {
  hot_words& h = hot::words();
  if (h.ceiling.load(base::relaxed) == end) h.ceiling.store(at, base::relaxed);
  base::signal_fence();
  h.top.store(at, base::relaxed);
}

/// The storage of a watched construct, from `at` to `end`, is the newest thing on the shadow stack, and its construct is joined. Promotion
/// may have passed over it: without the rewinding the next record at `at` would look promoted.
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

/// Part of a managed fork's slow path. Returns true if the fork takes another way than usual, because the strand is watched or because
/// the thread is outside every pool. A watched strand comes here at every fork, so it is tested first; the watched way does all that
/// poll does.
TINE_ALWAYS_INLINE bool forks_otherwise() noexcept { return watch::current() != nullptr || poll() != polled::inside; }

/// Called by a watched strand to serve idle workers: its limit does not show a ring, so it must check.
namespace plain {
TINE_COLD void answer_bell() noexcept;
}  // namespace plain
TINE_SLOW_PATH void answer_bell() noexcept { plain::answer_bell(); }
inline bool is_rung_by_somebody() noexcept {
  return hot::is_rung(nullptr);  // an estimate; the answer reads it again
}
/// Returns true if the running strand is watched and its doorbell is not rung.
TINE_ALWAYS_INLINE bool is_watched_in_peace() noexcept { return hot::is_limit(watched_limit); }
inline void serve_watched() noexcept {
  if (is_rung_by_somebody()) answer_bell();
}

/// Watches whole roots, on their strands. Roots are rare, so the scheduler calls this for each. A root that a watched strand runs in another
/// pool is a part of that strand: it has the same analysis, and is neither started nor ended here, but paused.
struct root_watch {
  watch* (*begin)(
      watch* caller) noexcept;  ///< null: this one is not watched. `caller`: the analysis of the strand that runs it
  void (*start)(watch& w) noexcept;
  void (*end)(watch& w, bool threw) noexcept;
};

/// An analysis defines it (src/augment/profile.cpp).
const root_watch& watch_of_roots() noexcept;

}  // namespace tine::sched
