// The file of a program that a subcommand is to run.
#pragma once

#include <string>

namespace tine::cli {

/// Returns the path at which execvp(3) finds a program; its name if it finds none.
std::string program_file(const std::string& name);

/// Returns true if the file contains the text. A program contains the names of the libraries that it needs.
bool mentions(const std::string& path, const std::string& text);

/// Says why the dynamic linker preloads nothing into a program; empty if it does. For a script this is about its
/// interpreter. It is empty, too, for a file that cannot be read or that is no program: exec(2) tells then.
std::string why_nothing_is_preloaded(const std::string& path);

}  // namespace tine::cli
