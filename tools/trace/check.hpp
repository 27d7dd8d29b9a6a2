// Checks that the tables of a profile agree with each other. Inner header of the reader.
#pragma once

#include "trace/profile.hpp"
#include "trace/row_reader.hpp"

#include <string>

namespace tine::trace {

/// Throws `bad_file` unless every index is in range, parents stand before their children, the dag adds up to its roots,
/// paths add up to their sites, and sites to the roots.
void check(const profile& p, const table_places& places, const std::string& name);

}  // namespace tine::trace
