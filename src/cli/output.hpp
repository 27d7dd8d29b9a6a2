// Where results go: standard output or a file, written whole and checked.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace tine::cli {

/// Nobody reads standard output any more; not an error.
struct closed_pipe : std::exception {
  const char* what() const noexcept override { return "standard output was closed"; }
};

/// Writes to standard output. Throws `closed_pipe`, or std::system_error.
void print(std::string_view text);

/// Writes to the file `path`, or to standard output if that is empty. Throws as `print`.
void write_to(const std::string& path, std::string_view text);

/// How many columns there are for text: the terminal's, else those of the variable COLUMNS, else 120.
unsigned columns();

}  // namespace tine::cli
