// The turns of a serial session: one strand of the session runs at a time. A strand that is ready waits for its turn;
// when the running strand ends or waits, the ready strand with the lowest rank gets the turn.
#pragma once

#include "base/mutex.hpp"
#include "sched/join_counter.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/submission.hpp>

#include <sys/types.h>
#include <cstdint>
#include <vector>

namespace tine::detail {

/// The place of a ready strand among all ready strands. In a replay it is the stamp of the strand's begin; in a
/// perturbed run it is drawn.
using rank = std::uint64_t;

/// The rank of a strand that continues after a wait outside of its joins: it is older than all strands that have not
/// begun.
inline constexpr rank first_rank = 0;
/// The ranks from here on belong to strands that the schedule does not name. They come after all others, in the order
/// in which they become ready.
inline constexpr rank unscheduled_rank = rank{1} << 33;

class turns {
 public:
  /// `expected`: the ranks of the strands that will come, in ascending order.
  explicit turns(std::vector<rank> expected);
  turns(const turns&) = delete;
  turns& operator=(const turns&) = delete;
  ~turns();

  /// The strand of `s` is ready and will run on `to`. `occupies`: it has begun on that worker already, and no other
  /// strand runs there before it.
  void add(rank of, sched::submission& s, sched::worker& to, bool occupies) noexcept;
  /// The running strand comes to a point at which it continues as the strand `of`. Returns true if that is the next
  /// strand, so that it keeps its turn.
  bool keep(rank of) noexcept;
  /// The strand with this rank will never come.
  void skip(rank of) noexcept;
  /// Returns a rank for a strand that the schedule does not name.
  rank next_unscheduled() noexcept {
    return unscheduled_rank + unscheduled_.fetch_add(1, base::relaxed);
  }  // relaxed: a count

  /// `begin_one` counts one more strand that runs, `end_one` one less, while another strand runs.
  void begin_one() noexcept;
  void end_one() noexcept;
  /// The running strand has ended, or waits. If it was the last one, the next ready strand gets the turn. Returns true
  /// if strands that should have come before that one are missing.
  bool rest() noexcept;

  /// Notes that the calling thread runs the strand that has the turn.
  void note_thread() noexcept;
  /// Called every 10 ms (patience.hpp). If the running strand has made no progress for too long, because it waits for
  /// another strand in a way that the runtime does not see, the next ready strand gets a turn beside it.
  void look() noexcept;
  /// Returns the number of turns that `look` has given.
  std::uint64_t impatient() const noexcept { return impatient_.load(base::relaxed); }  // relaxed: a statistic

 private:
  struct entry {
    rank of;
    sched::submission* what;
    sched::worker* on;
    bool occupies;
  };
  /// Returns the entry with the lowest rank among those that may run; null if none is ready. Under the lock.
  const entry* next() const noexcept;
  bool give_next() noexcept;
  bool pass(rank of) noexcept;

  base::mutex lock_;
  std::vector<entry> ready_;
  std::vector<rank> expected_;  ///< from expected_[next_expected_] on they have not come
  std::vector<bool> is_over_;
  std::size_t next_expected_ = 0;
  int running_ = 1;
  std::uint64_t progress_ = 0, seen_ = 0;
  int looks_ = 0;  ///< since the last progress
  base::atomic<pid_t> thread_{0};
  base::atomic<std::uint64_t> impatient_{0};
  base::atomic<std::uint64_t> unscheduled_{0};
};

/// The strand that runs continues as the strand `of` when its turn comes, on the same worker.
void wait_for_turn(turns& of, rank place) noexcept;

}  // namespace tine::detail
