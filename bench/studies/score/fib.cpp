// See fib.hpp.
#include "studies/score/fib.hpp"

#include <functional>

namespace bench::score {

[[gnu::noinline]] std::uint64_t plain_fib(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : plain_fib(n - 1) + plain_fib(n - 2);
}

std::uint64_t fib::run(int n) {
  here_ = tine::this_worker();
  kernels_.store(0, std::memory_order_relaxed);
  elsewhere_.store(0, std::memory_order_relaxed);
  return forked(n);
}

[[gnu::noinline]] std::uint64_t fib::forked(int n) {
  if (n <= kernel_) return in_kernel(n);
  return tine::par([=, this] { return forked(n - 1); }, [=, this] { return forked(n - 2); }, std::plus{});
}

[[gnu::noinline]] std::uint64_t fib::in_kernel(int n) {
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

}  // namespace bench::score
