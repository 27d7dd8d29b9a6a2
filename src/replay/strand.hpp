// The positions of the strands of a scored region: in the computation, in the written tree, and in the schedule that the strands
// follow.
//
// A strand's position is a watch (sched/events.hpp), so every fork and loop of the strand takes the slow path and calls strand.cpp
// or loops.cpp. An analysis that follows the same strand has its own watch, and the position passes all events on to it.
#pragma once

#include "replay/written.hpp"
#include "sched/rendezvous.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/events.hpp>
#include <tine/sched/owners.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace tine::detail {

class score;
struct scored;

/// The position of a strand: in a branch of a fork, a piece of a loop, or the region itself.
struct position : sched::watch {
  score* of;
  sched::watch* analysis;     ///< null if there is none
  scored* above;              ///< the fork or loop around it; null: the region
  std::uint64_t begin;        ///< the begin of its branch or piece
  std::uint32_t number;       ///< the number of the next fork or loop
  std::uint32_t step, steps;  ///< in the schedule: the next step that may come here, and the end of the steps
  written_node* node;         ///< null until something inside is stolen; under the score's lock
  written_segment* now;
  written_segment* joined = nullptr;  ///< the written segment of the join that the strand has just passed
  /// The owner or the cuts that the program wants for the next fork or loop.
  int wanted_owner = nobody;
  const sched::wanted_cuts* wanted_cuts = nullptr;
};

/// The rendezvous at which a strand waits for the branches or pieces that were given away.
struct meeting : sched::rendezvous {
  meeting(sched::host& by, unsigned parties, scored& o) noexcept : rendezvous{by, parties}, of{o} {}
  scored& of;
};

/// A fork or a loop between its begin and its join. It lies at the begin of the room that it lends.
struct scored {
  scored(position& p, schedule::kind k, std::uint64_t n) noexcept : parent{p}, what{k}, count{n} {}
  /// Takes the next number of its position, in the first call. Forks and loops do so when they begin, runs when they end, because
  /// the forks and loops of a run are at the same position.
  void take_number() noexcept;
  bool is_given_away() const noexcept { return is_given || is_outer; }

  position& parent;
  const schedule::kind what;
  const std::uint64_t count;
  std::uint32_t number = schedule::nothing;
  std::uint32_t step = schedule::nothing;  ///< its step in the schedule, if it has one
  bool is_given = false;                   ///< given away by this region: for the schedule or for the program
  bool is_joined = false;                  ///< the strand continues where the schedule says
  bool is_outer = false;                   ///< a region around this one has given it away
  sched::worker* home = nullptr;           ///< gave it away for the program, and continues after the join
  written_step* written = nullptr;         ///< under the score's lock
  std::optional<meeting> waiting;          ///< set if something was given away
};

/// A run. `outer` is the same run in the region around this one.
struct scored_run : scored {
  explicit scored_run(position& p) noexcept : scored{p, schedule::kind::run, 0} {}
  void* outer = nullptr;
};

struct scored_fork : scored {
  explicit scored_fork(position& p) noexcept
      : scored{p, schedule::kind::fork, 2}, wanted_owner{std::exchange(p.wanted_owner, nobody)} {
    take_number();
    second.now = nullptr;
  }

  const int wanted_owner;  ///< the owner that the program wants for the second branch
  position first;
  position second;  ///< the second branch has begun if its `now` is not null
  sched::submission entry;
};

/// A run of iterations on one strand.
struct scored_piece : position {
  scored_piece* next;
  std::uint64_t done;  ///< number of iterations that have ended
  bool is_taken;       ///< the piece is no continuation of the loop's own strand
};

struct scored_loop : scored {
  scored_loop(position& p, std::uint64_t n) noexcept
      : scored{p, schedule::kind::loop, n}, wanted{std::exchange(p.wanted_cuts, nullptr)} {
    take_number();
  }

  const sched::wanted_cuts* const wanted;
  base::atomic<scored_piece*> pieces{nullptr};
  base::atomic<bool> has_begun{false};
  std::uint64_t own_end = 0;             ///< the iteration at which the loop's own strand has stopped last
  sched::submission* entries = nullptr;  ///< one for each piece, used by those that are given away; allocated
  scored_piece own;                      ///< the first piece to begin
};

/// Returns the directions of the region around the region of this fork or loop; null if there are none.
inline const sched::watch_directions* outer_directions(const scored& o) noexcept {
  const sched::watch* const a = o.parent.analysis;
  return a != nullptr ? a->events->directions : nullptr;
}

/// The bytes of a room that a score needs; the part of an analysis follows.
inline constexpr std::uint32_t room_bytes =
    (static_cast<std::uint32_t>(std::max(sizeof(scored_fork), sizeof(scored_loop))) + 15) / 16 * 16;
inline void* analysis_room(void* room) noexcept { return static_cast<std::byte*>(room) + room_bytes; }

/// Returns a position like `p`, in the branch or piece of `above` that begins at `begin`.
position position_in(const position& p, scored& above, std::uint64_t begin, written_segment* now) noexcept;

/// The events of all strands in scores.
extern const sched::watch_events score_events;

// Loops (loops.cpp).
void on_open_loop(sched::watch& at, void* room, std::uint64_t n, sched::site where) noexcept;
sched::watch& on_close_loop(void* room) noexcept;
sched::watch& on_begin_piece(void* room, std::uint64_t first, bool taken) noexcept;
void on_iteration(sched::watch& piece, std::uint64_t i) noexcept;
void on_chunk(sched::watch& piece, std::uint64_t iterations) noexcept;
void on_end_piece(sched::watch& piece) noexcept;
sched::watch& on_open_tree(sched::watch& at, void* room, std::uint64_t n, sched::site where) noexcept;
sched::watch& on_close_tree(void* room) noexcept;
void on_begin_leaf(sched::watch& at, std::uint64_t i, std::uint64_t n) noexcept;
void on_end_leaf(sched::watch& at) noexcept;
unsigned pieces_of_loop(void* room) noexcept;
std::uint64_t begin_of_piece(void* room, unsigned piece) noexcept;
bool is_piece_given(void* room, unsigned piece) noexcept;
void give_piece(void* room, unsigned piece, sched::task& t) noexcept;

// Owners and cuts that the program wants (wanted.cpp).
void want_owner(sched::watch& at, int owner);
void want_cuts(sched::watch& at, const sched::wanted_cuts& cuts);
void forget_wanted(sched::watch& at) noexcept;

}  // namespace tine::detail
