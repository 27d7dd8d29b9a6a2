// The request that TINE_RECORD, TINE_REPLAY and TINE_PERTURB make, as a value.
#pragma once

#include <tine/replay/record.hpp>

#include <cstdint>
#include <string>

namespace tine::detail {

struct process_request {
  std::string record;  ///< the file to record into; empty: none
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
  std::string replay;  ///< the journal to follow; empty: none
  replay_mode how = replay_mode::strict_ordered;
  bool must_match = false;
  bool by_ends = false;      ///< a serial replay follows the order of ends (ordered_by_ends.hpp)
  bool any_program = false;  ///< don't compare shape keys
  std::uint32_t stop_root = 0;
  std::uint32_t stop_before = schedule::nothing;  ///< a stamp of that root; `nothing`: the replay does not stop
  bool is_perturbed = false;
  std::uint64_t seed = 0;
};

/// Reads the environment. Throws std::invalid_argument if a variable has a bad value.
process_request request_of_environment();

/// Returns true if one of the variables is set.
bool is_anything_requested() noexcept;

}  // namespace tine::detail
