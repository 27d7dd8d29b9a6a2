// Writes results to standard output or to a file, whole and checked.
#pragma once

#include <string>
#include <string_view>

namespace tine::cli {

/// Writes to standard output. Throws std::system_error. It is no error if the reader has closed the pipe: the rest is
/// not written, and the command ends with the exit code that it would have had.
void print(std::string_view text);

/// Writes as much of `text` to standard error as it can. Reports no failure, because there is no other place to report
/// it.
void print_error(std::string_view text) noexcept;

/// Writes to the file `path`, or to standard output if `path` is empty. Throws as `print` does.
void write_to(const std::string& path, std::string_view text);

/// Returns the number of columns for text on the stream `fd`: the terminal's width, else the value of the variable
/// COLUMNS, else 120.
unsigned columns(int fd);

}  // namespace tine::cli
