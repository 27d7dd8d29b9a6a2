// Replaces the contents of files.
#pragma once

#include <string>
#include <string_view>

namespace tine::cli {

/// Replaces the contents of the file `path`, which exists, or of the file that this link leads to. Other programs see
/// the old contents or the new ones, never a part; the permissions stay. Throws std::system_error if the file cannot be
/// written, which is as it was then.
void replace_file(const std::string& path, std::string_view text);

}  // namespace tine::cli
