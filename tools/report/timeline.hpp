// The timeline of a profile: what each worker did at each moment, computed from its events.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::report {

/// The states of a worker. At each moment a worker is in exactly one of them.
enum class worker_state : std::uint8_t {
  running,      ///< it runs the program's code
  interrupted,  ///< it is in the middle of the program's code, but waits in the kernel, or another thread has its processor
  getting_work,  ///< it has nothing to run although a task is queued or a record is pending: what it takes to get work
  no_token,      ///< a record is pending, but its owner has no token to promote it
  waiting,  ///< there is no such work, and a strand of its own waits: for a join, a lock, or something outside of the pool
  no_work,  ///< there is no such work
  outside,  ///< its thread is not in the pool
};
inline constexpr std::size_t worker_states = 7;

/// Returns a name for people, such as "no work".
std::string_view name_of(worker_state s) noexcept;

/// Returns true if a worker in this state is in the pool, but does not run the program's code.
constexpr bool is_idle(worker_state s) noexcept {
  return s != worker_state::running && s != worker_state::interrupted && s != worker_state::outside;
}

/// A time in which a worker stays in one state, and with one strand.
struct period {
  std::uint32_t worker = 0;  ///< index into the profile's timeline_workers
  worker_state is = worker_state::outside;
  std::uint64_t begin = 0, end = 0;
  std::uint32_t site = trace::nothing;  ///< while it runs: the strand's fork or loop; nothing: a root, or not known
};

/// The way of a task from the worker that promoted it to the worker that stole it.
struct flow {
  std::uint32_t from = 0, to = 0;  ///< indices into timeline_workers
  std::uint64_t promoted = 0, stolen = 0;
};

/// A number of queued tasks and of workers, from `time` on.
struct level {
  std::uint64_t time = 0;
  std::uint32_t queued = 0;  ///< tasks that are promoted and not stolen yet
  std::uint32_t awake = 0;   ///< workers in the pool that do not sleep
  std::uint32_t busy = 0;    ///< workers that run the program's code
};

/// A stretch of time in which some worker was idle although there was work.
struct shortage {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t idle = 0;                ///< the largest number of idle workers in it
  bool is_for_tokens = false;            ///< there was work all the time that lacked a token
  std::uint32_t owner = trace::nothing;  ///< a worker that had the work, if it is known: index into timeline_workers
  std::uint32_t site = trace::nothing;   ///< the strand of that worker
};

/// Counts of the events of one worker.
struct event_counts {
  std::uint64_t promotions = 0, steals = 0, reclaimed = 0, suspensions = 0, sleeps = 0, signals = 0;
};

struct timeline {
  std::uint64_t begin = 0, end = 0;  ///< since the start of the process
  std::vector<period> periods;       ///< by worker, and by time
  std::vector<flow> flows;           ///< by time of promotion
  std::vector<level> levels;         ///< by time; of all pools together
  std::vector<shortage> shortages;   ///< by descending length
  std::vector<std::array<std::uint64_t, worker_states>>
      times;                         ///< for each worker and state; each worker's add up to end − begin
  std::vector<event_counts> counts;  ///< for each worker
  std::vector<std::uint64_t>
      sites;  ///< the return addresses of forks and loops, in ascending order; other members have indices into it
  std::vector<place> places;  ///< where the sites are, if the caller of timeline_of has looked them up; one for each

  /// Returns a label for a site, such as "sort (sort.cpp:40)"; "root" for none.
  std::string label(std::uint32_t site) const;

  /// Returns the time of a state, summed over all workers.
  std::uint64_t time_of(worker_state s) const;
};

/// A time as the page shows it. Where there would be too many, neighbours that are short are shown as one, which is
/// `mixed`.
struct shown_period {
  enum class kind : std::uint8_t { running, interrupted, getting_work, no_token, waiting, no_work, outside, mixed };
  std::uint32_t worker = 0;  ///< index into timeline_workers
  kind is = kind::outside;
  std::uint64_t begin = 0, end = 0;
  std::uint32_t site = trace::nothing;  ///< index into the timeline's sites
};

/// Returns at most about `most` periods for the page: neighbours that are shorter than some time are merged.
std::vector<shown_period> shown_periods(const timeline& t, std::size_t most);

/// Computes the timeline of a profile that has one. Takes time in proportion to n log n for n events, and to the number
/// of workers for each event after which idle workers have another reason.
timeline timeline_of(const trace::profile& p);

/// A worker as the page shows it.
struct worker_view {
  std::string name;
  std::vector<std::uint64_t> times;  ///< by state
};

/// Returns the name of a worker, such as "worker 2", or "worker 2 of pool 1" if the profile has workers of several
/// pools.
std::string name_of_worker(const trace::profile& p, std::uint32_t worker);

}  // namespace tine::report
