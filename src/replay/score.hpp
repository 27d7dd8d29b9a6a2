// The score of a region: what of it is written down, and what schedule it follows. Shared by all strands of the region.
#pragma once

#include "base/mutex.hpp"
#include "replay/roles.hpp"
#include "replay/slots.hpp"
#include "replay/strand.hpp"
#include "replay/written.hpp"
#include "sched/rendezvous.hpp"

#include <tine/base/atomic.hpp>
#include <tine/replay/record.hpp>

#include <deque>
#include <optional>

namespace tine::detail {

class score final : public sched::host {
 public:
  score() = default;
  score(const schedule& follow, replay_mode how) : follow_{&follow}, how_{how} {}

  /// Of the strands with that analysis, if it is not null.
  const sched::watch_events& events_with(const sched::watch* analysis) noexcept;
  /// The running strand is the region's from here to there.
  void begin() noexcept;
  void end() noexcept;
  replayed result() const;

  // --- what is followed -----------------------------------------------------------------------------------------

  bool follows() const noexcept { return follow_ != nullptr; }
  const schedule::step& step(std::uint32_t i) const noexcept { return follow_->steps()[i]; }
  const schedule::piece& piece(std::uint32_t i) const noexcept { return follow_->pieces()[i]; }
  bool is_owned(std::uint32_t i) const noexcept { return piece(i).run.owner != schedule::nobody; }

  /// What the schedule has for the fork or loop with that number, which `p` comes to next.
  std::uint32_t match(position& p, std::uint32_t number, schedule::kind what) noexcept;
  /// `p` begins with what the schedule has in `node`, perhaps nothing.
  void lead(position& p, std::uint32_t node) const noexcept;
  /// `p` ends: what it has not come to is void.
  void close(position& p) noexcept;
  /// Nobody will come to the begin of this piece, to what is in it, to the join.
  void void_begin(std::uint32_t piece) noexcept;
  void void_inside(std::uint32_t piece) noexcept;
  void void_join(std::uint32_t step) noexcept;

  /// The strand that begins with this piece goes to its worker.
  void hand_out(std::uint32_t piece, sched::submission& s) noexcept;
  /// A strand of which the schedule does not know goes to a worker of the program's choice.
  void send(sched::submission& s, sched::worker& to) noexcept;
  /// Who that is, in the pool of the running strand.
  static sched::worker& member(int wanted_owner) noexcept;
  bool may_go_on(sched::rendezvous& r) noexcept override;
  bool pass(sched::rendezvous& r) noexcept override;
  void await_others() noexcept override;
  /// Whether the schedule says who goes on after that run, which has ended.
  bool is_rest_owned(scored& run) const noexcept;
  /// What is left of a strand that goes on elsewhere is about to meet it.
  void begin_rest() noexcept;
  void end_rest() noexcept;

  // --- what is written ------------------------------------------------------------------------------------------

  /// A strand has begun on this worker: with a piece of `o` that begins there; or with what follows the join.
  written_segment* write_piece(scored& o, std::uint64_t begin) noexcept;
  written_segment* write_join(scored& o) noexcept;
  /// That join is a part of another one.
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
  std::optional<slots> slots_;  ///< in recorded order
  base::atomic<std::uint64_t> matched_{0}, voided_{0}, diverged_{0};
  base::atomic<std::uint64_t> named_{0};  ///< strands that the program sent to a worker

  base::mutex lock_;                        ///< of the next two
  std::deque<sched::watch_events> events_;  ///< as many as there are kinds of analyses
  written_tree tree_;
  base::ticks began_ = 0;
  unsigned workers_ = 1;
  std::optional<sched::excursion> excursion_;  ///< of the first strand
  position root_;
};

}  // namespace tine::detail
