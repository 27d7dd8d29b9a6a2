// A call of a team that is under way on this rank: joins the balancer, the messages and the pool.
#pragma once

#include "mpi/balancer.hpp"
#include "mpi/progress.hpp"
#include "mpi/team_state.hpp"

#include <tine/base/ticks.hpp>
#include <tine/coro/task.hpp>
#include <tine/detail/mpi/team_call.hpp>

#include <deque>
#include <optional>
#include <vector>

namespace tine::mpi::detail {

class running_call final : public correspondent, network {
 public:
  running_call(team_state& team, team_call& call);
  ~running_call() { progress::instance().remove(*this); }
  running_call(const running_call&) = delete;
  running_call& operator=(const running_call&) = delete;

  /// Runs all work that comes to this rank, until the call has ended. Returns the combined result, or the description
  /// of the failure.
  task<void> run_all();
  bool has_failed() const noexcept { return balancer_.has_failed(); }
  const payload& outcome() noexcept { return balancer_.outcome(); }

  void look(bool may_call, sched::event_source::moment when) noexcept override;

 private:
  /// Work that waits on this rank: its own at the begin of the call, what another rank has given, or, at the end,
  /// results.
  struct work {
    enum class kind : unsigned char { own, given, results } what = kind::given;
    payload bytes{};
    std::vector<payload> results{};  ///< of the ranks below this one, to be combined
  };
  struct waiting_taker {
    balancer::taker who;
    base::ticks since;
  };
  class next_work;

  task<void> run_one(work w);
  void run(work& w) noexcept;
  void fail(payload&& description) noexcept;
  static payload description_of_exception() noexcept;
  payload with_rank(payload&& description) const;

  void note_idle(sched::event_source::moment when) noexcept;
  bool offer();
  bool has_largest_gift() noexcept;
  bool give_to(waiting_taker& t);
  void exchange();
  void send(int to, message&& m) override { team_.mail.send(to, std::move(m)); }
  void receive_all();
  void receive(int from, message&& m);
  void add_work(work&& w);
  void drop_work() noexcept;
  void report_failures();
  void send_gifts();
  void serve_takers();
  void request_looks() noexcept;
  bool is_hungry() noexcept;
  void add_idle(base::ticks begin, base::ticks end);
  void seek_and_count();
  void combine(const std::vector<payload>& results) noexcept;
  void end_if_all_has_ended();
  bool is_passive() const noexcept { return active_.load(base::acquire) == 0; }  // pairs with the release in run

  team_state& team_;
  team_call& call_;
  balancer balancer_;           ///< used by the thread that may call MPI
  const team_counters before_;  ///< of the team
  const base::ticks began_;
  base::ticks idle_ = 0;
  base::ticks passive_since_ = 0;
  base::ticks last_message_;
  base::ticks next_wave_ = 0;
  base::ticks wave_began_ = 0;
  base::ticks next_request_ = 0;
  bool was_counting_ = false;

  /// Work that waits, runs, or is on its way to another rank, and failures that have not been reported. 0: the rank is
  /// passive.
  base::atomic<int> active_{0};
  base::atomic<int> taker_count_{0};  ///< size of takers_
  base::mutex lock_;                  ///< guards the members below
  std::deque<work> queue_;
  std::deque<waiting_taker> takers_;
  std::vector<std::pair<balancer::taker, payload>> gifts_;
  std::vector<payload> failures_;
  next_work* waiting_ = nullptr;  ///< the task that waits for work
  bool has_ended_ = false;
  std::optional<std::pair<payload, bool>> combined_;  ///< the result of the subtree; true: it describes a failure
  bool is_combining_ = false;                         ///< used by the thread that may call MPI
  std::uint64_t given_ = 0;
};

}  // namespace tine::mpi::detail
