// The pools that the stress programs try: policies from gentle to absurd, lazy and busy.
#pragma once

#include <tine/tine.hpp>

#include <array>

namespace tine::stress {

/// A way to set up a pool, with a name for messages.
struct setting {
  const char* name;
  promotion promote;
  idle_policy idle = idle_policy::lazy;
  bool interrupt = true;
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
};

/// Options of a pool with small stacks, so that hundreds of fibers cost little.
inline options options_of(const setting& s, unsigned workers, std::uint64_t seed) {
  return {.workers = workers,
          .idle = s.idle,
          .promote = s.promote,
          .pin = seed % 2 == 0 ? affinity::pinned : affinity::none,
          .stack_bytes = std::size_t{512} << 10,
          .seed = seed,
          .interrupt = s.interrupt};
}

}  // namespace tine::stress
