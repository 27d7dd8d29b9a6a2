// The wait of a strand for calls of MPI. The call begins when the strand waits for it: on the thread that may call MPI.
#pragma once

#include <tine/coro/resumption.hpp>
#include <tine/coro/task.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/coro/way_to_run.hpp>
#include <tine/sched/pool.hpp>

#include <mpi.h>

#include <cstddef>
#include <optional>

namespace tine::mpi::detail {

/// Some requests, for one or all of which a strand waits. It lives until the wait has ended.
class awaited_call {
 public:
  enum class until : unsigned char { one, all };

  awaited_call(const awaited_call&) = delete;
  awaited_call& operator=(const awaited_call&) = delete;

  /// Begins the call, if this thread may call MPI, or has the thread begin it that may. Returns true if the wait has
  /// ended.
  TINE_API bool begin();
  /// The task of `r` waits; it may be resumed before the function returns.
  TINE_API void wait(resumption r) noexcept;
  /// The calling thread, which is outside of the pool or inside tine::sequential, waits.
  TINE_API void block();
  /// Throws tine::mpi::error if a call has failed.
  TINE_API void check() const;

 protected:
  /// `name`: of the function of MPI, for messages.
  awaited_call(const char* name, until how) noexcept : name_{name}, how_{how} {}
  virtual ~awaited_call() = default;

  /// Makes the calls. Returns the error code of MPI. Afterwards the requests are in `requests`, and `statuses` has a
  /// place for each.
  virtual int start() noexcept = 0;

  MPI_Request* requests_ = nullptr;
  MPI_Status* statuses_ = nullptr;
  std::size_t count_ = 0;
  std::size_t first_ended_ = 0;  ///< the index of the request that ended the wait

 private:
  friend class progress;

  void end() noexcept;

  const char* const name_;
  const until how_;
  int error_ = MPI_SUCCESS;
  std::size_t missing_ = 0;  ///< number of requests that have to end; under the lock of `progress`
  bool has_begun_ = false;
  /// The wait has ended, or a task waits: the second of the two to arrive resumes the task.
  base::atomic<unsigned> facts_{0};
  std::optional<resumption> who_;
};

/// A call with one request.
class single_call : public awaited_call {
 protected:
  explicit single_call(const char* name) noexcept : awaited_call{name, until::all} {
    requests_ = &request_;
    statuses_ = &status_;
    count_ = 1;
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_{};
};

/// Returns true if the calling strand may leave its worker.
TINE_API bool may_suspend() noexcept;

/// Makes an awaitable of `Call`, whose `result()` is the result of the wait. `co_await` it in a task, or call `get` in
/// any other code. Either may be done once.
template <class Call>
class [[nodiscard]] awaitable : private Call {
 public:
  using Call::Call;

  bool await_ready() { return this->begin(); }
  void await_suspend(resumption r) noexcept { this->wait(r); }
  decltype(auto) await_resume() {
    this->check();
    return this->result();
  }

  /// Waits and returns the result. The strand leaves its worker to other work. Outside every pool, and inside
  /// `tine::sequential`, the thread itself waits.
  decltype(auto) get() {
    if (may_suspend()) {
      run_waiting();
    } else {
      this->block();
    }
    return await_resume();
  }

 private:
  void run_waiting() {
    if (this->begin()) return;
    tine::run([](awaitable& self) -> task<> { co_await ended{self}; }, *this);
  }
  struct ended {
    awaitable& self;
    bool await_ready() const noexcept { return false; }
    void await_suspend(resumption r) const noexcept { self.wait(r); }
    void await_resume() const noexcept {}
  };
};

}  // namespace tine::mpi::detail
