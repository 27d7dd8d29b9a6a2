// The task of a session: what it follows, how, and where it is written.
#pragma once

#include "replay/journal_file.hpp"
#include "replay/perturbation.hpp"

#include <tine/replay/record.hpp>

#include <cstdint>

namespace tine::detail {

struct session_plan {
  const schedule* follow = nullptr;  ///< null: it follows none
  replay_mode how = replay_mode::relaxed;
  bool must_match = false;
  perturbation* perturb = nullptr;                ///< null: none
  journal_root journal{nullptr, 0};               ///< its root in the journal of the process
  journal_event described{};                      ///< of the root, for the journal
  std::uint32_t stop_before = schedule::nothing;  ///< a stamp: a serial replay raises SIGTRAP before this strand
  /// the number of the root, for messages; `nothing`: the program made the session
  std::uint32_t root = schedule::nothing;
};

}  // namespace tine::detail
