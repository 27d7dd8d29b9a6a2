// receive: a message from another rank.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>
#include <tine/detail/mpi/counted_type.hpp>

#include <mpi.h>

#include <span>

namespace tine::mpi {

/// A message that has been received.
struct received {
  int from = MPI_PROC_NULL;  ///< the rank that has sent it
  int tag = 0;               ///< the tag that it has
  std::size_t count = 0;     ///< number of its elements
};

namespace detail {

class receive_call : public single_call {
 public:
  receive_call(void* to, counted_type what, std::size_t bytes_each, int from, int tag, MPI_Comm in) noexcept
      : single_call{"MPI_Irecv"}, to_{to}, what_{what}, bytes_each_{bytes_each}, from_{from}, tag_{tag}, in_{in} {}
  received result() const noexcept {
    int n = 0;
    MPI_Get_count(&status_, what_.type, &n);
    const auto count = static_cast<std::size_t>(n);
    return {status_.MPI_SOURCE, status_.MPI_TAG, what_.type == MPI_BYTE ? count / bytes_each_ : count};
  }

 private:
  int start() noexcept final { return MPI_Irecv(to_, what_.count, what_.type, from_, tag_, in_, &request_); }

  void* to_;
  counted_type what_;
  std::size_t bytes_each_;
  int from_, tag_;
  MPI_Comm in_;
};

}  // namespace detail

/// `co_await tine::mpi::receive(data, from)` in a task, or `tine::mpi::receive(data, from).get()` in any other code:
/// waits for a message of rank `from`, or of any rank if it is MPI_ANY_SOURCE, with this tag, or any if it is
/// MPI_ANY_TAG. Its elements are then in `data`, which must have space for all of them. Returns where the message came
/// from, and its number of elements.
///
/// As `send` otherwise. A message that is too long is an error (MPI_ERR_TRUNCATE).
template <class T>
auto receive(std::span<T> data, int from, int tag = 0, MPI_Comm in = MPI_COMM_WORLD) {
  return detail::awaitable<detail::receive_call>{data.data(), detail::counted<T>(data.size()), sizeof(T), from, tag,
                                                 in};
}
/// Receives one value.
template <class T>
  requires std::is_trivially_copyable_v<T>
auto receive(T& value, int from, int tag = 0, MPI_Comm in = MPI_COMM_WORLD) {
  return receive(std::span<T>{&value, 1}, from, tag, in);
}

}  // namespace tine::mpi
