// The slots of a strict replay in recorded order: one for each recorded begin of a strand, in a list for its worker. A strand that has
// come waits in its slot until all before it in the list have been handed out or are void; then it is submitted. Inboxes are
// first come, first served, so the worker runs its strands in the order of the list (StOWS).
#pragma once

#include "base/mutex.hpp"
#include "replay/roles.hpp"

#include <tine/base/atomic.hpp>
#include <tine/replay/schedule.hpp>
#include <tine/sched/submission.hpp>

#include <memory>
#include <vector>

namespace tine::detail {

/// The begin of a strand in a schedule: of a piece, or after the join of a step.
struct slot_id {
  std::uint32_t of;
  bool is_join;
};

class slots {
 public:
  slots(const schedule& follow, const roles& who);

  /// The strand has come: it will be submitted, at once or later.
  void fill(slot_id id, sched::submission& s) noexcept;
  /// The strand has come, and is on that worker already. Whether its turn is now, and so it goes on.
  bool take(slot_id id, const sched::worker& here) noexcept;
  /// It will never come.
  void void_one(slot_id id) noexcept;

  /// One more strand runs.
  void begin_one() noexcept { running_.fetch_add(1, base::relaxed); }  // relaxed: another one runs, which ends later
  /// One less, while another one runs.
  void end_one() noexcept { running_.fetch_sub(1, base::relaxed); }  // relaxed: as above
  /// A strand has ended, or waits. If it was the last one to run, the order cannot be kept, and all that have come are submitted; and
  /// those that come later, at once. Whether that happened now.
  bool rest() noexcept;

 private:
  enum class state : unsigned char { awaited, filled, over };
  struct slot {
    state is = state::awaited;
    std::uint32_t list = 0;
    sched::submission* what = nullptr;
  };
  struct list {
    base::mutex lock;  ///< of the list and its slots
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
  base::atomic<int> running_{1};  ///< strands that run or are submitted; the first one does
  base::atomic<bool> is_disordered_{false};
};

}  // namespace tine::detail
