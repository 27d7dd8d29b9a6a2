// The error of an environment variable with a bad value. A plain type.
#pragma once

#include <tine/sched/options.hpp>

#include <stdexcept>

namespace tine::sched {

/// The user has made the mistake, not the program.
class bad_variable : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Returns `resolved(o)`. A bad variable ends the process with its message on standard error and exit code 2.
options resolved_or_exit(const options& o);

}  // namespace tine::sched
