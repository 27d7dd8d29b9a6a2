// What the programs after rayon's issues share: arguments `KIND WORKERS REPETITIONS`, with KIND `tine` or `std`. With `std` they may hang:
// that is the mistake that the issues describe.
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

/// Calls `body(locks, pool)` as often as the arguments say; `body` returns true if its answer is right.
template <class Body>
int run(int argc, char** argv, Body body) {
  const bool uses_std = argc > 1 && std::strcmp(argv[1], "std") == 0;
  tine::options o;
  o.workers = argc > 2 ? unsigned(std::atoi(argv[2])) : 2;
  const long repetitions = argc > 3 ? std::atol(argv[3]) : 2'000;
  tine::pool p{o};
  for (long i = 0; i < repetitions; ++i) {
    if (uses_std ? !body(std_locks{}, p) : !body(tine_locks{}, p)) {
      std::printf("wrong answer in repetition %ld\n", i);
      return 1;
    }
  }
  std::printf("%ld repetitions\n", repetitions);
  return 0;
}

}  // namespace rayon_program
