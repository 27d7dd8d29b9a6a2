// The positions of the strands of a scored region: in the computation, in the written tree, and in the schedule that the strands
// follow.
//
// A strand's position is an observer (sched/observer.hpp), so every fork and loop of the strand takes the slow path and calls
// strand.cpp or loops.cpp. An analysis that follows the same strand has its own observer, and the position passes all events on to
// it.
#pragma once

#include "replay/written.hpp"
#include "sched/join_counter.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/observer.hpp>
#include <tine/sched/owners.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace tine::detail {

class score;
struct scored;

/// The position of a strand: in a branch of a fork, a piece of a loop, or the region itself.
struct position : sched::observer {
  score* of;
  sched::observer* analysis;  ///< null if there is none
  scored* above;              ///< the fork or loop around it; null: the region
  std::uint64_t begin;        ///< the begin of its branch or piece
  std::uint32_t number;       ///< the number of the next fork or loop
  std::uint32_t step, steps;  ///< in the schedule: the next step that may come here, and the end of the steps
  written_node* node;         ///< null until something inside is stolen; under the score's lock
  written_segment* now;
  written_segment* joined = nullptr;  ///< the written segment of the join that the strand has just passed
  /// The owner or the cuts that the program wants for the next fork or loop.
  int hinted_owner = any_worker;
  const sched::placement_hint* placement_hint = nullptr;
};

/// The join counter at which a strand waits for its placed branches or pieces.
struct placed_join : sched::join_counter {
  placed_join(sched::placement_policy& by, unsigned parties, scored& o) noexcept : join_counter{by, parties}, of{o} {}
  scored& of;
};

/// A fork or a loop between its begin and its join. It lies at the begin of the storage that it lends.
struct scored {
  scored(position& p, schedule::kind k, std::uint64_t n) noexcept : parent{p}, what{k}, count{n} {}
  /// Takes the next number of its position, in the first call. Forks and loops do so when they begin, runs when they end, because
  /// the forks and loops of a run are at the same position.
  void take_number() noexcept;
  bool has_placed() const noexcept { return is_placed || is_outer; }

  position& parent;
  const schedule::kind what;
  const std::uint64_t count;
  std::uint32_t number = schedule::nothing;
  std::uint32_t step = schedule::nothing;  ///< its step in the schedule, if it has one
  bool is_placed = false;                  ///< placed by this region: for the schedule or for the program
  bool is_joined = false;                  ///< the strand continues where the schedule says
  bool is_outer = false;                   ///< placed by a region around this one
  sched::worker* origin = nullptr;         ///< placed it for the program, and continues after the join
  written_step* written = nullptr;         ///< under the score's lock
  std::optional<placed_join> waiting;      ///< set if something was placed
};

/// A run. `outer` is the same run in the region around this one.
struct scored_run : scored {
  explicit scored_run(position& p) noexcept : scored{p, schedule::kind::run, 0} {}
  void* outer = nullptr;
};

struct scored_fork : scored {
  explicit scored_fork(position& p) noexcept
      : scored{p, schedule::kind::fork, 2}, hinted_owner{std::exchange(p.hinted_owner, any_worker)} {
    take_number();
    second.now = nullptr;
  }

  const int hinted_owner;  ///< the owner that the program wants for the second branch
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
      : scored{p, schedule::kind::loop, n}, wanted{std::exchange(p.placement_hint, nullptr)} {
    take_number();
  }

  const sched::placement_hint* const wanted;
  base::atomic<scored_piece*> pieces{nullptr};
  base::atomic<bool> has_begun{false};
  std::uint64_t own_end = 0;             ///< the iteration at which the loop's own strand has stopped last
  sched::submission* entries = nullptr;  ///< one for each piece, used by the placed pieces; allocated
  scored_piece own;                      ///< the first piece to begin
};

/// Returns the placer of the region around the region of this fork or loop; null if there are none.
inline const sched::placer_hooks* outer_placer(const scored& o) noexcept {
  const sched::observer* const a = o.parent.analysis;
  return a != nullptr ? a->events->placer : nullptr;
}

/// The bytes of a storage that a score needs; the part of an analysis follows.
inline constexpr std::uint32_t storage_bytes =
    (static_cast<std::uint32_t>(std::max(sizeof(scored_fork), sizeof(scored_loop))) + 15) / 16 * 16;
inline void* analysis_storage(void* storage) noexcept { return static_cast<std::byte*>(storage) + storage_bytes; }

/// Returns a position like `p`, in the branch or piece of `above` that begins at `begin`.
position position_in(const position& p, scored& above, std::uint64_t begin, written_segment* now) noexcept;

/// The events of all strands in scores.
extern const sched::observer_hooks score_events;

// Loops (loops.cpp).
void on_open_loop(sched::observer& at, void* storage, std::uint64_t n, sched::site where) noexcept;
sched::observer& on_close_loop(void* storage) noexcept;
sched::observer& on_begin_piece(void* storage, std::uint64_t first, bool on_other_strand) noexcept;
void on_iteration(sched::observer& piece, std::uint64_t i) noexcept;
void on_chunk(sched::observer& piece, std::uint64_t iterations) noexcept;
void on_end_piece(sched::observer& piece) noexcept;
sched::observer& on_open_tree(sched::observer& at, void* storage, std::uint64_t n, sched::site where) noexcept;
sched::observer& on_close_tree(void* storage) noexcept;
void on_begin_leaf(sched::observer& at, std::uint64_t i, std::uint64_t n) noexcept;
void on_end_leaf(sched::observer& at) noexcept;
unsigned pieces_of_loop(void* storage) noexcept;
std::uint64_t begin_of_piece(void* storage, unsigned piece) noexcept;
bool is_subrange_placed(void* storage, unsigned piece) noexcept;
void place_subrange(void* storage, unsigned piece, sched::task& t) noexcept;

// Owners and cuts that the program wants (wanted.cpp).
void hint_owner(sched::observer& at, int owner);
void hint_cuts(sched::observer& at, const sched::placement_hint& cuts);
void forget_hint(sched::observer& at) noexcept;

}  // namespace tine::detail
