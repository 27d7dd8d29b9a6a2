// Fibonacci numbers by forks, with a sequential kernel for small numbers. All workers but one may be made slower.
#pragma once

#include <tine/managed/par.hpp>

#include <atomic>
#include <cstdint>

namespace bench::score {

class fib {
 public:
  /// Forks for numbers above `kernel`. With a `slowness` of k every worker but the caller of `run` does the kernel's
  /// work k times.
  fib(int kernel, int slowness) : kernel_{kernel}, slowness_{slowness} {}

  std::uint64_t run(int n);
  /// Return the number of kernels of the last run, and the number of those that did not run on the worker that called
  /// `run`.
  std::uint64_t kernels() const noexcept { return kernels_.load(std::memory_order_relaxed); }
  std::uint64_t elsewhere() const noexcept { return elsewhere_.load(std::memory_order_relaxed); }

 private:
  std::uint64_t forked(int n);
  std::uint64_t in_kernel(int n);

  const int kernel_, slowness_;
  tine::worker_ref here_;
  std::atomic<std::uint64_t> kernels_{0}, elsewhere_{0};
};

/// Computes the number without forks.
std::uint64_t plain_fib(int n);

}  // namespace bench::score
