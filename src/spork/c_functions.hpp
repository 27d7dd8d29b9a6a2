// The functions of C that an interpreted program may call. They have no effects, so that every schedule may call them.
#pragma once

#include "spork/value.hpp"

#include <string_view>

namespace tine::spork {

struct c_function {
  std::string_view name;
  std::vector<type> params;
  type result;
  value (*call)(std::span<const value> args);
};

/// Returns null if the interpreter does not know `name`; compiled code may be able to call it nevertheless.
const c_function* find_c_function(std::string_view name);

}  // namespace tine::spork
