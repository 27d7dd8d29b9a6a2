// Tasks that can't start at once: they depend on siblings, or they end only when an event is fulfilled. A task whose
// predecessors have ended goes into a task group of tine, from which any worker takes it. In a team that an analysis or
// a schedule follows, the parent forks it when it waits.
//
// For each address we keep two generations of tasks. Tasks of one generation don't wait for each other; each waits for
// all tasks of the generation before. A task with `out`, `inout` or `mutexinoutset` is a generation of its own, so
// tasks of the last kind exclude each other. Tasks with `in`, or `inoutset`, share a generation until another kind
// comes.
// A null address (omp_all_memory) orders a task with all its siblings.
//
// All of it belongs to the task that has made the children, and lives until they have ended. Any strand may end a child
// or fulfil its event; `lock_` guards all members.
#pragma once

#include "task.hpp"

#include <tine/managed/task_group.hpp>
#include <tine/sync/condition_variable.hpp>
#include <tine/sync/mutex.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace tine::openmp {

enum class depend_kind : std::uint8_t { in = 1, out = 2, inout = 3, mutexinoutset = 4, inoutset = 5 };

struct depend_item {
  const void* address;
  depend_kind kind;
};

class dependences {
 public:
  struct child;

  explicit dependences(task& parent) noexcept : parent_{parent} {}
  dependences(const dependences&) = delete;
  dependences& operator=(const dependences&) = delete;
  ~dependences() { group_.wait(); }

  /// Adds a child. If it is deferred, it starts when its predecessors have ended; otherwise `start` must run it.
  std::shared_ptr<child> add(const task_request& q, const std::vector<depend_item>& items, bool is_final,
                             bool is_deferred, void* block);
  /// Waits until the predecessors of a child that isn't deferred have ended, and runs it here.
  void run_here(child& c);

  /// Waits until tasks that these items would have to wait for have ended.
  void wait_for(const std::vector<depend_item>& items);
  void wait_for(taskgroup& g);
  void wait_for_all();

  /// The event of a child is fulfilled; its block of arguments has been freed if it has run.
  static void fulfil(child& c);

 private:
  using lock = std::unique_lock<tine::mutex>;
  struct generation {
    std::vector<std::shared_ptr<child>> before, now;
    depend_kind kind = depend_kind::out;
  };

  void connect(const std::shared_ptr<child>& c, depend_item item);
  void wait_for_ends_of(const std::vector<std::shared_ptr<child>>& others, child& c);
  void start(child& c);
  bool takes_turns() const noexcept;
  void run_in_turn(const std::shared_ptr<child>& c);
  bool is_observed() const noexcept;
  void leave_to_parent(child& c);
  void run(child& c);
  bool run_under(int number, child& c);
  void end_body(child& c, bool has_run);
  static void run_recorded(void* arguments);
  void run_ready(lock& guard);
  void end_part(child& c);
  template <class Condition>
  void sleep_until(lock& guard, Condition is_met);

  task& parent_;
  tine::mutex lock_;
  tine::condition_variable changed_;
  std::unordered_map<const void*, generation> at_;
  std::vector<std::shared_ptr<child>> all_memory_;  ///< what later children wait for, whatever their addresses are
  std::size_t open_ = 0;
  std::vector<child*> ready_;                    ///< children that the parent starts when it waits
  std::vector<std::shared_ptr<child>> dropped_;  ///< cancelled ones, whose events the program may still fulfil
  tine::task_group group_;

  // If the members take turns (turns.hpp), a child runs where it is made, in a set of tasks of the race detector's.
  std::vector<std::uint32_t> sets_;   ///< of the children since the last taskwait
  std::uint32_t plain_set_ = 0;       ///< that of children without dependences; 0: there is none yet
  taskgroup* plain_group_ = nullptr;  ///< the taskgroup of those
};

/// Makes a task with flag_depend or flag_detach. Returns false if it has no event and nothing to wait for, and can be
/// treated like any other.
bool make_dependent_task(task& me, const task_request& q, bool is_final, const std::vector<depend_item>& items);

/// The event of a handle that a program has: a child, or an odd number, the address of an `early_event` plus 1.
void fulfil_event(void* handle);
/// The handle of a task that was cancelled before it was made.
inline void* const no_event = reinterpret_cast<void*>(1);

/// The event of a task that clang has compiled. The program gets it before the task is a child.
struct early_event {
  void* child = nullptr;
  bool is_dropped = false;  ///< there will be no child: its group was cancelled

  void* handle() noexcept { return reinterpret_cast<char*>(this) + 1; }
};

/// Reads the array that gcc passes for depend clauses.
std::vector<depend_item> read_depend(void** depend);

}  // namespace tine::openmp
