// The score of a region: the tree that is written, and the schedule that is followed. All strands of the region share it.
#pragma once

#include "base/mutex.hpp"
#include "replay/roles.hpp"
#include "replay/slots.hpp"
#include "replay/strand.hpp"
#include "replay/written.hpp"
#include "sched/join_counter.hpp"

#include <tine/base/atomic.hpp>
#include <tine/replay/record.hpp>

#include <deque>
#include <optional>

namespace tine::detail {

class score final : public sched::placement_policy {
 public:
  score() = default;
  score(const schedule& follow, replay_mode how) : follow_{&follow}, how_{how} {}

  /// Returns the events of strands with that analysis; null: without an analysis.
  const sched::observer_hooks& events_with(const sched::observer* analysis) noexcept;
  /// Between `begin` and `end` the running strand belongs to the region.
  void begin() noexcept;
  void end() noexcept;
  replayed result() const;

  // --- what is followed -----------------------------------------------------------------------------------------

  bool follows() const noexcept { return follow_ != nullptr; }
  const schedule::step& step(std::uint32_t i) const noexcept { return follow_->steps()[i]; }
  const schedule::piece& piece(std::uint32_t i) const noexcept { return follow_->pieces()[i]; }
  bool is_owned(std::uint32_t i) const noexcept { return piece(i).run.owner != schedule::no_worker; }

  /// Returns the step that the schedule has for the fork or loop with that number, which `p` comes to next, or `schedule::nothing`.
  std::uint32_t match(position& p, std::uint32_t number, schedule::kind what) noexcept;
  /// Assigns to `p`, which begins, the steps of the schedule in `node`. There may be none.
  void lead(position& p, std::uint32_t node) const noexcept;
  /// Ends `p`: the steps that it has not come to are void.
  void close(position& p) noexcept;
  /// No strand will come to the begin of this piece (`void_begin`), to the steps inside it (`void_inside`), to the join
  /// (`void_join`).
  void void_begin(std::uint32_t piece) noexcept;
  void void_inside(std::uint32_t piece) noexcept;
  void void_join(std::uint32_t step) noexcept;

  /// Submits the strand that begins with this piece to its worker.
  void hand_out(std::uint32_t piece, sched::submission& s) noexcept;
  /// Submits a strand that is not in the schedule to a worker of the program's choice.
  void send(sched::submission& s, sched::worker& to) noexcept;
  /// Returns the worker that the program names by this number, in the pool of the running strand.
  static sched::worker& member(int hinted_owner) noexcept;
  bool may_resume_here(sched::join_counter& r) noexcept override;
  bool dispatch(sched::join_counter& r) noexcept override;
  void arrived_early() noexcept override;
  /// Returns true if the schedule names the worker that continues after that run, which has ended.
  bool is_rest_owned(scored& run) const noexcept;
  /// `strand_blocked`: this worker has nothing left of the strand to run, except to wait at the join counter. `strand_unblocked`:
  /// it has work of the strand again.
  void strand_blocked() noexcept;
  void strand_unblocked() noexcept;

  // --- what is written ------------------------------------------------------------------------------------------

  /// Write that a strand has begun on this worker, and return its segment. `write_piece`: the strand begins with the piece of `o`
  /// at `begin`. `write_join`: it continues after the join of `o`.
  written_segment* write_piece(scored& o, std::uint64_t begin) noexcept;
  written_segment* write_join(scored& o) noexcept;
  /// Deletes what was written of a join, because the join is a part of another one.
  void forget_join(written_segment& after) noexcept;

 private:
  void go_to_first_worker() noexcept;
  void end_region() noexcept;
  std::size_t most_steals() const noexcept;
  int owner_after(const scored& o) const noexcept;
  struct continuation;
  continuation after(scored& o, sched::worker* bound_to) const noexcept;
  bool has_turn(scored& o, const continuation& next) noexcept;
  void void_steps(std::uint32_t begin, std::uint32_t end) noexcept;
  void hand_out(slot_id id, int owner, sched::submission& s) noexcept;
  void submit(sched::submission& s, sched::worker& to) noexcept;
  void note_joined(scored& o) noexcept;
  written_node& node_of(position& p);
  written_step& step_of(scored& o);

  const schedule* const follow_ = nullptr;
  const replay_mode how_ = replay_mode::relaxed;
  std::optional<roles> roles_;
  std::optional<slots> slots_;  ///< only in a strict replay in recorded order
  base::atomic<std::uint64_t> matched_{0}, voided_{0}, diverged_{0};
  base::atomic<std::uint64_t> pinned_{0};  ///< number of strands that the program placed on a worker

  base::mutex lock_;                          ///< protects the next two
  std::deque<sched::observer_hooks> events_;  ///< one entry for each kind of analysis
  written_tree tree_;
  base::ticks began_ = 0;
  unsigned workers_ = 1;
  std::optional<sched::excursion> excursion_;  ///< the excursion of the first strand
  position root_;
};

}  // namespace tine::detail
