// The options that every benchmark program takes.
#pragma once

#include "harness/program.hpp"

namespace bench {

/// The user's choices.
struct request {
  const variant* chosen = nullptr;  ///< one of the program's variants
  int workers = 1;
  int repeat = 9;
  int passes = 1;
  resume_choice resume = resume_choice::same_thread;
  bool json = false;
  bool serve = false;
};

/// Reads the command line as `options::parse` does. Writes the problem's own parameters to the variables that `add_options` named.
request parse_command_line(const program& program, int argc, char** argv);

}  // namespace bench
