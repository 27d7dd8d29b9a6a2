// Delays the messages of MPI in a test: functions of MPI that stand in front of the library's (PMPI).
#pragma once

#include <cstdint>

namespace tine::test {

/// From now on a message of a team is found `least_us` to `most_us` microseconds after it has come, each by a time of
/// its own, so that messages of different ranks overtake each other; those of one rank stay in order. Tests of requests
/// fail at random, as if the transfer took longer. 0, 0: no delays.
void delay_messages(std::uint64_t seed, unsigned least_us, unsigned most_us);

/// Returns the number of messages that were delayed.
std::uint64_t delayed_messages();

}  // namespace tine::test
