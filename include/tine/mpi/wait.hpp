// wait, wait_all, wait_any: strands that wait for requests of MPI.
#pragma once

#include <tine/detail/mpi/awaited_call.hpp>

#include <mpi.h>

#include <span>
#include <vector>

namespace tine::mpi {
namespace detail {

class wait_call : public single_call {
 public:
  explicit wait_call(MPI_Request& r) noexcept : single_call{"MPI_Wait"}, users_{&r} { requests_ = users_; }
  MPI_Status result() const noexcept { return status_; }

 private:
  int start() noexcept final { return MPI_SUCCESS; }
  MPI_Request* users_;
};

class wait_all_call : public awaited_call {
 public:
  explicit wait_all_call(std::span<MPI_Request> all) : awaited_call{"MPI_Waitall", until::all}, each_(all.size()) {
    requests_ = all.data();
    statuses_ = each_.data();
    count_ = all.size();
  }
  std::vector<MPI_Status> result() noexcept { return std::move(each_); }

 private:
  int start() noexcept final { return MPI_SUCCESS; }
  std::vector<MPI_Status> each_;
};

class wait_any_call : public awaited_call {
 public:
  explicit wait_any_call(std::span<MPI_Request> all) noexcept : awaited_call{"MPI_Waitany", until::one} {
    requests_ = all.data();
    statuses_ = &status_;
    count_ = all.size();
  }
  std::size_t result() const noexcept { return first_ended_; }

 private:
  int start() noexcept final { return MPI_SUCCESS; }
  MPI_Status status_{};
};

}  // namespace detail

/// `co_await tine::mpi::wait(r)` in a task, or `tine::mpi::wait(r).get()` in any other code: waits until the request
/// has ended, and returns its status. The request is then null, or, if it is persistent, inactive. The worker does
/// other work meanwhile. A request that is null has ended.
///
/// With `threads::funneled` only the thread of the environment may start requests; the functions that follow, such as
/// `tine::mpi::send`, start theirs on that thread and may be called on any worker. The request must stay where it is
/// during the wait. Throws `tine::mpi::error` if the communication has failed, and std::logic_error if there is no
/// environment. Thread-safety: any worker may wait.
inline auto wait(MPI_Request& r) { return detail::awaitable<detail::wait_call>{r}; }

/// Waits until all requests have ended, and returns their statuses. As `wait` otherwise.
inline auto wait_all(std::span<MPI_Request> all) { return detail::awaitable<detail::wait_all_call>{all}; }

/// Waits until one of the requests has ended, and returns its index; `all.size()` if all of them are null. The others
/// continue. As `wait` otherwise.
inline auto wait_any(std::span<MPI_Request> all) { return detail::awaitable<detail::wait_any_call>{all}; }

}  // namespace tine::mpi
