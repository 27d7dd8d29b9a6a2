// Where in the source something stands: plain data, which symbols.cpp finds out and everybody shows.
#pragma once

#include <cstddef>
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
  frame at;  ///< the innermost frame that is not tine's own, and not skipped
  std::vector<frame>
      chain;  ///< all frames that were inlined there, and recorded callers; innermost first, tine's own among them
  std::string fallback;             ///< module+0xoffset
  std::vector<frame> callers = {};  ///< those of it, innermost first, as far as they are known and not skipped
  std::size_t shown_callers = 0;    ///< so many of them are part of the name, because it is not unique without

  /// The function without its parameters, or else the fallback; with its shown callers, as in "my_for ← fill".
  std::string name() const;
  /// File and line, as in "fib.cpp:12", without folders; empty if they are not known. Of the outermost shown caller, if there is one.
  std::string short_line() const;
  /// As above with the whole path.
  std::string full_line() const;

 private:
  const frame& named_frame() const { return shown_callers == 0 ? at : callers[shown_callers - 1]; }
};

/// Shows callers of the places that have the same name and line as another one, as many as tell them apart.
void tell_apart(std::vector<place>& places);

}  // namespace tine::report
