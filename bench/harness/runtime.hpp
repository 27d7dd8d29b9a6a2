// The runtimes of the variants behind one interface, which starts the workers once and then runs roots on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace bench {

enum class runtime_kind {
  serial,
  tine,
  tine_heartbeat,  ///< tine with the promotion policy `heartbeat`
  tine_eager,      ///< tine with the promotion policy `eager`: every fork becomes a task at once
  tine_tasks,      ///< tine, for coroutines: their recursion needs no native stack
  tbb,
  openmp,
  openmp_team  ///< OpenMP, whose roots open parallel regions themselves
};

/// The native stack of a worker if the recursion does not use it.
constexpr std::size_t shallow_stack_bytes = std::size_t{256} << 10;

/// The values of tine::resume_policy, in the same order.
enum class resume_choice : unsigned char { same_thread, origin, finisher };

struct runtime_options {
  int workers = 1;
  std::size_t stack_bytes = std::size_t{8} << 20;
  resume_choice resume = resume_choice::same_thread;  ///< of tine's pools
};

/// The counts of events by name, summed over all workers since the start.
using event_counts = std::map<std::string, std::uint64_t>;

/// Workers that are ready to run. The thread that calls `run` is one of them.
class runtime {
 public:
  runtime() = default;
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;
  virtual ~runtime() = default;

  /// Runs `root` so that all workers can take its forks. Returns when `root` and all its forks have ended.
  virtual void run(const std::function<void()>& root) = 0;
  /// Returns the events that the runtime has counted since its start; empty if it counts none.
  virtual event_counts counts() const { return {}; }
  /// Describes the promise that the runtime has broken so far, judged by its counts; empty if it has broken none.
  virtual std::string broken_promise() const { return {}; }
};

/// Starts the workers. Throws std::exception with a message for the user if that fails.
std::unique_ptr<runtime> start_runtime(runtime_kind kind, const runtime_options& options);

/// If the kind is a rival's and this executable has no rivals, replaces the process by the executable that has them,
/// rivals/NAME beside this one, with the same arguments. There are two executables so that tine's variants are not
/// charged with the memory of the rivals' libraries. Throws std::system_error if the other executable does not exist.
void move_to_rivals(runtime_kind kind, char** arguments);

// The functions that start_runtime calls, each in a file of its own.
std::unique_ptr<runtime> start_tine(runtime_kind kind, const runtime_options& options);
[[gnu::weak]] std::unique_ptr<runtime> start_tbb(const runtime_options& options);
[[gnu::weak]] std::unique_ptr<runtime> start_openmp(runtime_kind kind, const runtime_options& options);

}  // namespace bench
