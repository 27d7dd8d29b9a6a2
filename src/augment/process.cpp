// Describes the process by what the system knows of it.
#include "augment/process.hpp"

#include <tine/detail/base/object_at.hpp>

#include <elf.h>
#include <link.h>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace tine::detail {
namespace {

std::string command_line() {
  std::ifstream file{"/proc/self/cmdline"};
  std::string all{std::istreambuf_iterator<char>{file}, {}};
  while (!all.empty() && all.back() == '\0') all.pop_back();
  std::replace(all.begin(), all.end(), '\0', ' ');
  return all;
}

std::string hexadecimal(const char* bytes, std::size_t n) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// Returns the build id in the notes of a mapped file; an empty text if there is none.
std::string build_id(const dl_phdr_info& file, const ElfW(Phdr) & notes) {
  const char* at = base::from_word<const char>(file.dlpi_addr + notes.p_vaddr);
  const char* const end = at + notes.p_memsz;
  const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) head;
    std::memcpy(&head, at, sizeof head);
    const char* name = at + sizeof head;
    const char* value = name + padded(head.n_namesz);
    if (value + head.n_descsz > end) break;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      return hexadecimal(value, head.n_descsz);
    }
    at = value + padded(head.n_descsz);
  }
  return "";
}

int add_module(dl_phdr_info* file, std::size_t, void* into) {
  trace::module m;
  m.bias = file->dlpi_addr;
  m.path = file->dlpi_name;
  if (m.path.empty()) {
    std::error_code unknown;
    m.path = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  }
  m.begin = ~std::uint64_t{0};
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type == PT_NOTE && m.build_id.empty()) m.build_id = build_id(*file, part);
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    m.begin = std::min<std::uint64_t>(m.begin, file->dlpi_addr + part.p_vaddr);
    m.end = std::max<std::uint64_t>(m.end, file->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if (m.begin < m.end) static_cast<trace::profile*>(into)->modules.push_back(std::move(m));
  return 0;
}

}  // namespace

std::string processor_name() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    return colon != std::string::npos ? line.substr(colon + 2) : "";
  }
  return "";
}

void describe_process(trace::profile& into) {
  into.run.command = command_line();
  into.run.machine = processor_name();
  dl_iterate_phdr(&add_module, &into);
}

}  // namespace tine::detail
