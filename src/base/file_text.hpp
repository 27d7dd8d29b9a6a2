// The text of a small file, such as those of /sys and /proc. Any thread may read.
#pragma once

#include <optional>
#include <string>

namespace tine::base {

/// Returns what is in the file, or nothing if it cannot be read. A stream would spend thousands of instructions on its
/// locale.
std::optional<std::string> file_text(const std::string& path);

}  // namespace tine::base
