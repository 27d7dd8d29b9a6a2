// Replay nodes: the forks, loops and runs of a region that are more than counted, and the cursors of the strands in
// their branches and pieces. Only the strand that is there touches a cursor, unless a member says otherwise.
//
// A cursor is a position (detail/sched/region.hpp) that also points into the schedule that the strand follows. A replay
// node lies at the start of the storage that its fork or loop lends the region. If the region is nested in others, the
// nodes of the same fork in those follow it in the storage, and `outer` links them: each function works in all of them.
#pragma once

#include "replay/tree_builder.hpp"
#include "replay/turns.hpp"
#include "sched/join_counter.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/sched/placement_hint.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace tine::detail {

class session;
struct replay_node;

/// Where a strand is: in a branch of a fork, in a piece of a loop, or in the region itself.
struct cursor : sched::position {
  replay_node* above;         ///< the fork or loop around it; null: the region
  std::uint64_t begin;        ///< where its branch or piece begins
  std::uint32_t step, steps;  ///< in the schedule: the next step that may come here, and the end of the steps
  node_builder* node;         ///< null until something inside is stolen; under the lock of strand_writer
  position* outer;            ///< of the same strand in the region around this one; null: there is none
  bool may_place;             ///< in a perturbed run: forks and loops here may be placed
};

inline cursor* as_cursor(sched::position& p) noexcept { return p.is_cursor() ? static_cast<cursor*>(&p) : nullptr; }

/// The join counter at which a strand waits for its placed branches or pieces.
struct placed_join : sched::join_counter {
  placed_join(sched::placement_policy& by, unsigned parties, replay_node& n) noexcept
      : join_counter{by, parties}, of{n} {}
  replay_node& of;
};

/// A fork, a loop or a run from its start to its join.
struct replay_node {
  /// The running strand, or the same strand in a region around the innermost one, comes to a fork, loop or run at `p`.
  replay_node(sched::region_strand& s, sched::position& p, schedule::kind k, std::uint64_t n) noexcept
      : strand{s}, parent{p}, what{k}, count{n} {}
  session& of() const noexcept;
  /// Takes the next number of its position, at the first call. Forks and loops do that when they start. Runs do it when
  /// they end, because the forks and loops of a run are at the same position.
  void take_number() noexcept;
  bool has_placed() const noexcept { return is_placed || is_outer; }

  sched::region_strand& strand;
  sched::position& parent;
  const schedule::kind what;
  const std::uint64_t count;
  std::uint32_t number = schedule::nothing;
  std::uint32_t step = schedule::nothing;  ///< its step in the schedule, if it has one
  bool is_placed = false;                  ///< placed by this region, for the schedule or for the program
  bool is_hinted = false;                  ///< the program names workers for its parts
  bool is_joined = false;                  ///< the strand continues where the schedule says
  bool is_outer = false;                   ///< placed by a region around this one
  rank rank_after = 0;                     ///< in a serial session: of the continuation; 0: not known yet
  sched::worker* origin = nullptr;         ///< continues after the join if the schedule has no worker; null: any
  step_builder* written = nullptr;         ///< under the lock of strand_writer
  std::optional<placed_join> waiting;      ///< set if something was placed
  replay_node* outer = nullptr;  ///< the same node in the region around this one, of the same type; null: none
};

template <class Node>
Node* outer_of(const Node& n) noexcept {
  return static_cast<Node*>(n.outer);
}

struct run_node : replay_node {
  run_node(sched::region_strand& s, sched::position& p) noexcept : replay_node{s, p, schedule::kind::run, 0} {}
};

struct fork_node : replay_node {
  fork_node(sched::region_strand& s, sched::position& p) noexcept
      : replay_node{s, p, schedule::kind::fork, 2}, hinted_worker{std::exchange(s.hinted_worker, any_worker)} {
    is_hinted = hinted_worker != any_worker;
    take_number();
  }

  int hinted_worker;  ///< the worker that the program, or the perturbation, wants for the second branch
  cursor first;
  cursor second;
  sched::region_strand other;  ///< the strand of the second branch, if it is not that of the first branch
  bool has_second = false;     ///< the second branch has begun
  bool is_second_elsewhere = false;
  bool delays_first = false;  ///< by the perturbation: the first branch waits at the fork
  sched::submission entry;
};

/// A run of iterations on one strand.
struct piece_node : cursor {
  piece_node* outer_piece;  ///< the same piece in the region around this one
  piece_node* next;
  bool is_taken;               ///< the piece is no continuation of the loop's own strand
  sched::region_strand other;  ///< the strand of the piece, if it is not that of the loop
};

struct loop_node : replay_node {
  loop_node(sched::region_strand& s, sched::position& p, std::uint64_t n) noexcept
      : replay_node{s, p, schedule::kind::loop, n} {
    if (const sched::placement_hint* const hint = std::exchange(s.hint, nullptr)) wanted = hint->partition();
    is_hinted = !wanted.empty();
    take_number();
  }

  std::span<const placed_subrange> wanted;  ///< the partition that the program, or the perturbation, wants; empty: none
  base::atomic<piece_node*> pieces{nullptr};
  base::atomic<bool> has_begun{false};
  std::uint64_t own_end = 0;             ///< the iteration at which the loop's own strand stopped last
  sched::submission* entries = nullptr;  ///< one for each piece, for those that are placed; allocated
  piece_node own;                        ///< the first piece that starts
};

/// The strand of the innermost region has the program's hint; the regions around it learn of it here.
template <class Node>
void pass_hint_on(const Node& n) noexcept {
  for (Node* o = outer_of(n); o != nullptr; o = outer_of(*o)) o->is_hinted |= n.is_hinted;
}

/// The bytes of a replay node in a storage. The node of the region around this one follows.
inline constexpr std::uint32_t node_bytes =
    (static_cast<std::uint32_t>(std::max(sizeof(fork_node), sizeof(loop_node))) + 15) / 16 * 16;

/// Returns a cursor, without steps of a schedule, in the branch or piece of `above` that begins at `begin`.
cursor cursor_in(replay_node& above, std::uint64_t begin) noexcept;

}  // namespace tine::detail
