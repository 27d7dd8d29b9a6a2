// Memory of the detector, by system calls. Thread-safe.
#include "race/reserved.hpp"

#include <tine/detail/base/object_at.hpp>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tine::detail {

// System calls instead of the C library's functions, because the detector replaces mmap and munmap.
void* reserve(std::size_t bytes) noexcept {
  const long at =
      syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == -1) return nullptr;
  auto* const where = base::from_word<void>(static_cast<std::uintptr_t>(at));
  madvise(where, bytes, MADV_DONTDUMP);
  return where;
}

void release_reserved(void* where, std::size_t bytes) noexcept {
  if (where != nullptr) syscall(SYS_munmap, where, bytes);
}

void clear_reserved(void* where, std::size_t bytes) noexcept { madvise(where, bytes, MADV_DONTNEED); }

}  // namespace tine::detail
