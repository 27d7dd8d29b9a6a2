// The slots of a strict replay in recorded order: one slot for each recorded begin of a strand, in a list for its
// worker. A strand that has come waits in its slot until all strands before it in the list have been handed out or are
// void; then it is submitted. Inboxes are first in, first out, so the worker runs its strands in the order of the list
// (StOWS).
#pragma once

#include "base/mutex.hpp"
#include "replay/worker_mapping.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/submission.hpp>
#include <tine/replay/schedule.hpp>

#include <memory>
#include <vector>

namespace tine::detail {

/// The begin of a strand in a schedule: the begin of a piece, or the continuation after the join of a step.
struct slot_id {
  std::uint32_t of;
  bool is_join;
};

class start_queues {
 public:
  start_queues(const schedule& follow, const worker_mapping& who);

  /// Fills the slot with a strand that has come. The strand will be submitted, at once or later.
  void fill(slot_id id, sched::submission& s) noexcept;
  /// The strand has come, and is on worker `here` already. Returns true if its turn is now; then it continues at once.
  bool take(slot_id id, const sched::worker& here) noexcept;
  /// Marks the slot as void: its strand will never come.
  void skip(slot_id id) noexcept;

  /// Counts one more strand that runs.
  void begin_one() noexcept { running_.fetch_add(1, base::relaxed); }  // relaxed: another strand runs, and ends later
  /// Counts one strand less, while another strand runs.
  void end_one() noexcept { running_.fetch_sub(1, base::relaxed); }  // relaxed: as in begin_one
  /// Called when a strand has ended, or waits. If it was the last one to run, the order cannot be kept: all strands in
  /// slots are submitted, and strands that come later are submitted at once. Returns true in this case.
  bool rest() noexcept;

 private:
  enum class state : unsigned char { awaited, filled, over };
  struct slot {
    state is = state::awaited;
    std::uint32_t list = 0;
    sched::submission* what = nullptr;
  };
  struct list {
    base::mutex lock;  ///< protects the list and its slots
    sched::worker* worker = nullptr;
    std::vector<std::uint32_t> order;
    std::size_t next = 0;
  };

  std::uint32_t index(slot_id id) const noexcept { return id.is_join ? joins_ + id.of : id.of; }
  list& list_of(std::uint32_t i) noexcept { return lists_[slots_[i].list]; }
  void hand_out(list& l) noexcept;
  void submit(list& l, slot& s) noexcept;
  void give_up_order() noexcept;

  const std::uint32_t joins_;  ///< where the slots of joins begin
  std::vector<slot> slots_;
  std::unique_ptr<list[]> lists_;
  const unsigned list_count_;
  base::atomic<int> running_{1};  ///< number of strands that run or are submitted; the first strand runs
  base::atomic<bool> is_disordered_{false};
};

}  // namespace tine::detail
