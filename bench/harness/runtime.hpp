// The runtimes that variants fork in, behind one interface: start the workers once, then run roots on them.
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
  tine_eager,      ///< tine with the promotion policy `eager`: every fork a task at once
  tine_tasks,      ///< tine, for coroutines: their recursion needs no native stack
  tbb,
  openmp,
  openmp_team  ///< OpenMP, whose roots open parallel regions themselves
};

/// What a worker has of native stack where the recursion is elsewhere.
constexpr std::size_t shallow_stack_bytes = std::size_t{256} << 10;

/// tine::resume_policy, in its order.
enum class resume_choice : unsigned char { same_thread, home, finisher };

struct runtime_options {
  int workers = 1;
  std::size_t stack_bytes = std::size_t{8} << 20;
  resume_choice resume = resume_choice::same_thread;  ///< of tine's pools
};

/// Events by name, summed up over all workers since the start.
using event_counts = std::map<std::string, std::uint64_t>;

/// Workers that are ready to run. The thread that calls `run` is one of them.
class runtime {
 public:
  runtime() = default;
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;
  virtual ~runtime() = default;

  /// Runs `root` where its forks can go to all workers; returns when it and all it forked is finished.
  virtual void run(const std::function<void()>& root) = 0;
  /// What the runtime counted since it started; empty if it counts nothing.
  virtual event_counts counts() const { return {}; }
  /// Which of its promises the runtime has broken so far, by those counts; empty if none.
  virtual std::string broken_promise() const { return {}; }
};

/// Starts the workers. Throws std::exception with a message for the user if that fails.
std::unique_ptr<runtime> start_runtime(runtime_kind kind, const runtime_options& options);

/// If the kind is a rival's and this executable has none of them, so that their libraries are no part of what tine's
/// variants are charged with: goes on as the executable that has, rivals/NAME beside this one, with the same arguments.
/// Throws std::system_error if there is none.
void move_to_rivals(runtime_kind kind, char** arguments);

// The makers behind start_runtime, one file each.
std::unique_ptr<runtime> start_tine(runtime_kind kind, const runtime_options& options);
[[gnu::weak]] std::unique_ptr<runtime> start_tbb(const runtime_options& options);
[[gnu::weak]] std::unique_ptr<runtime> start_openmp(runtime_kind kind, const runtime_options& options);

}  // namespace bench
