// Reads the texts of programs.
#include "cli/read_program.hpp"

#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace tine::cli {

std::string read_program(const std::string& path) {
  const auto failed = [&] { throw refusal{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))}; };
  std::FILE* in = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (in == nullptr) failed();
  std::string text;
  char piece[1 << 16];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, in)) != 0;) text.append(piece, n);
  const bool bad = std::ferror(in) != 0;
  if (in != stdin) std::fclose(in);
  if (bad) failed();
  return text;
}

std::string program_name(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace tine::cli
