// A place in the source: plain data, which resolve_sites.cpp finds and all reports show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tine::report {

/// Returns text such as 0x1f. We show it for an address if nothing else is known about it.
std::string hexadecimal(std::uint64_t number);

/// A function in the source, and a line in it.
struct frame {
  std::string function;         ///< demangled; empty if it is not known
  std::string file;             ///< empty if it is not known
  std::uint32_t line = 0;       ///< 0: not known
  bool has_whole_name = false;  ///< the name was mangled, so it has its namespaces
};

/// Returns the part of a function's name before the first template's or function's arguments. For a lambda this is the
/// function around it.
std::string without_arguments(const std::string& function);

/// The source of the code at an address.
struct place {
  frame at;  ///< the innermost frame that is not tine's own, and not skipped
  std::vector<frame>
      chain;  ///< all frames that were inlined there, and recorded callers; innermost first, tine's own among them
  std::string fallback;             ///< module+0xoffset
  std::vector<frame> callers = {};  ///< callers of `at`, innermost first, as far as known and not skipped
  std::size_t shown_callers = 0;    ///< number of callers in the name, which is not unique without them

  /// Returns the function without its parameters, or else the fallback; with its shown callers, as in "my_for ← fill".
  std::string name() const;
  /// Returns file and line, as in "fib.cpp:12", without folders; an empty string if they are not known. If callers are
  /// shown, these are the file and line of the outermost shown caller.
  std::string short_line() const;
  /// Returns the same as `short_line`, with the whole path.
  std::string full_line() const;

 private:
  const frame& named_frame() const { return shown_callers == 0 ? at : callers[shown_callers - 1]; }
};

/// Shows callers of the places that have the same name and line as another place, as many as distinguish them.
void tell_apart(std::vector<place>& places);

}  // namespace tine::report
