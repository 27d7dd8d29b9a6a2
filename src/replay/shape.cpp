// Finds the shape key of this process, once. Thread-safe.
#include "replay/shape.hpp"

#include <tine/detail/base/object_at.hpp>
#include <tine/replay/record.hpp>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

namespace tine::detail {
namespace {

std::uint64_t hash_of(std::span<const unsigned char> bytes) noexcept {
  std::uint64_t h = 0xcbf29ce484222325;  // FNV-1a
  for (const unsigned char b : bytes) h = (h ^ b) * 0x100000001b3;
  return h | 1;
}

/// Returns the bytes of the build id in the notes at `at`; empty if there is none.
std::span<const unsigned char> build_id_in(const unsigned char* at, std::size_t bytes) noexcept {
  const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
  const unsigned char* const end = at + bytes;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) head;
    std::memcpy(&head, at, sizeof head);
    const unsigned char* const name = at + sizeof head;
    const unsigned char* const value = name + padded(head.n_namesz);
    if (value + head.n_descsz > end) break;
    const bool is_id = head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0;
    if (is_id) return {value, head.n_descsz};
    at = value + padded(head.n_descsz);
  }
  return {};
}

/// Called for the first object of the process, its executable.
int hash_build_id(dl_phdr_info* file, std::size_t, void* into) {
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto id = build_id_in(base::from_word<const unsigned char>(file->dlpi_addr + part.p_vaddr), part.p_memsz);
    if (!id.empty()) *static_cast<std::uint64_t*>(into) = hash_of(id);
  }
  return 1;
}

std::uint64_t hash_of_file() noexcept {
  const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  struct stat about{};
  unsigned char bytes[4096 + sizeof about.st_size];
  const ssize_t n = ::fstat(fd, &about) == 0 ? ::read(fd, bytes + sizeof about.st_size, 4096) : -1;
  ::close(fd);
  if (n < 0) return 0;
  std::memcpy(bytes, &about.st_size, sizeof about.st_size);
  return hash_of({bytes, sizeof about.st_size + static_cast<std::size_t>(n)});
}

}  // namespace

std::uint64_t shape_of_process() noexcept {
  static const std::uint64_t key = [] {
    std::uint64_t found = 0;
    dl_iterate_phdr(&hash_build_id, &found);
    return found != 0 ? found : hash_of_file();
  }();
  return key;
}

void check_shape(const schedule& s) {
  const std::uint64_t here = shape_of_process();
  if (s.shape() == 0 || here == 0 || s.shape() == here) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "tine: the schedule was recorded by another program: its shape key is %016" PRIx64
                ", and that of this program is %016" PRIx64 "; record it again",
                s.shape(), here);
  throw schedule_mismatch{text};
}

}  // namespace tine::detail
