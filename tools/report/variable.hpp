// A variable with static storage: plain data, which debug_info.cpp finds.
#pragma once

#include <cstdint>
#include <string>

namespace tine::report {

/// The variable that contains an address.
struct variable {
  std::string name;  ///< a static local has the name of its function in front; empty if no variable is known there
  std::uint64_t offset = 0;  ///< of the address in the variable, in bytes
  std::uint64_t bytes = 0;   ///< size of the variable
};

}  // namespace tine::report
