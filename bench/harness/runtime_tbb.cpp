// oneTBB: an arena with as many slots as workers, and as many threads as slots.
#include "harness/runtime.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace bench {
namespace {

class tbb_runtime : public runtime {
 public:
  explicit tbb_runtime(const runtime_options& options)
      : threads_{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(options.workers)},
        stack_{tbb::global_control::thread_stack_size, options.stack_bytes},
        arena_{options.workers} {
    arena_.initialize();
  }

  void run(const std::function<void()>& root) override { arena_.execute(root); }

 private:
  tbb::global_control threads_;
  tbb::global_control stack_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<runtime> start_tbb(const runtime_options& options) { return std::make_unique<tbb_runtime>(options); }

}  // namespace bench
