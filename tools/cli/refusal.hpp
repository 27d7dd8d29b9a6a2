// The exception that ends a subcommand early.
#pragma once

#include <stdexcept>

namespace tine::cli {

/// Ends the command with `usage_error` (command.hpp) and this message.
struct refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tine::cli
