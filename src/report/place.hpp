// Where in the source something stands: plain data, which symbols.cpp finds out and everybody shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tine::report {

/// As in 0x1f; what is shown of an address that nothing is known about.
std::string hexadecimal(std::uint64_t number);

/// A function in the source, and a line in it.
struct frame {
  std::string function;    ///< demangled; empty if it is not known
  std::string file;        ///< empty if it is not known
  std::uint32_t line = 0;  ///< 0: not known
};

/// What stands at an address.
struct place {
  frame at;                  ///< the innermost frame that is not tine's own
  std::vector<frame> chain;  ///< all frames that were inlined there, innermost first, tine's own among them
  std::string fallback;      ///< module+0xoffset

  /// The function without its parameters, or else the fallback.
  std::string name() const;
  /// File and line, as in "fib.cpp:12", without folders; empty if they are not known.
  std::string short_line() const;
  /// As above with the whole path.
  std::string full_line() const;
};

}  // namespace tine::report
