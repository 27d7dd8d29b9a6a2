// The schedule that a session follows: which steps the session's cursors meet or miss, and how closely the run follows
// it. All strands of the session use it at once; each has cursors of its own.
#pragma once

#include "base/mutex.hpp"
#include "replay/node.hpp"
#include "replay/session_plan.hpp"
#include "replay/strategy.hpp"
#include "replay/worker_mapping.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tine::detail {

class followed_schedule {
 public:
  /// Without a schedule, cursors have no steps, and you may call only the functions that do not concern steps.
  explicit followed_schedule(const session_plan& plan) noexcept : plan_{plan} {}
  /// The session starts on `here`. `order` learns which strands will not come.
  void begin(const sched::worker& here);
  void report_to(strategy& order) noexcept { order_ = &order; }

  bool is_any() const noexcept { return plan_.follow != nullptr; }
  const worker_mapping& workers() const noexcept { return *workers_; }
  const schedule::step& step(std::uint32_t i) const noexcept { return plan_.follow->steps()[i]; }
  const schedule::piece& piece(std::uint32_t i) const noexcept { return plan_.follow->pieces()[i]; }
  bool is_owned(std::uint32_t i) const noexcept { return piece(i).run.owner != schedule::no_worker; }
  /// Returns the worker that the schedule assigns to the continuation of the join.
  int owner_after(const replay_node& n) const noexcept {
    return n.step != schedule::nothing ? step(n.step).after.owner : schedule::no_worker;
  }

  /// Returns the step that the schedule has for the fork or loop with that number, to which `c` comes next; or
  /// `schedule::nothing`.
  std::uint32_t match(cursor& c, std::uint32_t number, schedule::kind what) noexcept;
  /// Returns true if that step exists, whatever its kind.
  bool has_next(const cursor& c) const noexcept { return c.step != c.steps && step(c.step).number == c.next; }
  /// Gives the cursor `c`, which starts, the steps of the schedule in `node`; there may be none.
  void assign(cursor& c, std::uint32_t node) const noexcept;
  /// Ends `c`: skips the steps that it did not come to.
  void finish(cursor& c) noexcept;
  /// Notes that no strand will come to the start of this piece (`skip_begin`), to the steps inside it (`skip_inside`),
  /// or to the join (`skip_join`).
  void skip_begin(std::uint32_t piece) noexcept;
  void skip_inside(std::uint32_t piece) noexcept;
  void skip_join(std::uint32_t step) noexcept;
  /// Called when the construct has joined. The strand may have continued on another worker than the schedule says: in a
  /// relaxed replay that is no difference, because the strand that forked may have been taken over.
  void close(const replay_node& n) noexcept;

  /// `note_matched`: a strand starts where the schedule says. `note_diverged`: the order of the schedule could not be
  /// kept.
  void note_matched() noexcept { count(matched_); }
  void note_diverged() noexcept { count(diverged_); }
  /// A thief has stolen the second branch of the fork number `number` at `at`. In a strict replay none should: a task
  /// that waits for something outside, and a stop region, make all pending forks of their strand stealable.
  void note_stolen(const sched::position& at, std::uint32_t number) noexcept;
  /// Returns the counts, after all joins. The rest of the result is empty.
  replayed counts() const;

 private:
  // relaxed: statistics, which are read after all joins
  static void count(base::atomic<std::uint64_t>& n) noexcept { n.fetch_add(1, base::relaxed); }
  void skip_steps(std::uint32_t begin, std::uint32_t end) noexcept;
  void diverge(const std::string& how) noexcept;

  const session_plan& plan_;
  std::optional<worker_mapping> workers_;  ///< only if there is a schedule
  strategy* order_ = nullptr;
  base::atomic<std::uint64_t> matched_{0}, skipped_{0}, diverged_{0};
  base::mutex lock_;  ///< protects the text
  std::string first_divergence_;
};

}  // namespace tine::detail
