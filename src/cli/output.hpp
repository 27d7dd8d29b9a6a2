// Where results go: standard output or a file, written whole and checked.
#pragma once

#include <string>
#include <string_view>

namespace tine::cli {

/// Writes to standard output. Throws std::system_error. A reader that has closed the pipe is no error: the rest is not written,
/// and the command ends with the exit code that it would have had.
void print(std::string_view text);

/// Writes to standard error, as much as can be written: that standard error is closed has no place to be reported.
void print_error(std::string_view text) noexcept;

/// Writes to the file `path`, or to standard output if that is empty. Throws as `print`.
void write_to(const std::string& path, std::string_view text);

/// How many columns there are for text: the terminal's, else those of the variable COLUMNS, else 120.
unsigned columns();

}  // namespace tine::cli
