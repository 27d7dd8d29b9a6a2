// The code of wrappers (trace/wrappers.hpp) in this process. One thread at a time may use it.
#pragma once

#include <cstdint>

namespace tine::detail {

enum class owner : std::uint8_t {
  program,
  unnamed,  ///< the function has no symbol; it counts as the program's
  wrapper,  ///< a function that forks or loops for its caller
  runtime,  ///< tine: such a function, or one that calls the branches and bodies of the program
};

/// Returns to whom the function with this instruction belongs, by the name of its symbol. The first call, and the first
/// one for a library that was loaded since then, read symbol tables.
owner owner_of(std::uintptr_t instruction);

}  // namespace tine::detail
