// barrier: all ranks wait for each other.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>

#include <mpi.h>

namespace tine::mpi {
namespace detail {

class barrier_call : public single_call {
 public:
  explicit barrier_call(MPI_Comm in) noexcept : single_call{"MPI_Ibarrier"}, in_{in} {}
  void result() const noexcept {}

 private:
  int start() noexcept final { return MPI_Ibarrier(in_, &request_); }
  MPI_Comm in_;
};

}  // namespace detail

/// `co_await tine::mpi::barrier()` in a task, or `tine::mpi::barrier().get()` in any other code: waits until all ranks
/// of the communicator have come here. The worker does other work meanwhile. As for every collective operation of MPI,
/// all ranks must begin those of one communicator in the same order: strands that run at the same time use
/// communicators of their own. Throws what `wait` throws.
inline auto barrier(MPI_Comm in = MPI_COMM_WORLD) { return detail::awaitable<detail::barrier_call>{in}; }

}  // namespace tine::mpi
