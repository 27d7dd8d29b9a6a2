// team_counters: what a team has done on one rank. It is a value.
#pragma once

#include <cstdint>

namespace tine::mpi {

/// Totals over the calls of a team that have ended on this rank.
struct team_counters {
  std::uint64_t messages_sent = 0;  ///< of all kinds
  std::uint64_t bytes_sent = 0;     ///< of these messages
  std::uint64_t requests = 0;       ///< requests to random ranks
  std::uint64_t refusals = 0;       ///< requests that were answered without work
  std::uint64_t lifelines = 0;      ///< registrations at lifelines
  std::uint64_t steals = 0;         ///< messages with work that this rank has received
  std::uint64_t given = 0;          ///< tasks and iterations that this rank has sent to others
  std::uint64_t waves = 0;          ///< counts of all work in which this rank has taken part
  std::uint64_t idle_ns = 0;        ///< nanoseconds without work in calls of the team
  std::uint64_t call_ns = 0;        ///< nanoseconds in calls of the team
};

}  // namespace tine::mpi
