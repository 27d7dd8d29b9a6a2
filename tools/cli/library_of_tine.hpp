// The files that the tine command needs beside itself.
#pragma once

#include <string>

namespace tine::cli {

/// Returns the path of a library of tine, such as "libtine_space.so": in the build folder of this command, or where
/// both are installed. Returns an empty string if it is in neither.
std::string library_of_tine(const std::string& file);

/// Returns the path of a library that `user`, as in "the analysis `space`", preloads. Throws refusal, with the target
/// that builds the library and the component that installs it, if there is no such library or the dynamic linker
/// cannot preload it.
std::string library_to_preload(const std::string& user, const std::string& target, const std::string& component);

/// Puts a library in front of those that this process's environment asks to preload.
void add_to_preloaded(const std::string& library);

}  // namespace tine::cli
