// The exceptions of tine::mpi. Plain values.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <stdexcept>
#include <string>

namespace tine::mpi {

/// A call of MPI failed, or MPI does not provide what we asked for. `what()` names the call and has MPI's own
/// description.
///
/// Where the error handler is that of `environment`, calls don't return errors: the handler ends the job.
class TINE_API error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A function that a team called threw an exception on some rank. Every rank of the team gets the same exception.
class TINE_API team_error : public std::runtime_error {
 public:
  team_error(int rank, const std::string& message);

  /// Returns the rank on which the function threw.
  int rank() const noexcept { return rank_; }

 private:
  int rank_;
};

}  // namespace tine::mpi
