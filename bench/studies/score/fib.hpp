// Fibonacci numbers by forks, with a sequential kernel for the small ones; one worker may be slower than the other.
#pragma once

#include <tine/managed/par.hpp>

#include <atomic>
#include <cstdint>

namespace bench::score {

class fib {
 public:
  /// Forks above `kernel`. With a `slowness` of k every worker but the one that calls `run` does the kernel's work k times.
  fib(int kernel, int slowness) : kernel_{kernel}, slowness_{slowness} {}

  std::uint64_t run(int n);
  /// How many kernels the last run had, and how many of them were not on the worker that called it.
  std::uint64_t kernels() const noexcept { return kernels_.load(std::memory_order_relaxed); }
  std::uint64_t elsewhere() const noexcept { return elsewhere_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t forked(int n);
  std::uint64_t in_kernel(int n);

  const int kernel_, slowness_;
  tine::worker_ref here_;
  std::atomic<std::uint64_t> kernels_{0}, elsewhere_{0};
};

/// Without forks.
std::uint64_t plain_fib(int n);

}  // namespace bench::score
