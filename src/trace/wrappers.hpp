// The functions that fork and loop for their caller: those of tine, of the standard library and of other libraries, and
// those that a program names by TINE_WRAPPERS. The site of a fork is the first function outside of them. Pure
// functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tine::trace {

/// A namespace, class or function that a program names by TINE_WRAPPERS.
struct named_wrapper {
  std::string name;    ///< such as "my::loops"
  std::string header;  ///< the file with that line, as the compiler was given it
};

/// The section of an executable with the names.
inline constexpr std::string_view wrappers_section = "tine_wrappers";

/// Appends the wrappers that a section with these contents names, each once.
void read_wrappers(std::string_view section, std::vector<named_wrapper>& to);

/// Namespaces whose functions are wrappers in every program.
inline constexpr std::string_view known_wrappers[] = {"tine", "std",    "__gnu_cxx", "__pstl",
                                                      "tbb",  "oneapi", "omp",       "parlay"};

/// Returns true if a symbol is that of a function of tine itself, which calls the program's branches and bodies.
bool is_symbol_of_tine(std::string_view symbol) noexcept;

/// Returns true if a symbol is that of a function of a wrapper, or of a local class in it, such as a lambda. A
/// template's function belongs to the template, whatever its arguments.
bool is_wrapper_symbol(std::string_view symbol, std::span<const named_wrapper> named) noexcept;

/// As above for a readable name, such as "my::loops::each<int>(int)".
bool is_wrapper_name(std::string_view name, std::span<const named_wrapper> named) noexcept;

}  // namespace tine::trace
