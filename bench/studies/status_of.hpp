// Functions that the main functions of the studies share. Exit statuses: 0 all answers are right, 1 an answer is wrong,
// 2 a bad option, 3 the study could not run.
#pragma once

#include <chrono>
#include <cstdio>
#include <exception>

namespace bench {

/// Runs `run()`, which returns an exit status, as the whole of a program. Returns that status, or 3 if it throws.
template <class Run>
int status_of(const char* name, Run run) {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return 3;
  }
}

/// Runs a `Study` of `o.repeat` rounds as the whole of a program. Returns the exit status.
template <class Study, class Options>
int status_of_rounds(const char* name, const Options& o) {
  return status_of(name, [&] {
    Study study{o};
    for (int i = 0; i < o.repeat; ++i) study.round();
    study.print();
    return study.is_right() ? 0 : 1;
  });
}

template <class F>
double seconds_of(F f) {
  const auto begun = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

}  // namespace bench
