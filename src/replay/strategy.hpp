// The strategy of a session: how strands get to their workers, and in which order they start. A session chooses one
// strategy when it starts. Every function runs on the thread of the strand that it concerns, unless it says otherwise.
#pragma once

#include "replay/node.hpp"
#include "replay/session_plan.hpp"
#include "replay/start_queues.hpp"

#include <cstdint>
#include <memory>

namespace tine::detail {

class followed_schedule;

/// A strand that is ready to start on a worker, or to continue after a join.
struct ready_strand {
  slot_id slot;         ///< its start in the schedule; `of` is `schedule::nothing` if it is not there
  bool is_in_schedule;  ///< it starts on the worker that the schedule names
  replay_node* joined;  ///< it continues after this join; null: it starts with a branch or a piece
};

/// Submits each strand to its worker at once, and does not keep an order. Recordings do this, where only the program
/// names workers, and strict replays without order. Other strategies override what they need.
class strategy {
 public:
  strategy() = default;
  strategy(const strategy&) = delete;
  strategy& operator=(const strategy&) = delete;
  virtual ~strategy() = default;

  // --- strands that are ready ----------------------------------------------------------------------------------------

  /// Lets the strand run on `to`, at once or later.
  virtual void submit(const ready_strand& r, sched::submission& s, sched::worker& to) noexcept;
  /// The strand is on its worker already. Returns true if it may continue there at once.
  virtual bool keeps(const ready_strand&) noexcept { return true; }
  /// The strand with this start will never come.
  virtual void skip(slot_id) noexcept {}

  // --- strands that run ----------------------------------------------------------------------------------------------

  /// `begin_one` counts one more strand that runs, `end_one` one less, while another strand runs.
  virtual void begin_one() noexcept {}
  virtual void end_one() noexcept {}
  /// A strand has ended, or waits at a join. Returns true if the order could not be kept.
  virtual bool rest() noexcept { return false; }
  /// A strand with this stamp starts, or continues, on this thread. Returns true if the user wants to stop before it.
  virtual bool stops_before(std::uint32_t) noexcept { return false; }
  /// As the region's functions with these names.
  virtual void wait_begins() noexcept {}
  virtual void wait_is_over() noexcept {}
  virtual void wait_ends() noexcept {}

  /// Returns true if one strand runs at a time. `wait_for_turn`: the running strand becomes the strand `r`, and
  /// continues when its turn comes.
  virtual bool takes_turns() const noexcept { return false; }
  virtual void wait_for_turn(const ready_strand&) noexcept {}

  // --- choices -------------------------------------------------------------------------------------------------------

  /// May place the fork's second branch, or pieces of the loop, on workers.
  virtual void choose(fork_node&) noexcept {}
  virtual void choose(loop_node&) noexcept {}
  /// Returns true if `choose` may place something of a fork or loop at this cursor.
  virtual bool places_at(const cursor&) const noexcept { return false; }
  /// Returns true if a strand returns to the worker on which it placed a branch, after the join.
  virtual bool returns_after_join() noexcept { return true; }

  // --- results, after the session has ended --------------------------------------------------------------------------

  /// Turns the schedule that this session performed, from that tree, into the one for the next session.
  virtual schedule for_next(schedule performed, const tree_builder&) const { return performed; }
  /// Returns how many turns were given because the running strand made no progress.
  virtual std::uint64_t impatient() const noexcept { return 0; }
};

/// Makes the strategy of a session that starts in a pool of that many workers. `followed` has started, and lives as
/// long as the strategy.
std::unique_ptr<strategy> strategy_for(const session_plan& plan, const followed_schedule& followed, unsigned workers);

}  // namespace tine::detail
