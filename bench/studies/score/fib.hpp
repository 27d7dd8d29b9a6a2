// Fibonacci numbers by forks, with a sequential kernel for small numbers. All workers but one may be made slower.
#pragma once

#include <tine/managed/par.hpp>

#include <atomic>
#include <cstdint>
#include <functional>

namespace bench::score {

/// Computes the number without forks.
[[gnu::noinline]] inline std::uint64_t plain_fib(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : plain_fib(n - 1) + plain_fib(n - 2);
}

class fib {
 public:
  /// Forks for numbers above `kernel`. With a `slowness` of k every worker but the caller of `run` does the kernel's
  /// work k times.
  fib(int kernel, int slowness) : kernel_{kernel}, slowness_{slowness} {}

  std::uint64_t run(int n) {
    here_ = tine::this_worker();
    kernels_.store(0, std::memory_order_relaxed);
    elsewhere_.store(0, std::memory_order_relaxed);
    return forked(n);
  }
  /// Return the number of kernels of the last run, and the number of those that did not run on the worker that called
  /// `run`.
  std::uint64_t kernels() const noexcept { return kernels_.load(std::memory_order_relaxed); }
  std::uint64_t elsewhere() const noexcept { return elsewhere_.load(std::memory_order_relaxed); }

 private:
  [[gnu::noinline]] std::uint64_t forked(int n) {
    if (n <= kernel_) return in_kernel(n);
    return tine::par([=, this] { return forked(n - 1); }, [=, this] { return forked(n - 2); }, std::plus{});
  }

  [[gnu::noinline]] std::uint64_t in_kernel(int n) {
    const bool is_elsewhere = tine::this_worker() != here_;
    kernels_.fetch_add(1, std::memory_order_relaxed);
    if (is_elsewhere) elsewhere_.fetch_add(1, std::memory_order_relaxed);
    const int times = is_elsewhere ? slowness_ : 1;
    std::uint64_t sum = 0;
    for (int i = 0; i < times; ++i) {
      asm volatile("" : "+r"(n));  // the compiler must assume another number, so it cannot reuse a result
      sum += plain_fib(n);
    }
    return sum / static_cast<std::uint64_t>(times);
  }

  const int kernel_, slowness_;
  tine::worker_ref here_;
  std::atomic<std::uint64_t> kernels_{0}, elsewhere_{0};
};

}  // namespace bench::score
