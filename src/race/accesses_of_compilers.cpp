// The functions that compilers call for each access to memory under -fsanitize=thread. Names and arguments are those of
// ThreadSanitizer's runtime, which libtine_race replaces. Any thread calls them.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/contexts.hpp"

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
using namespace tine::detail;
using tine::base::to_word;

extern "C" {

TINE_API void __tsan_func_entry(void*) {}
TINE_API void __tsan_func_exit() {}
TINE_API void __tsan_ignore_thread_begin() { pause_checking(); }
TINE_API void __tsan_ignore_thread_end() { resume_checking(); }

// Volatile accesses are not atomic operations: they race like all others.
#define TINE_ACCESS(bytes, check)                                      \
  TINE_API void __tsan_read##bytes(void* a) { check(false); }          \
  TINE_API void __tsan_write##bytes(void* a) { check(true); }          \
  TINE_API void __tsan_volatile_read##bytes(void* a) { check(false); } \
  TINE_API void __tsan_volatile_write##bytes(void* a) { check(true); } \
  TINE_API void __tsan_read_write##bytes(void* a) { check(true); }

#define TINE_CHECK_1(writes) check_access<writes, 1>(to_word(a))
#define TINE_CHECK_2(writes) check_range(a, 2, writes ? access_how::write : access_how::read, called_from())
#define TINE_CHECK_4(writes) check_access<writes, 4>(to_word(a))
#define TINE_CHECK_8(writes) check_access<writes, 8>(to_word(a))
// Compilers report it also for addresses that are only aligned to 8.
#define TINE_CHECK_16(writes) check_access<writes, 8, 2>(to_word(a))
TINE_ACCESS(1, TINE_CHECK_1)
TINE_ACCESS(2, TINE_CHECK_2)
TINE_ACCESS(4, TINE_CHECK_4)
TINE_ACCESS(8, TINE_CHECK_8)
TINE_ACCESS(16, TINE_CHECK_16)

#define TINE_UNALIGNED(bytes)                                                                                       \
  TINE_API void __tsan_unaligned_read##bytes(void* a) { check_range(a, bytes, access_how::read, called_from()); }   \
  TINE_API void __tsan_unaligned_write##bytes(void* a) { check_range(a, bytes, access_how::write, called_from()); } \
  TINE_API void __tsan_unaligned_volatile_read##bytes(void* a) {                                                    \
    check_range(a, bytes, access_how::read, called_from());                                                         \
  }                                                                                                                 \
  TINE_API void __tsan_unaligned_volatile_write##bytes(void* a) {                                                   \
    check_range(a, bytes, access_how::write, called_from());                                                        \
  }                                                                                                                 \
  TINE_API void __tsan_unaligned_read_write##bytes(void* a) { check_range(a, bytes, access_how::write, called_from()); }
TINE_UNALIGNED(1)
TINE_UNALIGNED(2)
TINE_UNALIGNED(4)
TINE_UNALIGNED(16)

// Mostly these are two words of 4 bytes.
TINE_API void __tsan_unaligned_read8(void* a) { check_access<false, 4, 2>(to_word(a)); }
TINE_API void __tsan_unaligned_write8(void* a) { check_access<true, 4, 2>(to_word(a)); }
TINE_API void __tsan_unaligned_volatile_read8(void* a) { check_access<false, 4, 2>(to_word(a)); }
TINE_API void __tsan_unaligned_volatile_write8(void* a) { check_access<true, 4, 2>(to_word(a)); }
TINE_API void __tsan_unaligned_read_write8(void* a) { check_access<true, 4, 2>(to_word(a)); }

TINE_API void __tsan_read_range(void* a, std::size_t n) { check_range(a, n, access_how::read, called_from()); }
TINE_API void __tsan_write_range(void* a, std::size_t n) { check_range(a, n, access_how::write, called_from()); }

/// The constructor of a base class writes the virtual pointer that the object already has: that changes nothing.
TINE_API void __tsan_vptr_update(void** a, void* value) {
  if (*a != value) check_access<true, 8>(to_word(a));
}
TINE_API void __tsan_vptr_read(void** a) { check_access<false, 8>(to_word(a)); }
}

#undef TINE_ACCESS
#undef TINE_CHECK_1
#undef TINE_CHECK_2
#undef TINE_CHECK_4
#undef TINE_CHECK_8
#undef TINE_CHECK_16
#undef TINE_UNALIGNED
// NOLINTEND(readability-identifier-naming)
