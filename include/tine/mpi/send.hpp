// send: a message to another rank.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>
#include <tine/detail/mpi/counted_type.hpp>

#include <mpi.h>

#include <span>

namespace tine::mpi {
namespace detail {

class send_call : public single_call {
 public:
  send_call(const void* from, counted_type what, int to, int tag, MPI_Comm in) noexcept
      : single_call{"MPI_Isend"}, from_{from}, what_{what}, to_{to}, tag_{tag}, in_{in} {}
  void result() const noexcept {}

 private:
  int start() noexcept final { return MPI_Isend(from_, what_.count, what_.type, to_, tag_, in_, &request_); }

  const void* from_;
  counted_type what_;
  int to_, tag_;
  MPI_Comm in_;
};

}  // namespace detail

/// `co_await tine::mpi::send(data, to)` in a task, or `tine::mpi::send(data, to).get()` in any other code: sends the
/// elements to rank `to` of the communicator, and waits until they may be changed again. Elements are numbers, or of
/// any other type that can be copied as bytes; the other rank must have the same type. Begins when it is awaited. The
/// worker does other work meanwhile.
///
/// Throws std::length_error for more than 2^31 - 1 elements, or bytes if they are no numbers, and what `wait` throws.
/// Thread-safety: may be called on any worker. Messages of one strand to one rank with one tag are received in the
/// order in which it sends them.
template <class T>
auto send(std::span<const T> data, int to, int tag = 0, MPI_Comm in = MPI_COMM_WORLD) {
  return detail::awaitable<detail::send_call>{data.data(), detail::counted<T>(data.size()), to, tag, in};
}
/// Sends one value, which must live until the end of the wait.
template <class T>
  requires std::is_trivially_copyable_v<T>
auto send(const T& value, int to, int tag = 0, MPI_Comm in = MPI_COMM_WORLD) {
  return send(std::span<const T>{&value, 1}, to, tag, in);
}

}  // namespace tine::mpi
