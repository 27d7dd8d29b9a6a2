// Man pages in roff, with the macros of man(7).
#pragma once

#include "cli/command_tree.hpp"

#include <string>

namespace tine::cli {

/// Returns the name of the man page of `c`, "tine-report" for `tine report`.
std::string man_page_name(const described_command& c);

/// Returns the man page of tine with the list of its verbs, or that of a verb with the verbs below it.
std::string man_page(const described_command& c);

}  // namespace tine::cli
