// Deep recursions of every kind: through first and second branches, sporks, loops in loops, and coroutines.
#pragma once

#include <tine/tine.hpp>

#include <cstdint>

namespace tine::test {

/// Frames are larger with sanitizers, and ThreadSanitizer records at most some 65,000 nested calls.
constexpr long deep = TINE_ASAN || TINE_TSAN ? 2'000 : 100'000;

inline std::uintptr_t deepest;  ///< the address of a frame at the end of the last descent

[[gnu::noinline]] inline long ground() {
  deepest = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return 0;
}

inline long sum(long a, long b) { return a + b; }

[[gnu::noinline]] inline long in_first(long n) {
  return n == 0 ? ground() : par([n] { return in_first(n - 1); }, [] { return 1L; }, sum);
}
[[gnu::noinline]] inline long in_second(long n) {
  return n == 0 ? ground() : par([] { return 1L; }, [n] { return in_second(n - 1); }, sum);
}
[[gnu::noinline]] inline long in_spork(long n) {
  const auto one_more = [](long a) { return a + 1; };
  return n == 0 ? ground() : spork([n] { return in_spork(n - 1); }, [] { return 1L; }, one_more, sum, one_more);
}
/// The loop has three iterations, because a loop of a single iteration does not count as a loop.
[[gnu::noinline]] inline long in_loop(long n) {
  const auto step = [n](int i) { return i == 0 ? in_loop(n - 1) : i == 1 ? 1L : 0L; };
  return n == 0 ? ground() : par_reduce(0, 3, 0L, step, sum);
}
inline task<long> in_fork(long n) {
  if (n == 0) co_return ground();
  long below = 0;
  co_await tine::fork<in_fork>(&below, n - 1);
  co_await join;
  co_return below + 1;
}

/// A descent returns the number of its levels.
struct descent {
  const char* name;
  long (*descend)(long);
  long levels;
};
constexpr descent descents[] = {{"first branches", in_first, deep},
                                {"second branches", in_second, deep},
                                {"sporks", in_spork, deep},
                                {"loops in loops", in_loop, deep / 3},
                                {"coroutines", [](long n) { return tine::run(in_fork, n); }, deep}};

}  // namespace tine::test
