// Functions of the C library that access memory of the program. Their code is not instrumented, so the detector stands
// in front of them. Any thread may call them.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/next_function.hpp"
#include "race/shadow.hpp"

#include <tine/detail/sched/hot_words.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
using namespace tine::detail;

/// Defines `next`, the function of the C library.
#define TINE_NEXT(name)                                                 \
  static decltype(&::name) found = nullptr;                             \
  if (found == nullptr) found = next_function<decltype(::name)>(#name); \
  const auto next = found

namespace {

/// Returns true if the running thread checks what the program does now.
TINE_ALWAYS_INLINE bool is_checking() noexcept {
  return checked_context != nullptr && tine::sched::hot::words().in_scheduler == 0;
}
TINE_ALWAYS_INLINE void reads(const void* where, std::size_t n, std::uintptr_t place) noexcept {
  if (is_checking()) check_range(where, n, access_how::read, place);
}
TINE_ALWAYS_INLINE void writes_to(void* where, std::size_t n, std::uintptr_t place) noexcept {
  if (is_checking()) check_range(where, n, access_how::write, place);
}
TINE_ALWAYS_INLINE void copies(void* to, const void* from, std::size_t n, std::uintptr_t place) noexcept {
  if (!is_checking()) return;
  const std::uintptr_t target = tine::base::to_word(to), source = tine::base::to_word(from);
  if (context* const c = unlocked_context; c != nullptr && n != 0 && shadow::is_covered(target | source)) [[likely]] {
    check_special<false>(source, n, place, *c);
    return check_special<true>(target, n, place, *c);
  }
  reads(from, n, place);
  writes_to(to, n, place);
}
std::size_t length_of(const char* s, std::size_t most = ~std::size_t{0}) noexcept {
  std::size_t n = 0;
  while (n < most && s[n] != '\0') ++n;
  return n;
}
/// Returns how many bytes of each string a comparison of at most `most` bytes reads.
std::size_t compared(const char* a, const char* b, std::size_t most) noexcept {
  std::size_t n = 0;
  while (n < most && a[n] == b[n] && a[n] != '\0') ++n;
  return n < most ? n + 1 : most;
}

}  // namespace

extern "C" {

// Compilers call these three by their own names and by those of ThreadSanitizer's functions.
#define TINE_COPY(name, library_function)                          \
  TINE_API void* name(void* to, const void* from, std::size_t n) { \
    TINE_NEXT(library_function);                                   \
    copies(to, from, n, called_from());                            \
    return next(to, from, n);                                      \
  }
#define TINE_FILL(name)                                    \
  TINE_API void* name(void* to, int byte, std::size_t n) { \
    TINE_NEXT(memset);                                     \
    writes_to(to, n, called_from());                       \
    return next(to, byte, n);                              \
  }
TINE_COPY(memcpy, memcpy)
TINE_COPY(__tsan_memcpy, memmove)  // for objects that may be the same
TINE_COPY(memmove, memmove)
TINE_COPY(__tsan_memmove, memmove)
TINE_FILL(memset)
TINE_FILL(__tsan_memset)
TINE_API int memcmp(const void* a, const void* b, std::size_t n) {
  TINE_NEXT(memcmp);
  reads(a, n, called_from());
  reads(b, n, called_from());
  return next(a, b, n);
}
TINE_API std::size_t strlen(const char* s) {
  TINE_NEXT(strlen);
  const std::size_t n = next(s);
  reads(s, n + 1, called_from());
  return n;
}
TINE_API int strcmp(const char* a, const char* b) {
  TINE_NEXT(strcmp);
  if (is_checking()) {
    const std::size_t n = compared(a, b, ~std::size_t{0});
    reads(a, n, called_from());
    reads(b, n, called_from());
  }
  return next(a, b);
}
TINE_API int strncmp(const char* a, const char* b, std::size_t most) {
  TINE_NEXT(strncmp);
  if (is_checking()) {
    const std::size_t n = compared(a, b, most);
    reads(a, n, called_from());
    reads(b, n, called_from());
  }
  return next(a, b, most);
}
TINE_API char* strcpy(char* to, const char* from) {
  TINE_NEXT(strcpy);
  if (is_checking()) {
    const std::size_t n = length_of(from) + 1;
    reads(from, n, called_from());
    writes_to(to, n, called_from());
  }
  return next(to, from);
}
TINE_API char* strncpy(char* to, const char* from, std::size_t n) {
  TINE_NEXT(strncpy);
  if (is_checking()) {
    const std::size_t length = length_of(from, n);
    reads(from, length < n ? length + 1 : n, called_from());
    writes_to(to, n, called_from());
  }
  return next(to, from, n);
}
TINE_API char* strcat(char* to, const char* from) {
  TINE_NEXT(strcat);
  if (is_checking()) {
    const std::size_t n = length_of(from) + 1, before = length_of(to);
    reads(from, n, called_from());
    reads(to, before, called_from());
    writes_to(to + before, n, called_from());
  }
  return next(to, from);
}

TINE_API int vsnprintf(char* to, std::size_t n, const char* format, va_list values) {
  TINE_NEXT(vsnprintf);
  const int length = next(to, n, format, values);
  if (length >= 0 && n != 0) writes_to(to, std::min(n, static_cast<std::size_t>(length) + 1), called_from());
  return length;
}
TINE_API int snprintf(char* to, std::size_t n, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(to, n, format, values);
  va_end(values);
  return length;
}
TINE_API int vsprintf(char* to, const char* format, va_list values) {
  TINE_NEXT(vsprintf);
  const int length = next(to, format, values);
  if (length >= 0) writes_to(to, static_cast<std::size_t>(length) + 1, called_from());
  return length;
}
TINE_API int sprintf(char* to, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsprintf(to, format, values);
  va_end(values);
  return length;
}
TINE_API char* fgets(char* to, int n, std::FILE* file) {
  TINE_NEXT(fgets);
  char* const got = next(to, n, file);
  if (got != nullptr) writes_to(to, length_of(got) + 1, called_from());
  return got;
}
TINE_API void qsort(void* items, std::size_t n, std::size_t bytes, int (*compare)(const void*, const void*)) {
  TINE_NEXT(qsort);
  writes_to(items, n * bytes, called_from());
  next(items, n, bytes, compare);
}

TINE_API ssize_t read(int file, void* to, std::size_t n) {
  TINE_NEXT(read);
  const ssize_t got = next(file, to, n);
  if (got > 0) writes_to(to, static_cast<std::size_t>(got), called_from());
  return got;
}
TINE_API ssize_t pread(int file, void* to, std::size_t n, off_t at) {
  TINE_NEXT(pread);
  const ssize_t got = next(file, to, n, at);
  if (got > 0) writes_to(to, static_cast<std::size_t>(got), called_from());
  return got;
}
TINE_API ssize_t write(int file, const void* from, std::size_t n) {
  TINE_NEXT(write);
  reads(from, n, called_from());
  return next(file, from, n);
}
TINE_API ssize_t pwrite(int file, const void* from, std::size_t n, off_t at) {
  TINE_NEXT(pwrite);
  reads(from, n, called_from());
  return next(file, from, n, at);
}
TINE_API std::size_t fread(void* to, std::size_t bytes, std::size_t count, std::FILE* file) {
  TINE_NEXT(fread);
  const std::size_t got = next(to, bytes, count, file);
  writes_to(to, got * bytes, called_from());
  return got;
}
TINE_API std::size_t fwrite(const void* from, std::size_t bytes, std::size_t count, std::FILE* file) {
  TINE_NEXT(fwrite);
  reads(from, bytes * count, called_from());
  return next(from, bytes, count, file);
}

/// No strand has accessed the memory of a new mapping.
TINE_API void* mmap(void* hint, std::size_t n, int protection, int flags, int file, off_t at) {
  TINE_NEXT(mmap);
  void* const where = next(hint, n, protection, flags, file, at);
  if (where != MAP_FAILED) shadow::forget(tine::base::to_word(where), n);
  return where;
}
}

#undef TINE_NEXT
#undef TINE_COPY
#undef TINE_FILL
// NOLINTEND(readability-identifier-naming)
