// Progress: the calls of MPI that strands wait for, and the teams that exchange messages. It is the event source of the
// environment's pool.
#pragma once

#include "base/mutex.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/mpi/awaited_call.hpp>
#include <tine/mpi/environment.hpp>
#include <tine/sched/event_source.hpp>

#include <pthread.h>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tine::mpi::detail {

/// Code that looks for messages of its own: a call of a team.
class correspondent {
 public:
  /// Called on every worker that looks for events. `may_call`: the thread may call MPI, and no other thread is in this
  /// function with true.
  virtual void look(bool may_call, sched::event_source::moment when) noexcept = 0;

 protected:
  ~correspondent() = default;
};

/// One for the process; it is never destroyed, because a pool may look at any time.
class progress final : public sched::event_source {
 public:
  static progress& instance() noexcept;

  void look(moment when) noexcept override;
  bool is_open() const noexcept override;

  /// The environment begins and ends. The thread that has initialised MPI calls `begin`.
  void begin(threads allowed, pool& p);
  void end() noexcept { pool_ = nullptr; }
  bool has_begun() const noexcept { return pool_ != nullptr; }
  pool& of() const noexcept { return *pool_; }

  /// Returns true if the calling thread may call MPI.
  bool may_call() const noexcept { return allowed_ == threads::multiple || pthread_equal(pthread_self(), owner_) != 0; }

  /// Returns the name of the function of MPI that tine calls; null if it calls none. Only for the error handler of the
  /// calling thread.
  const char* current_call() const noexcept {
    return current_call_.load(base::relaxed);
  }  // relaxed: own word, or an estimate
  void set_current_call(const char* name) noexcept { current_call_.store(name, base::relaxed); }  // relaxed: as above

  /// Begins the call on this thread, which may call MPI. Returns true if it has ended.
  bool start_here(awaited_call& c) noexcept;
  /// If the call has not begun, the thread begins it that may call MPI. Its requests are tested until the wait has
  /// ended.
  void add(awaited_call& c);

  /// From now on the correspondent looks, and the thread that may call MPI does not sleep, until `remove`. Throws
  /// std::length_error if there are too many.
  void add(correspondent& c);
  void remove(correspondent& c) noexcept;
  /// Has the worker look that calls MPI.
  void request_look_of_owner() noexcept { sched::request_look(home()); }

 private:
  // relaxed, here and below: the word is all that is passed on
  worker_ref home() const noexcept { return std::bit_cast<worker_ref>(home_.load(base::relaxed)); }
  void note_home() const noexcept { home_.store(std::bit_cast<std::uintptr_t>(this_worker()), base::relaxed); }

  struct entry {
    awaited_call* of;
    std::size_t index;
  };
  struct alignas(64) slot {
    base::atomic<correspondent*> who{nullptr};
    base::atomic<int> users{0};  ///< threads that may be in its function
  };

  void admit_incoming();
  void admit(awaited_call& c);
  static bool test_whole(awaited_call& c) noexcept;
  void test_some();
  void test_any();
  void end_request(std::size_t i, int error, const MPI_Status& s) noexcept;
  void remove_entry(std::size_t i) noexcept;
  void end_wait(awaited_call& c) noexcept;
  void let_correspondents_look(bool may_call, moment when) noexcept;

  threads allowed_ = threads::funneled;
  pthread_t owner_{};
  pool* pool_ = nullptr;
  mutable base::atomic<std::uintptr_t> home_{0};  ///< the worker that the owner was when it last looked, as a word

  base::atomic<const char*> current_call_{nullptr};

  base::atomic<int> open_{0};  ///< calls that have not ended, and correspondents
  base::atomic<bool> has_incoming_{false};
  base::mutex incoming_lock_;
  std::vector<awaited_call*> incoming_;

  base::mutex lock_;  ///< held while a thread tests requests, or a correspondent may call MPI
  std::vector<MPI_Request> requests_;
  std::vector<entry> entries_;            ///< of the requests
  std::vector<awaited_call*> any_calls_;  ///< calls that wait for one of their requests
  std::vector<int> ended_;
  std::vector<MPI_Status> statuses_;

  base::atomic<int> correspondents_{0};
  std::array<slot, 32> slots_;
};

}  // namespace tine::mpi::detail
