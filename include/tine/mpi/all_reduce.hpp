// all_reduce: the combination of the elements of all ranks, for all ranks.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>
#include <tine/detail/mpi/counted_type.hpp>

#include <mpi.h>

#include <span>

namespace tine::mpi {
namespace detail {

class all_reduce_call : public single_call {
 public:
  all_reduce_call(void* data, counted_type what, MPI_Op by, MPI_Comm in) noexcept
      : single_call{"MPI_Iallreduce"}, data_{data}, what_{what}, by_{by}, in_{in} {}
  void result() const noexcept {}

 private:
  int start() noexcept final {
    return MPI_Iallreduce(MPI_IN_PLACE, data_, what_.count, what_.type, by_, in_, &request_);
  }

  void* data_;
  counted_type what_;
  MPI_Op by_;
  MPI_Comm in_;
};

}  // namespace detail

/// `co_await tine::mpi::all_reduce(data, MPI_SUM)` in a task, or `tine::mpi::all_reduce(data, MPI_SUM).get()` in any
/// other code: combines the elements at equal places of all ranks by an operation of MPI, and stores the results in
/// `data` on all ranks. Elements must be numbers. `barrier` says what holds for collective operations. Throws what
/// `send` throws.
template <class T>
auto all_reduce(std::span<T> data, MPI_Op by, MPI_Comm in = MPI_COMM_WORLD) {
  static_assert(
      std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>,
      "tine::mpi::all_reduce combines numbers; tine::mpi::team::par_reduce combines values of any type");
  return detail::awaitable<detail::all_reduce_call>{data.data(), detail::counted<T>(data.size()), by, in};
}
/// Combines one value of each rank.
template <class T>
  requires std::is_trivially_copyable_v<T>
auto all_reduce(T& value, MPI_Op by, MPI_Comm in = MPI_COMM_WORLD) {
  return all_reduce(std::span<T>{&value, 1}, by, in);
}

}  // namespace tine::mpi
