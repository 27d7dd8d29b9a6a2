// What the main functions of the studies share. Exit statuses: 0 all answers are right, 1 one is wrong, 2 a bad option, 3 it could
// not run.
#pragma once

#include <cstdio>
#include <exception>

namespace bench {

/// `run()`, which returns an exit status, as the whole of a program.
template <class Run>
int status_of(const char* name, Run run) {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return 3;
  }
}

}  // namespace bench
