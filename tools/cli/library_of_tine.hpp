// The files that the tine command needs beside itself.
#pragma once

#include <string>

namespace tine::cli {

/// Returns the path of a library of tine, such as "libtine_space.so": in the build folder of this command, or where
/// both are installed. Returns an empty string if it is in neither.
std::string library_of_tine(const std::string& file);

}  // namespace tine::cli
