// Reads the texts of programs.
#pragma once

#include <string>

namespace tine::cli {

/// Returns the contents of a file, or of standard input for `-`. Throws `refusal` if it cannot be read.
std::string read_program(const std::string& path);

/// Returns the name of a file in messages.
std::string program_name(const std::string& path);

}  // namespace tine::cli
