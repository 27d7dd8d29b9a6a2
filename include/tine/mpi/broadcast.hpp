// broadcast: elements of one rank for all ranks.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>
#include <tine/detail/mpi/counted_type.hpp>

#include <mpi.h>

#include <span>

namespace tine::mpi {
namespace detail {

class broadcast_call : public single_call {
 public:
  broadcast_call(void* data, counted_type what, int root, MPI_Comm in) noexcept
      : single_call{"MPI_Ibcast"}, data_{data}, what_{what}, root_{root}, in_{in} {}
  void result() const noexcept {}

 private:
  int start() noexcept final { return MPI_Ibcast(data_, what_.count, what_.type, root_, in_, &request_); }

  void* data_;
  counted_type what_;
  int root_;
  MPI_Comm in_;
};

}  // namespace detail

/// `co_await tine::mpi::broadcast(data, root)` in a task, or `tine::mpi::broadcast(data, root).get()` in any other
/// code: gives the elements that rank `root` has in `data` to all ranks of the communicator, which have as many. `send`
/// says what elements may be, and `barrier` what holds for collective operations. Throws what `send` throws.
template <class T>
auto broadcast(std::span<T> data, int root, MPI_Comm in = MPI_COMM_WORLD) {
  return detail::awaitable<detail::broadcast_call>{data.data(), detail::counted<T>(data.size()), root, in};
}
/// Broadcasts one value.
template <class T>
  requires std::is_trivially_copyable_v<T>
auto broadcast(T& value, int root, MPI_Comm in = MPI_COMM_WORLD) {
  return broadcast(std::span<T>{&value, 1}, root, in);
}

}  // namespace tine::mpi
