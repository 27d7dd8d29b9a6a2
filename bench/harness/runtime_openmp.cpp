// OpenMP (LLVM's libomp): one parallel region for each run, in which a single thread starts the root and the others,
// waiting at the region's end, execute tasks.
#include "harness/runtime.hpp"

#include "harness/value.hpp"

#include <omp.h>

#include <stdexcept>

namespace bench {
namespace {

class openmp_runtime : public runtime {
 public:
  explicit openmp_runtime(const runtime_options& options) : workers_{options.workers} {
    // libomp starts its threads at the first region; from then on their stacks cannot be changed.
    kmp_set_stacksize_s(options.stack_bytes);
    omp_set_dynamic(0);
    int team = 0;
#pragma omp parallel num_threads(workers_) default(none) shared(team)
#pragma omp single
    team = omp_get_num_threads();
    if (team != workers_)
      throw std::runtime_error{
          format("OpenMP starts {} threads instead of {}; is OMP_THREAD_LIMIT set?", team, workers_)};
  }

  void run(const std::function<void()>& root) override {
#pragma omp parallel num_threads(workers_) default(none) shared(root)
#pragma omp single
    root();
  }

 private:
  int workers_;
};

}  // namespace

std::unique_ptr<runtime> start_openmp(const runtime_options& options) {
  return std::make_unique<openmp_runtime>(options);
}

}  // namespace bench
