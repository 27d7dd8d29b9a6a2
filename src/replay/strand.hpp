// What the strands of a scored region carry along: their position in the computation, in what is written of it, and in the schedule that
// they follow.
//
// A strand's position is a watch (sched/events.hpp), so every fork and loop of it takes the slow path and comes to strand.cpp or
// loops.cpp. An analysis that follows the same strand has its own watch, and is told of everything in turn.
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

/// Where a strand is: in a branch of a fork, a piece of a loop, or the region itself.
struct position : sched::watch {
  score* of;
  sched::watch* analysis;     ///< null if there is none
  scored* above;              ///< the fork or loop around it; null: the region
  std::uint64_t begin;        ///< of which branch or piece
  std::uint32_t number;       ///< of the next fork or loop
  std::uint32_t step, steps;  ///< of the schedule: the next one that may come here, and where they end
  written_node* node;         ///< once something inside was stolen; under the score's lock
  written_segment* now;
  written_segment* joined = nullptr;  ///< what is written of the join that it has just passed
  /// What the program wants of the fork or loop that is next.
  int wanted_owner = nobody;
  const sched::wanted_cuts* wanted_cuts = nullptr;
};

/// Where a strand waits for what was given away.
struct meeting : sched::rendezvous {
  meeting(sched::host& by, unsigned parties, scored& o) noexcept : rendezvous{by, parties}, of{o} {}
  scored& of;
};

/// A fork or a loop between its begin and its join, at the begin of the room that it lends.
struct scored {
  scored(position& p, schedule::kind k, std::uint64_t n) noexcept : parent{p}, what{k}, count{n} {}
  /// Once: it is the next one at its position. Forks and loops when they begin, runs when they end, because what a run does is done
  /// at the same position.
  void take_number() noexcept;
  bool is_given_away() const noexcept { return is_given || is_outer; }

  position& parent;
  const schedule::kind what;
  const std::uint64_t count;
  std::uint32_t number = schedule::nothing;
  std::uint32_t step = schedule::nothing;  ///< of the schedule, if it has one
  bool is_given = false;                   ///< as the schedule says
  bool is_joined = false;                  ///< where the schedule says
  bool is_outer = false;                   ///< a region around this one has given it away
  sched::worker* home = nullptr;           ///< given away as the program wants: by that one, where it goes on then
  written_step* written = nullptr;         ///< under the score's lock
  std::optional<meeting> waiting;          ///< if something was given away
};

/// A run: of the region around this one, too.
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

  const int wanted_owner;  ///< of the second branch
  position first;
  position second;  ///< begun when it is somewhere
  sched::submission entry;
};

/// A run of iterations on one strand.
struct scored_piece : position {
  scored_piece* next;
  std::uint64_t done;  ///< iterations
  bool is_taken;       ///< it is no continuation of the loop's own strand
};

struct scored_loop : scored {
  scored_loop(position& p, std::uint64_t n) noexcept
      : scored{p, schedule::kind::loop, n}, wanted{std::exchange(p.wanted_cuts, nullptr)} {
    take_number();
  }

  const sched::wanted_cuts* const wanted;
  base::atomic<scored_piece*> pieces{nullptr};
  base::atomic<bool> has_begun{false};
  std::uint64_t own_end = 0;             ///< where the loop's own strand has stopped last
  sched::submission* entries = nullptr;  ///< of the pieces that were given away, in their order; allocated
  scored_piece own;                      ///< the first one to begin
};

/// Who directs the region around the one of this fork or loop; null if nobody does.
inline const sched::watch_directions* outer_directions(const scored& o) noexcept {
  const sched::watch* const a = o.parent.analysis;
  return a != nullptr ? a->events->directions : nullptr;
}

/// What a score needs of a room; an analysis' part follows.
inline constexpr std::uint32_t room_bytes =
    (static_cast<std::uint32_t>(std::max(sizeof(scored_fork), sizeof(scored_loop))) + 15) / 16 * 16;
inline void* analysis_room(void* room) noexcept { return static_cast<std::byte*>(room) + room_bytes; }

/// A position like `p`, in a piece of `above` that begins there.
position position_in(const position& p, scored& above, std::uint64_t begin, written_segment* now) noexcept;

/// Of all strands in scores.
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

// What the program wants (wanted.cpp).
void want_owner(sched::watch& at, int owner);
void want_cuts(sched::watch& at, const sched::wanted_cuts& cuts);
void forget_wanted(sched::watch& at) noexcept;

}  // namespace tine::detail
