// Small problems for a team, with answers that serial code without tine computes.
#pragma once

#include <tine/mpi.hpp>

#include <cstdint>

namespace tine::test {

/// A run of a case: each throws std::runtime_error with what is wrong if an answer is wrong. All ranks of the team call
/// it with equal arguments.
using team_case = void (*)(tine::mpi::team& team, std::uint64_t seed);

struct named_case {
  const char* name;
  team_case run;
};

extern const named_case team_cases[];
extern const unsigned team_case_count;

}  // namespace tine::test
