// spawner: adds tasks to a reduction of a team.
#pragma once

#include <tine/detail/mpi/level.hpp>

#include <utility>

namespace tine::mpi {

/// Given to the function that runs a task of type `Task` (`team::reduce`), for the time of its call. Only the strand
/// that runs the function may use it.
template <class Task>
class spawner {
 public:
  explicit spawner(detail::task_list<Task>& to) noexcept : to_{to} {}
  spawner(const spawner&) = delete;
  spawner& operator=(const spawner&) = delete;

  /// Adds a task. It begins after the function has returned, on this rank or another one. At one worker, tasks of one
  /// function run in the order of these calls.
  void spawn(Task task) { to_.emplace_back(std::move(task)); }

 private:
  detail::task_list<Task>& to_;
};

}  // namespace tine::mpi
