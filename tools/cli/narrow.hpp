// The option --of: which part of the run a subcommand is about.
#pragma once

#include "cli/load.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tine::cli {

/// Adds the option. Its values are `phase:NAME`, `site:PLACE` and `time:FROM..TO`; for a subcommand that `knows_roots`
/// also `process`, which is the default, and `roots`.
void add_of(CLI::App& app, std::vector<std::string>& of, bool knows_roots);

/// Returns true if the time outside of roots is left out.
bool is_of_roots(const std::vector<std::string>& of);

/// Returns what `load` has to look up for `narrow`; `wanted` if nothing more.
symbols symbols_for(const std::vector<std::string>& of, symbols wanted);

/// Makes the profile that of the part of the run, and computes its summary. Several values narrow it one after the
/// other. Throws a refusal or a std::runtime_error if there is no such part.
void narrow(loaded& l, const std::vector<std::string>& of);

/// Returns the sites that the text means, e.g. sort.cpp:40 or the name of a function: several if they differ in their
/// callers only. Throws a refusal if there are none.
std::vector<std::uint32_t> sites_named(const report::summary& s, const std::string& text);

}  // namespace tine::cli
