// What TINE_PROFILE asks for, and the variables beside it.
#pragma once

#include "augment/resolution.hpp"

#include <csignal>
#include <cstdint>
#include <string>

namespace tine::detail {

struct asked_profile {
  std::uint32_t analyses = 0;                     ///< bits of trace::analysis; 0: nothing is profiled
  std::string path;                               ///< where the profile goes; `%p` stands for the process id
  std::uint64_t threshold = 100'000;              ///< nanoseconds: what has less work is only counted, to begin with
  std::uint64_t max_bytes = usual_profile_bytes;  ///< of the file, without modules and sites
  std::uint64_t every = 0;                        ///< nanoseconds between snapshots; 0: none
  int snapshot_signal = SIGUSR2;                  ///< asks for a snapshot; 0: none does
  unsigned callers = 0;                           ///< return addresses to record above that of each site
};

/// Reads `text`, of the form `work,span,grain,space,trace:/path`: one or more analyses, and perhaps where the profile goes;
/// `tine-%p.profile` if it does not say. Throws std::invalid_argument that names what is wrong.
asked_profile parse_asked(const std::string& text);

/// Reads the setting NAME of the variable TINE_PROFILE_NAME into `into`: THRESHOLD and EVERY, times as 100us or 10s; MAX_SIZE, as
/// 16MiB; SIGNAL, as USR2, 12 or none; CALLERS, a number. Throws as above.
void parse_setting(asked_profile& into, const std::string& name, const std::string& text);

/// All of these from the environment. Its analyses are 0 if TINE_PROFILE is not set. Throws as above.
asked_profile asked_of_environment();

}  // namespace tine::detail
