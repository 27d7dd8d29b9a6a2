// A replay session: the region of one call of tine::record or tine::replay. All strands of the region share it: the tree that is
// written, and the schedule that is followed.
#pragma once

#include "base/mutex.hpp"
#include "replay/node.hpp"
#include "replay/perturbation.hpp"
#include "replay/start_queues.hpp"
#include "replay/tree_builder.hpp"
#include "replay/worker_mapping.hpp"
#include "sched/join_counter.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/replay/record.hpp>

#include <optional>

namespace tine::detail {

/// The task of a session.
struct session_plan {
  const schedule* follow = nullptr;  ///< null: it follows none
  replay_mode how = replay_mode::relaxed;
  bool must_match = false;
  perturbation* perturb = nullptr;                ///< null: none
  journal_root journal{nullptr, 0};               ///< its root in the journal of the process
  journal_event described{};                      ///< of the root, for the journal
  std::uint32_t stop_before = schedule::nothing;  ///< a stamp: a serial replay raises SIGTRAP before this strand
  std::uint32_t root =
      schedule::nothing;  ///< the number of the root, for messages; `nothing`: the program made the session
};

class session final : public sched::region, public sched::placement_policy {
 public:
  /// The running strand is going to call `begin`.
  explicit session(const session_plan& plan) noexcept;
  ~session();

  /// Between `begin` and `end` the running strand belongs to the region.
  void begin() noexcept;
  void end() noexcept;
  replayed result() const;
  /// As `result`, without the schedule that was performed.
  replayed counts() const;
  /// Returns the number of forks, loops and runs in the region's first node. Call it after `end`.
  std::uint64_t constructs() const noexcept { return root_.next; }
  std::uint32_t root() const noexcept { return plan_.root; }

  // --- what is followed -----------------------------------------------------------------------------------------

  bool follows() const noexcept { return follow_ != nullptr; }
  const schedule::step& step(std::uint32_t i) const noexcept { return follow_->steps()[i]; }
  const schedule::piece& piece(std::uint32_t i) const noexcept { return follow_->pieces()[i]; }
  bool is_owned(std::uint32_t i) const noexcept { return piece(i).run.owner != schedule::no_worker; }

  /// Decides whether a perturbed run places the second branch of the fork, or pieces of the loop.
  void choose(fork_node& f) noexcept;
  void choose(loop_node& l) noexcept;
  bool returns_after_join() noexcept { return perturb_ == nullptr || perturb_->returns(); }
  /// Returns the rank of the strand that begins with this piece of the schedule.
  rank rank_of(std::uint32_t piece) const noexcept { return rank{1} + this->piece(piece).run.stamp; }

  /// Returns the step that the schedule has for the fork or loop with that number, which `c` comes to next, or `schedule::nothing`.
  std::uint32_t match(cursor& c, std::uint32_t number, schedule::kind what) noexcept;
  /// Assigns to `c`, which begins, the steps of the schedule in `node`. There may be none.
  void follow(cursor& c, std::uint32_t node) const noexcept;
  /// Ends `c`: skips the steps that it has not come to.
  void finish(cursor& c) noexcept;
  /// No strand will come to the begin of this piece (`skip_begin`), to the steps inside it (`skip_inside`), to the join
  /// (`skip_join`).
  void skip_begin(std::uint32_t piece) noexcept;
  void skip_inside(std::uint32_t piece) noexcept;
  void skip_join(std::uint32_t step) noexcept;

  /// Submits the strand that begins with this piece to its worker.
  void submit_scheduled(std::uint32_t piece, sched::submission& s) noexcept;
  /// Submits a strand that is not in the schedule to a worker of the program's choice.
  void submit_hinted(sched::submission& s, sched::worker& to) noexcept;
  /// Returns the worker that the program names by this number, in the pool of the running strand.
  static sched::worker& member(int hinted_worker) noexcept;
  bool may_resume_here(sched::join_counter& r) noexcept override;
  bool dispatch(sched::join_counter& r) noexcept override;
  void arrived_early() noexcept override;
  /// Returns true if the schedule names the worker that continues after that run, which has ended.
  bool is_rest_owned(replay_node& run) const noexcept;
  void strand_blocked() noexcept;
  void strand_unblocked() noexcept;

  // --- what is written ------------------------------------------------------------------------------------------

  /// Write that a strand has begun on this worker, and return its segment. `write_piece`: the strand begins with the piece of `n`
  /// at `begin`. `write_join`: it continues after the join of `n`.
  segment_builder* write_piece(replay_node& n, std::uint64_t begin) noexcept;
  segment_builder* write_join(replay_node& n) noexcept;
  /// The piece of `n` at `begin` is going to run on worker `owner`; a journal has this before the strand begins.
  void note_placed(replay_node& n, std::uint64_t begin, int owner) noexcept;

  // --- the region (detail/sched/region.hpp) ------------------------------------------------------------------------------

  void begin_stolen(sched::position& forked, sched::region_strand& thief, sched::position& first) noexcept override;
  void end_stolen() noexcept override;
  void pause() noexcept override;
  void resume_after(sched::position& forked) noexcept override;
  bool counts_next(const sched::position& p, const sched::region_strand& s) const noexcept override;
  bool counts_all(const sched::position& p, const sched::region_strand& s) const noexcept override;

  void wait_begins() noexcept override;
  void wait_is_over() noexcept override;
  void wait_ends() noexcept override;

  // forks.cpp
  void fork(void* storage) noexcept override;
  bool is_placed(void* storage) noexcept override;
  void place(void* storage, sched::task* second) noexcept override;
  void first_done(void* storage) noexcept override;
  void first_done_suspended(void* storage) noexcept override;
  void begin(void* storage, bool on_other_strand) noexcept override;
  void end(void* storage) noexcept override;
  void join(void* storage, sched::branch_end how, bool here, bool is_last_join) noexcept override;
  void* storage_of_first(sched::position& first) noexcept override;
  void wait(void* storage) noexcept override;
  sched::join_counter& join_counter_of(void* storage) noexcept override;
  void* open_run() noexcept override;
  sched::join_counter& join_counter_of_run(void* storage) noexcept override;
  bool is_rest_placed(void* storage) noexcept override;
  void strand_blocked(void* storage) noexcept override;
  void strand_unblocked(void* storage) noexcept override;
  void close_run(void* storage, bool has_waited) noexcept override;

  // loops.cpp
  void open_loop(void* storage, std::uint64_t n) noexcept override;
  void close_loop(void* storage) noexcept override;
  sched::position& begin_subrange(void* storage, std::uint64_t first, bool on_other_strand) noexcept override;
  void chunk(sched::position& piece, std::uint64_t iterations) noexcept override;
  void end_subrange(sched::position& piece) noexcept override;
  unsigned subranges(void* storage) noexcept override;
  std::uint64_t subrange_begin(void* storage, unsigned piece) noexcept override;
  bool is_subrange_placed(void* storage, unsigned piece) noexcept override;
  void place_subrange(void* storage, unsigned piece, sched::task& t) noexcept override;

  // placement_hints.cpp
  void hint_worker(int worker) override;
  void hint_partition(const sched::placement_hint& partition) override;
  void forget_hint(sched::region_strand& s) noexcept override;

 private:
  void go_to_first_worker() noexcept;
  void end_region() noexcept;
  std::size_t most_steals() const noexcept;
  int owner_after(const replay_node& n) const noexcept;
  struct continuation;
  continuation after(replay_node& n, sched::worker* bound_to) const noexcept;
  bool has_turn(replay_node& n, const continuation& next) noexcept;
  void skip_steps(std::uint32_t begin, std::uint32_t end) noexcept;
  void submit_scheduled(slot_id id, int owner, sched::submission& s) noexcept;
  void submit(sched::submission& s, sched::worker& to) noexcept;
  void note_joined(replay_node& n) noexcept;
  static constexpr std::uint64_t after_join = ~std::uint64_t{0};  ///< in place of the begin of a piece
  void begin_strand(const replay_node& n, std::uint64_t begin, const segment_builder& s) noexcept;
  void delay_first(fork_node& f) noexcept;
  rank rank_after(replay_node& n) noexcept;
  void diverge(const std::string& how) noexcept;
  node_builder& node_of(sched::position& p);
  step_builder& step_of(replay_node& n);
  step_builder& step_of(sched::position& counted);

  const schedule* const follow_;
  const replay_mode how_;
  perturbation* const perturb_;
  const session_plan plan_;
  std::optional<turns> turns_;  ///< only in a serial replay, and in a perturbed run
  std::optional<worker_mapping> mapping_;
  std::optional<start_queues> queues_;  ///< only in a strict replay in recorded order
  base::atomic<std::uint64_t> matched_{0}, skipped_{0}, diverged_{0};
  base::atomic<std::uint64_t> pinned_{0};  ///< number of strands that the program placed on a worker

  base::mutex lock_;  ///< protects the tree and the text below
  std::string first_divergence_;
  tree_builder tree_;
  base::ticks began_ = 0;
  const sched::pool_state* pool_ = nullptr;  ///< in which it began
  unsigned workers_ = 1;
  std::optional<sched::excursion> excursion_;  ///< the excursion of the first strand
  sched::address watermark_before_ = nullptr;
  sched::region_scope scope_;
  sched::region_strand strand_;  ///< the first strand
  cursor root_;
};

inline session& replay_node::of() const noexcept { return static_cast<session&>(*strand.in); }

}  // namespace tine::detail
