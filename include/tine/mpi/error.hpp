// The exceptions of tine::mpi.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <stdexcept>
#include <string>

namespace tine::mpi {

/// A call of MPI failed, or MPI does not provide what was asked for. `what()` names the call and has MPI's own
/// description.
///
/// On communicators whose error handler is that of `environment` no call returns an error: the handler ends the job.
class TINE_API error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A function that a team called has thrown, on some rank. Every rank of the team gets the same exception.
class TINE_API team_error : public std::runtime_error {
 public:
  team_error(int rank, const std::string& message);

  /// Returns the rank on which the function has thrown.
  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

}  // namespace tine::mpi
