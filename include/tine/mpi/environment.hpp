// The environment: MPI from its initialisation to its end, and the worker that makes tine's calls of it.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/sched/pool.hpp>

#include <mpi.h>

namespace tine::mpi {

/// The threads that may call MPI.
enum class threads : unsigned char {
  funneled,  ///< MPI_THREAD_FUNNELED: the thread that has initialised MPI makes all calls, also those for other workers
  multiple,  ///< MPI_THREAD_MULTIPLE: each worker makes its own calls
};

/// MPI, for as long as the object lives. There is at most one at a time; make it first in `main`.
///
///     int main(int argc, char** argv) {
///       tine::mpi::environment mpi{argc, argv};
///       ...
///     }
///
/// A program that is not started by mpirun has one rank. MPI's calls are made by the thread that makes the environment
/// (`threads::funneled`), which must be a worker of the pool while strands wait for MPI: call `tine::run`, or a
/// function of a team, on it. As long as strands wait for MPI, that worker does not sleep: it looks for messages
/// whenever it has no task, and at its forks about every millisecond. It never waits inside MPI. In code that does not
/// fork for long no message moves.
///
/// The environment replaces the error handler of MPI_COMM_WORLD, and so that of communicators that are made of it, by
/// one that ends the job with a sentence that names the rank and the call. An exception that no code catches ends the
/// job with such a sentence, too.
class environment {
 public:
  /// Initialises MPI, unless that has been done. `pool`: whose strands may wait; the default pool if it is null. Throws
  /// `tine::mpi::error` if MPI does not provide these threads, or if MPI was initialised by another thread (funneled),
  /// and std::logic_error if there is an environment already.
  TINE_API environment(int& argc, char**& argv, threads allowed = threads::funneled, pool* pool = nullptr);
  /// Does so without the arguments of the program.
  TINE_API explicit environment(threads allowed = threads::funneled, pool* pool = nullptr);
  /// Ends MPI, if the environment has initialised it. No strand may wait for MPI any more. If an exception unwinds the
  /// stack, ends the job instead, because the other ranks might wait for this one for ever.
  TINE_API ~environment();
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  /// Returns the rank of this process in MPI_COMM_WORLD, and the number of ranks.
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// Returns the pool whose strands may wait for MPI.
  tine::pool& pool() const noexcept { return *pool_; }

 private:
  void begin(int* argc, char*** argv, threads allowed);

  tine::pool* pool_;
  int rank_ = 0;
  int size_ = 1;
  int uncaught_ = 0;  ///< exceptions that unwound the stack at the begin
  bool has_initialised_ = false;
};

}  // namespace tine::mpi
