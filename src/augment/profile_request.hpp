// The settings of a profile in the environment: TINE_PROFILE, and the variables beside it.
#pragma once

#include "augment/resolution.hpp"

#include <csignal>
#include <cstdint>
#include <string>

namespace tine::detail {

/// The threshold of the sampled analysis in nanoseconds, unless another one is asked for.
inline constexpr std::uint64_t usual_longest_skipped = 1'000'000;

struct profile_request {
  std::uint32_t analyses = 0;                     ///< bits of trace::analysis; 0: nothing is profiled
  bool is_strict = false;                         ///< a check was asked for in its stricter form
  std::string path;                               ///< the file of the profile; `%p` stands for the process id
  std::uint64_t threshold = 100'000;              ///< nanoseconds of work; at first, less work is only counted
  std::uint64_t max_bytes = usual_profile_bytes;  ///< the size of the file, without modules and sites
  std::uint64_t every = 0;                        ///< nanoseconds between snapshots; 0: none
  int snapshot_signal = SIGUSR2;                  ///< the signal that asks for a snapshot; 0: none
  std::uint64_t longer_than = 10'000'000;         ///< nanoseconds; the lock checker reports waits that take longer
  std::uint64_t last = 0;                         ///< nanoseconds at the end of the run that a timeline shows; 0: all
  bool samples = true;                            ///< samples threads outside of roots
  unsigned callers = 0;                           ///< return addresses to record above that of each site
};

/// Reads `text`, of the form `work,span,grain,space,trace:/path`: one or more analyses, and optionally the file of the
/// profile, which is `tine-%p.profile` by default. A check stands alone, or with its stricter form: `race`, or
/// `race,determinism`. Throws std::invalid_argument that names the error.
profile_request parse_profile_request(const std::string& text);

/// Reads the setting NAME of the variable TINE_PROFILE_NAME into `into`: THRESHOLD, EVERY, LAST and LONGER_THAN, times
/// such as 100us or 10s; MAX_SIZE, such as 16MiB; SIGNAL, such as USR2, 12 or none; CALLERS, a number; SAMPLING, on or
/// off. Throws std::invalid_argument that names the error.
void parse_setting(profile_request& into, const std::string& name, const std::string& text);

/// Returns true if threads may be sampled: TINE_PROFILE_SAMPLING isn't off, and the process doesn't run under valgrind.
/// There a sampled signal ends the process if it comes while libraries are loaded, and times say nothing anyhow.
bool may_sample() noexcept;

/// Reads all of these from the environment. The analyses are 0 if TINE_PROFILE is not set. Throws std::invalid_argument
/// that names the error.
profile_request profile_request_of_environment();

}  // namespace tine::detail
