// The settings of pools that the stress programs try: policies from gentle to absurd, lazy and busy.
#pragma once

#include "command.hpp"

#include <tine/tine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tine::stress {

/// A way to set up a pool, with a name for messages.
struct setting {
  const char* name;
  promotion promote;
  idle_policy idle = idle_policy::lazy;
  bool interrupt = true;
  resume_policy resume = resume_policy::same_thread;
};

inline constexpr std::array settings{
    setting{"on demand", promotion::on_demand()},
    setting{"on demand, beats of 0.2 us", promotion::on_demand(0.2, 1000)},
    setting{"on demand, beats of 0.2 us, busy", promotion::on_demand(0.2, 1000), idle_policy::busy},
    setting{"on demand, no interrupts", promotion::on_demand(1, 100), idle_policy::lazy, false},
    setting{"heartbeat of 20 us", promotion::heartbeat(20, 5)},
    setting{"heartbeat of 20 us, busy", promotion::heartbeat(20, 5), idle_policy::busy},
    setting{"eager", promotion::eager()},
    setting{"eager, busy", promotion::eager(), idle_policy::busy},
    setting{"on demand, origin", promotion::on_demand(), idle_policy::lazy, true, resume_policy::origin},
    setting{"eager, origin", promotion::eager(), idle_policy::lazy, true, resume_policy::origin},
    setting{"eager, finisher", promotion::eager(), idle_policy::lazy, true, resume_policy::finisher},
};

/// The policy for the callers of a pool. It varies with the seed.
inline caller_policy callers_of(unsigned workers, std::uint64_t seed) {
  if (seed % 5 == 3) return caller_policy::any_root;
  return seed % 5 == 4 && workers > 1 ? caller_policy::wait : caller_policy::own_root;
}

/// Options of a pool with small stacks, so that hundreds of fibers cost little.
inline options options_of(const setting& s, unsigned workers, std::uint64_t seed) {
  return {.workers = workers,
          .idle = s.idle,
          .callers = callers_of(workers, seed),
          .resume = s.resume,
          .promote = s.promote,
          .pin = seed % 2 == 0 ? affinity::pinned : affinity::none,
          .stack_bytes = std::size_t{512} << 10,
          .seed = seed,
          .interrupt = s.interrupt};
}

/// Plays `one(pool, seed, setting, k)` in pools of all settings in turn, `batch` times in each, as long as
/// `more(played)` is true, or for the seconds that the command names. Returns the number of plays.
template <class More, class One>
long play(unsigned workers, const command& c, watchdog& dog, int batch, More more, One one) {
  const double until = c.seconds > 0 ? now() + c.seconds : 0;
  long played = 0;
  std::uint64_t seed = c.seed * 1'000'003;
  for (std::size_t i = 0; until > 0 ? now() < until : more(played); ++i) {
    const setting& s = settings[i % settings.size()];
    pool p{options_of(s, workers, seed)};
    const shown in_sight{dog, p};
    for (int k = 0; k < batch; ++k, ++played) {
      dog.alive(s.name, ++seed);
      one(p, seed, s.name, k);
    }
  }
  return played;
}

}  // namespace tine::stress
