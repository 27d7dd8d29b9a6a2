// The common part of the programs after rayon's issues. They have the arguments `KIND WORKERS REPETITIONS`, with KIND
// `tine` or `std`. With `std` they may hang: that is the mistake that the issues describe.
#pragma once

#include <tine/sync.hpp>
#include <tine/tine.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>

namespace rayon_program {

struct tine_locks {
  using mutex = tine::mutex;
  using shared_mutex = tine::shared_mutex;
};
struct std_locks {
  using mutex = std::mutex;
  using shared_mutex = std::shared_mutex;
};

/// Takes about a microsecond, so that a worker has time to steal.
inline void work() {
  for (int i = 0; i < 1'000; ++i) asm volatile("");
}

/// Calls `f(i)` for each i from `lo` up to `hi`, each in a branch of its own: short loops are not split.
template <class F>
void each(int lo, int hi, const F& f) {
  if (hi - lo == 1) {
    f(lo);
    return;
  }
  const int middle = lo + (hi - lo) / 2;
  tine::par([&] { each(lo, middle, f); }, [&] { each(middle, hi, f); });
}

/// Returns n, in n branches.
inline long count(int n) {
  if (n == 1) {
    work();
    return 1;
  }
  long left = 0;
  long right = 0;
  tine::par([&] { left = count(n / 2); }, [&] { right = count(n - n / 2); });
  return left + right;
}

/// Calls `body(locks)` as often as the arguments say; `body` returns true if its answer is right.
template <class Body>
int run(int argc, char** argv, Body body) {
  const bool uses_std = argc > 1 && std::strcmp(argv[1], "std") == 0;
  tine::options o;
  o.workers = argc > 2 ? unsigned(std::atoi(argv[2])) : 2;
  const long repetitions = argc > 3 ? std::atol(argv[3]) : 2'000;
  o.promote = tine::promotion::eager();  // each fork can be stolen at once, so that branches meet on one worker
  tine::pool p{o};
  long wrong = 0;
  p.run([&] {
    for (long i = 0; i < repetitions; ++i) wrong += uses_std ? !body(std_locks{}) : !body(tine_locks{});
  });
  if (wrong != 0) {
    std::printf("%ld wrong answers\n", wrong);
    return 1;
  }
  std::printf("%ld repetitions\n", repetitions);
  return 0;
}

}  // namespace rayon_program
