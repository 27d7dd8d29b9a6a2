// A replay session: the region of one call of tine::record or tine::replay. All strands of the region share it: the
// tree that is written, and the schedule that is followed.
#pragma once

#include "replay/followed_schedule.hpp"
#include "replay/node.hpp"
#include "replay/session_plan.hpp"
#include "replay/strand_writer.hpp"
#include "replay/strategy.hpp"
#include "sched/join_counter.hpp"

#include <tine/detail/sched/scope.hpp>
#include <tine/replay/record.hpp>

#include <memory>
#include <optional>

namespace tine::detail {

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

  followed_schedule& followed() noexcept { return followed_; }
  /// Returns the strategy; there is one between `begin` and the end of the session.
  strategy& chosen() noexcept { return *strategy_; }
  strand_writer& writer() noexcept { return writer_; }

  // --- to the workers ---------------------------------------------------------------------------------------------

  /// Submits the strand that begins with this piece of the schedule to its worker.
  void submit_scheduled(std::uint32_t piece, sched::submission& s) noexcept;
  /// Submits a strand that is not in the schedule to a worker of the program's choice.
  void submit_hinted(sched::submission& s, sched::worker& to) noexcept;
  /// Returns the worker that the program names by this number, in the pool of the running strand.
  static sched::worker& member(int hinted_worker) noexcept;
  bool may_resume_here(sched::join_counter& r) noexcept override;
  bool dispatch(sched::join_counter& r) noexcept override;
  void arrived_early() noexcept override;
  /// Returns the worker for the continuation of a join that the schedule has no worker for. In a strict replay it must
  /// not depend on which strand arrives last, so it is this worker; otherwise null.
  sched::worker* home() const noexcept;
  /// Returns true if the schedule names the worker that continues after that run, which has ended.
  bool is_rest_owned(replay_node& run) const noexcept;

  /// As the functions of the writer; the strand begins or continues on this thread now.
  segment_builder* write_piece(replay_node& n, std::uint64_t begin) noexcept;
  segment_builder* write_join(replay_node& n) noexcept;

  // --- the region (detail/sched/region.hpp) -----------------------------------------------------------------------

  void begin_stolen(sched::position& forked, sched::region_strand& thief, sched::position& first) noexcept override;
  void pause() noexcept override;
  void resume_after(sched::position& forked) noexcept override;
  sched::counted counts(const sched::position& p, const sched::region_strand& s) const noexcept override;

  void wait_begins() noexcept override;
  void wait_is_over() noexcept override;
  void wait_ends() noexcept override;

  // forks.cpp
  void fork(void* storage) noexcept override;
  bool is_placed(void* storage) noexcept override;
  void place(void* storage, sched::task* second) noexcept override;
  void first_done(void* storage, bool continues) noexcept override;
  void begin(void* storage, bool on_other_strand) noexcept override;
  void end(void* storage) noexcept override;
  void join(void* storage, sched::branch_end how, bool here, bool is_last_join) noexcept override;
  void* storage_of_first(sched::position& first) noexcept override;
  sched::join_counter& join_counter_of(void* storage) noexcept override;
  void* open_run() noexcept override;
  void close_run(void* storage, bool has_waited) noexcept override;
  bool is_rest_placed(void* storage) noexcept override;
  void set_blocked(void* storage, bool blocked) noexcept override;

  // loops.cpp
  unsigned open_loop(void* storage, std::uint64_t n) noexcept override;
  void close_loop(void* storage) noexcept override;
  subrange subrange_of(void* storage, unsigned piece) noexcept override;
  void place_subrange(void* storage, unsigned piece, sched::task& t) noexcept override;
  sched::position& begin_subrange(void* storage, std::uint64_t first, bool on_other_strand) noexcept override;
  void end_subrange(sched::position& piece, std::uint64_t iterations) noexcept override;

  // placement_hints.cpp
  void check_may_place() override;

 private:
  void go_to_first_worker() noexcept;
  void end_region() noexcept;
  struct continuation;
  continuation after(replay_node& n, sched::worker* bound_to) const noexcept;
  bool has_turn(replay_node& n, const continuation& next) noexcept;
  void note_joined(replay_node& n) noexcept;
  static constexpr std::uint64_t after_join = ~std::uint64_t{0};  ///< instead of where a piece begins
  segment_builder* begin_strand(const replay_node& n, std::uint64_t begin, segment_builder* s) noexcept;
  void delay_first(fork_node& f) noexcept;

  const session_plan plan_;
  followed_schedule followed_;
  std::unique_ptr<strategy> strategy_;  ///< chosen by `begin`
  strand_writer writer_;
  base::ticks began_ = 0;
  const sched::pool_state* pool_ = nullptr;  ///< in which it began
  unsigned workers_ = 1;
  std::optional<sched::excursion> excursion_;  ///< the excursion of the first strand
  sched::address promotion_limit_before_ = nullptr;
  sched::region_scope scope_;
  sched::region_strand strand_;  ///< the first strand
  cursor root_;
};

inline session& replay_node::of() const noexcept { return static_cast<session&>(*strand.in); }

}  // namespace tine::detail
