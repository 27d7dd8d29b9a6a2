// The simulated scheduler: workers, fibers, tasks, and the events to come. One thread runs a simulation.
#pragma once

#include "sched/thief_policy.hpp"
#include "sched/token_bucket.hpp"
#include "simulate/fiber.hpp"
#include "simulate/stealing.hpp"

#include <tine/detail/base/splitmix64.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tine::simulate {

class simulated_pool {
 public:
  simulated_pool(const program& p, const machine& m, const stealing_options& o)
      : program_{p},
        machine_{m},
        options_{o},
        costs_{o.what},
        random_{o.seed},
        workers_(m.workers()),
        awake_(m.nodes()) {}

  outcome run();

 private:
  // The policies of the scheduler, in nanoseconds.
  static constexpr double spin = 1000 * sched::thief_policy::spin;
  static constexpr double patience = 1000 * sched::thief_policy::patience;
  static constexpr double request_gap = 1000 * sched::thief_policy::request_gap;

  struct worker {
    enum class state : std::uint8_t { outside, running, searching, asleep, waking };
    state is = state::outside;
    bool is_armed = false;      ///< it polls at its next fork
    bool has_no_token = false;  ///< it could not serve a request
    std::uint32_t fiber = none;
    std::uint32_t run = 0, poll = 0, search = 0;               ///< versions: events of older ones are void
    std::uint64_t since = 0;                                   ///< when its fiber was at the fiber's position
    double gap = 0;                                            ///< until its next work request
    sched::token_bucket bucket{promotion::on_demand(), 1000};  // a tick of simulated time is a nanosecond
    std::deque<std::uint32_t> deque;                           ///< promoted tasks, the oldest first
    std::deque<std::uint32_t> inbox;                           ///< fibers that continue on this worker
  };

  struct event {
    enum class kind : std::uint8_t { stop, poll, token, request, hunt, sleep, woken };
    std::uint64_t time;
    kind is;
    std::uint32_t worker;
    std::uint32_t version;
    std::uint32_t poll = 0;
    std::uint32_t thief = none;
    bool by_signal = false;
    std::uint64_t number = 0;  ///< orders events of one moment

    friend bool operator>(const event& a, const event& b) noexcept {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };
  static constexpr bool is_of_run(event::kind k) noexcept {
    return k == event::kind::stop || k == event::kind::poll || k == event::kind::token;
  }

  void advance_to(std::uint64_t time);
  std::uint64_t run_root(const root_group& g);
  void handle(const event& e);
  void push(event e) {
    if (events_so_far_ == options_.most_steps) throw too_many_steps{options_.most_steps};
    e.number = ++events_so_far_;
    events_.push(e);
  }

  // running code (stealing.cpp)
  void start(std::uint32_t w, std::uint32_t f, double cost, bool was_idle);
  void plan(std::uint32_t w);
  void plan_poll(std::uint32_t w);
  std::uint64_t poll_after(std::uint64_t at);
  std::uint64_t first_fork_after(std::uint64_t at, std::uint64_t changes);
  void settle(std::uint32_t w);
  void delay(worker& w, double cost);
  void reach_stop(std::uint32_t w);
  void suspend(std::uint32_t w, promoted_task& t);
  void end_fiber(std::uint32_t w);
  void end_root(std::uint32_t w);
  void stop_running(std::uint32_t w);

  // promotion and thieves (thieves.cpp)
  void poll(std::uint32_t w, bool by_signal);
  double promote(std::uint32_t w, const part& what);
  void become_bare(std::uint32_t w);
  void arm(std::uint32_t w);
  void look_for_work(std::uint32_t w, double cost);
  void begin_search(std::uint32_t w, double cost);
  double leave_search(std::uint32_t w);
  void request(std::uint32_t w);
  void hunt(std::uint32_t victim, std::uint32_t thief, std::uint32_t version);
  void steal(std::uint32_t thief, std::uint32_t victim);
  void try_to_sleep(std::uint32_t w);
  bool is_work_in_sight();
  bool wake_one(std::uint32_t by);
  void wake(std::uint32_t w);
  void wake_up(std::uint32_t w);

  std::pair<machine::range, machine::range> ring(std::uint32_t w, unsigned level) const;
  double chance(std::uint32_t w, const worker_set& among, unsigned level) const;
  double chance(std::uint32_t w, const worker_set& among) const;
  std::uint32_t draw(std::uint32_t w, const worker_set& among);
  std::uint32_t new_fiber(const part& what, std::uint32_t task);
  std::uint32_t new_task(const part& what);

  /// Returns a random number from 0 to below 1.
  double uniform() noexcept { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::uint64_t rounded(double nanoseconds) const noexcept { return static_cast<std::uint64_t>(nanoseconds + 0.5); }
  /// Returns when an event happens next that happens `rate` times per nanosecond on average.
  std::uint64_t at_rate(double rate) noexcept {
    return now_ + static_cast<std::uint64_t>(std::min(-std::log(1 - uniform()) / rate, 1e15));
  }

  const program& program_;
  const machine& machine_;
  const stealing_options& options_;
  const costs& costs_;
  base::splitmix64 random_;
  std::uint64_t now_ = 0;
  bool root_ended_ = false;
  std::vector<worker> workers_;
  std::vector<int> awake_;  ///< thieves that are awake, by NUMA node
  worker_set running_{workers_.size()};
  worker_set bare_{workers_.size()};  ///< running without a pending request, and, as far as we know, with tokens
  worker_set searching_{workers_.size()};
  worker_set dormant_{workers_.size()};  ///< thieves that have found no bare worker
  worker_set asleep_{workers_.size()};
  worker_set has_tasks_{workers_.size()};  ///< the deque is not empty
  std::int64_t unmet_ = 0;                 ///< idle workers minus queued tasks
  std::uint64_t queued_ = 0;
  std::vector<fiber> fibers_;
  std::vector<promoted_task> tasks_;
  std::vector<std::uint32_t> free_fibers_, free_tasks_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t events_so_far_ = 0;
  outcome sums_;
};

}  // namespace tine::simulate
