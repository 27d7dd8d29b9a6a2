// The rivals' runtimes.
//
// OpenMP: LLVM's libomp with clang, GNU's libgomp with g++. For tasks each run is one parallel region: a single thread
// starts the root, and the other threads wait at the region's end and execute tasks. For loops the root runs outside of
// a region and opens one for each loop.
//
// oneTBB: an arena with as many slots as workers, and as many threads as slots.
#include "harness/runtime.hpp"
#include "harness/value.hpp"

#include <omp.h>
#include <stdexcept>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace bench {
namespace {

class openmp_runtime : public runtime {
 public:
  openmp_runtime(runtime_kind kind, const runtime_options& options)
      : workers_{options.workers}, opens_region_{kind == runtime_kind::openmp} {
    // libomp starts its threads at the first region; from then on their stacks cannot be changed.
    // libgomp has no such function, and reads OMP_STACKSIZE.
#ifdef __clang__
    kmp_set_stacksize_s(options.stack_bytes);
#endif
    omp_set_dynamic(0);
    omp_set_num_threads(workers_);
    int team = 0;
#pragma omp parallel num_threads(workers_) default(none) shared(team)
#pragma omp single
    team = omp_get_num_threads();
    if (team != workers_)
      throw std::runtime_error{
          format("OpenMP starts {} threads instead of {}; is OMP_THREAD_LIMIT set?", team, workers_)};
  }

  void run(const std::function<void()>& root) override {
    if (!opens_region_) return root();
#pragma omp parallel num_threads(workers_) default(none) shared(root)
#pragma omp single
    root();
  }

 private:
  int workers_;
  bool opens_region_;
};

}  // namespace

std::unique_ptr<runtime> start_openmp(runtime_kind kind, const runtime_options& options) {
  return std::make_unique<openmp_runtime>(kind, options);
}

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
