// The functions of C that the compiler knows: an interpreted program may call them. They are pure, so that every
// schedule may call them.
#pragma once

#include "ir/diagnostic.hpp"
#include "ir/value.hpp"

#include <string_view>
#include <vector>

namespace tine::spork {

/// Functions of the runtime library of Parallel ML that the interpreter knows, too, although they are not pure. Their
/// argument is a string, as `tine_ml_print` takes it: the number of its bytes, and behind that cell the bytes. The
/// first prints it, the second traps with it.
inline constexpr std::string_view printing = "tine_ml_print", uncaught = "tine_ml_uncaught";

struct c_function {
  std::string_view name;
  std::vector<type> params;
  type result;
  value (*call)(std::span<const value> args);
  const char* intrinsic = nullptr;  ///< LLVM's name of the operation, if the function is one whose result is exact
};

/// Returns the function that `declared` declares. Returns null if the interpreter does not know that name, or knows it
/// with other types; compiled code may be able to call it nevertheless.
const c_function* find_c_function(const function& declared);

/// Returns a warning for each function of C that is declared with types that it does not have. Compiled code passes its
/// arguments in registers in which the function does not look.
diagnostics warnings_of(const program& p);

/// Returns true if `s` may be computed twice, or not at all: it is a pure operation, or calls a function of C that is
/// declared as pure or known.
bool is_pure(const program& p, const statement& s);

}  // namespace tine::spork
