// The result of a simulated run.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tine::simulate {

/// Times are nanoseconds. `work`, `overhead` and `idle` are sums over the workers, and add up to the number of workers
/// times `in_roots`.
struct outcome {
  std::uint64_t in_roots = 0;  ///< from the begins of the roots to their ends
  std::uint64_t outside = 0;   ///< the time in which no root runs
  std::uint64_t work = 0;      ///< the program's own
  std::uint64_t overhead = 0;  ///< steps of the scheduler by workers that have work, or that have just found some
  std::uint64_t idle = 0;      ///< looking for work, asleep, or waking up
  std::uint64_t promotions = 0, steals = 0, reclaimed = 0, suspensions = 0, sleeps = 0, wakes = 0, signals = 0;

  std::uint64_t time() const noexcept { return in_roots + outside; }
};

/// A simulation has taken more steps than it may.
class too_many_steps : public std::runtime_error {
 public:
  explicit too_many_steps(std::uint64_t most)
      : std::runtime_error{"the simulation takes more than " + std::to_string(most) + " steps"} {}
};

/// The number of steps after which simulations give up, if nothing else is asked for: about a minute.
inline constexpr std::uint64_t usual_steps = 300'000'000;

/// A piece of work without interruption: the program's positions from `from` to `to` (`tree_node`) on one worker.
struct stretch {
  std::uint32_t worker = 0;
  std::uint64_t begin = 0;  ///< the time, with the time outside of roots
  std::uint64_t from = 0, to = 0;
};

}  // namespace tine::simulate
