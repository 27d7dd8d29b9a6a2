// Makes text safe to print: names come from files of any origin, terminals obey control characters, and other tools
// want UTF-8.
#pragma once

#include <string>

namespace tine::cli {

/// Returns `text` with "?" for each control character and for each byte that is not part of well-formed UTF-8.
std::string printable(std::string text);

}  // namespace tine::cli
