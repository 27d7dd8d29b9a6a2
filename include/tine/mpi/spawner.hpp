// spawner: adds tasks to a team's reduction.
#pragma once

#include <tine/detail/mpi/level.hpp>

#include <utility>

namespace tine::mpi {

/// A function that runs a task of type `Task` gets one (`team::reduce`), which is valid during its call. Only the
/// strand that runs the function may use it.
template <class Task>
class spawner {
 public:
  explicit spawner(detail::task_list<Task>& to) noexcept : to_{to} {}
  spawner(const spawner&) = delete;
  spawner& operator=(const spawner&) = delete;

  /// Adds a task. It starts after the function has returned, on this rank or another one. A single worker runs the
  /// tasks of one function in the order of these calls.
  void spawn(Task task) { to_.emplace_back(std::move(task)); }

 private:
  detail::task_list<Task>& to_;
};

}  // namespace tine::mpi
