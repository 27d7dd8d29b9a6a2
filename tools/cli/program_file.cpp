// Finds the file of a program, and reads the head of its ELF file.
#include "cli/program_file.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

// Returns the object of ELF at a place of a file; nothing if the file ends there.
template <class T>
std::optional<T> read_at(std::istream& in, std::uint64_t offset) {
  std::array<char, sizeof(T)> bytes;
  if (!in.seekg(static_cast<std::streamoff>(offset)) || !in.read(bytes.data(), bytes.size())) return {};
  return std::bit_cast<T>(bytes);
}

// Returns the head of a file of 64-bit ELF. A file of 32 bits has its machine at the same place, too.
std::optional<Elf64_Ehdr> elf_head(std::istream& in) {
  const auto head = read_at<Elf64_Ehdr>(in, 0);
  return head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 ? head : std::nullopt;
}

bool has_interpreter(std::istream& in, const Elf64_Ehdr& head) {
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(in, head.e_phoff + i * std::uint64_t{head.e_phentsize});
    if (segment && segment->p_type == PT_INTERP) return true;
  }
  return false;
}

// Returns the interpreter that a script names in its first line.
std::string interpreter_of(std::istream& in) {
  in.clear();
  in.seekg(0);
  std::string line, name;
  std::getline(in, line);
  if (!line.starts_with("#!")) return {};
  std::istringstream{line.substr(2)} >> name;
  return name;
}

// Returns true if the program gets other rights than this process has, so that it may not be changed from outside.
bool gets_other_rights(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return false;
  const bool other_user = (file.st_mode & S_ISUID) != 0 && file.st_uid != getuid();
  const bool other_group = (file.st_mode & S_ISGID) != 0 && (file.st_mode & S_IXGRP) != 0 && file.st_gid != getgid();
  return other_user || other_group;
}

}  // namespace

std::string program_file(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const folders = std::getenv("PATH");
  std::istringstream all{folders != nullptr ? folders : "/bin:/usr/bin"};
  for (std::string folder; std::getline(all, folder, ':');) {
    const fs::path path = fs::path{folder.empty() ? "." : folder} / name;
    std::error_code unknown;
    if (fs::is_regular_file(path, unknown) && access(path.c_str(), X_OK) == 0) return path.string();
  }
  return name;
}

bool mentions(const std::string& path, const std::string& text) {
  std::ifstream in{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
  return bytes.find(text) != std::string::npos;
}

std::string why_nothing_is_preloaded(const std::string& path) {
  constexpr int most = 5;  // scripts that are the interpreters of scripts; Linux allows as many
  std::string file = path;
  for (int i = 0; i < most; ++i) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) return {};
    std::ifstream in{file, std::ios::binary};
    if (const std::optional<Elf64_Ehdr> head = elf_head(in)) {
      std::ifstream self{"/proc/self/exe", std::ios::binary};
      const std::optional<Elf64_Ehdr> own = elf_head(self);
      if (own && (head->e_machine != own->e_machine || head->e_ident[EI_CLASS] != own->e_ident[EI_CLASS]))
        return file + " is a program for another architecture; use the tine of its architecture";
      if (!has_interpreter(in, *head)) {
        if (mentions(file, "tine: OpenMP: ")) return file + " contains libtine_omp.a; run it by itself";
        return file + " is linked statically; link it dynamically, or with libtine_omp.a";
      }
      if (gets_other_rights(file)) return file + " is setuid or setgid; run a copy that is not";
      return {};
    }
    file = interpreter_of(in);
    if (file.empty()) return {};
  }
  return {};
}

}  // namespace tine::cli
