// One call of a team on this rank, as the library sees it: work that runs, is given to other ranks and comes from them,
// and a result.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/mpi/codec.hpp>
#include <tine/sched/pool.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace tine::mpi::detail {

class team_call {
 public:
  team_call(const team_call&) = delete;
  team_call& operator=(const team_call&) = delete;

  /// Runs the work that this rank has at the begin of the call.
  virtual void run_own() = 0;
  /// Runs work that another rank has given.
  virtual void run(reader& work) = 0;
  /// Writes a share of the work that this rank has not begun, as far as the calling worker can reach it. Returns the
  /// number of tasks or iterations in it, 0 if there is none.
  virtual std::size_t give(writer& to) = 0;
  /// Returns the depth of the work that `give` would write, of which the least has most work below it; `no_gift` if
  /// there is none.
  virtual unsigned depth_of_gift() { return 0; }
  static constexpr unsigned no_gift = ~0U;
  /// Writes the result of this rank; `merge` adds that of other ranks to it. `take` reads the result of all.
  virtual void write_result(writer& to) = 0;
  virtual void merge(reader& from) = 0;
  virtual void take(reader& from) = 0;

  /// Tasks and iterations that have not begun are dropped from now on.
  void stop() noexcept { stopping_.store(true, base::relaxed); }  // relaxed, here and below: a flag alone
  bool is_stopping() const noexcept { return stopping_.load(base::relaxed); }

  /// For each worker the time since when it looks for work; 0: it has work.
  base::atomic<base::ticks>& idle_since(unsigned worker) noexcept { return idle_since_[worker]; }
  void note_busy() noexcept { idle_since(this_worker().index()).store(0, base::relaxed); }  // relaxed: an estimate
  unsigned slots() const noexcept { return slots_; }
  /// For each worker `depth_of_gift`, as it was when the worker looked or began with work of others.
  base::atomic<unsigned>& gift_depth(unsigned worker) noexcept { return gift_depth_[worker]; }

  /// The time after which a busy worker looks again. A team of one rank, which gets no messages, keeps the longest
  /// time.
  static constexpr double most_look_gap_us = 250;
  base::ticks look_gap() const noexcept { return look_gap_.load(base::relaxed); }
  void set_look_gap(base::ticks gap) noexcept { look_gap_.store(gap, base::relaxed); }

 protected:
  explicit team_call(const pool& p)
      : slots_{p.worker_slots()},
        idle_since_{std::make_unique<base::atomic<base::ticks>[]>(slots_)},
        gift_depth_{std::make_unique<base::atomic<unsigned>[]>(slots_)} {
    for (unsigned i = 0; i < slots_; ++i) gift_depth(i).store(no_gift, base::relaxed);
  }
  ~team_call() = default;

 private:
  base::atomic<bool> stopping_{false};
  const unsigned slots_;
  const std::unique_ptr<base::atomic<base::ticks>[]> idle_since_;
  const std::unique_ptr<base::atomic<unsigned>[]> gift_depth_;
  base::atomic<base::ticks> look_gap_{base::to_ticks(most_look_gap_us)};
};

}  // namespace tine::mpi::detail
