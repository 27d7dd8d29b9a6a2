// A library to preload behind the allocation hook: its dlsym allocates, as the dlsym of some C libraries does, and so
// asks the hook for memory while the hook is still looking for malloc.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace {

/// Allocates memory, uses it and checks its contents. The last block stays allocated.
void allocate() {
  auto* a = static_cast<char*>(std::malloc(100));
  auto* b = static_cast<char*>(std::calloc(10, 10));
  if (a == nullptr || b == nullptr) std::abort();
  for (int i = 0; i < 100; ++i) {
    if (b[i] != 0) std::abort();
  }
  std::memset(a, 7, 100);
  // NOLINTNEXTLINE(bugprone-suspicious-realloc-usage): without memory the test ends
  a = static_cast<char*>(std::realloc(a, 300));
  if (a == nullptr || a[99] != 7) std::abort();
  std::free(a);
}

}  // namespace

/// The dlsym that the process uses, since this library comes before the C library.
extern "C" void* dlsym(void* handle, const char* name) noexcept {
  using function = void* (*)(void*, const char*);
  static const auto original = reinterpret_cast<function>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"));
  if (original == nullptr) std::abort();
  allocate();
  return original(handle, name);
}
