// What the main functions of the studies share. Exit statuses: 0 all answers are right, 1 one is wrong, 2 a bad option, 3 it could
// not run.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace bench {

/// Ends the program if the command line only asks for help, or is wrong.
inline void parse_or_exit(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::exit(app.exit(e) == 0 ? 0 : 2);
  }
}

/// `run()`, which returns an exit status, as the whole of a program.
template <class Run>
int status_of(const char* name, Run run) {
  try {
    return run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}: {}\n", name, e.what());
    return 3;
  }
}

}  // namespace bench
