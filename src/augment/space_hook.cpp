// libtine_space.so: an allocation hook to preload. It replaces the functions of the C library that allocate (operator
// new is built on them), and reports the usable bytes of each block to a listener, as a negative number when the block
// is freed.
//
// It is a library of its own, which shares no symbol with tine. Their only agreement is the environment variable
// TINE_SPACE_LISTENER, "<process id>:<address>" of the word below that holds the listener (space_listener.hpp is the
// other side). So it works with tine linked statically, and does nothing in processes without tine.
//
// All of this code runs on any thread, at any time: before main, in the middle of dlsym, in a child after fork. It
// takes no lock and allocates nothing itself. A block that changes its size counts as one change by the difference.
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

namespace base = tine::base;

using listener = void (*)(std::int64_t bytes) noexcept;

/// The listener, or null. The address of this word is published.
constinit base::atomic<listener> slot{nullptr};

/// True while this thread is in the listener. Allocations of the listener are not counted; otherwise it would be called
/// without end.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool telling = false;

void tell(std::int64_t bytes) noexcept {
  // Acquire pairs with the release of the thread that writes the slot, so that the listener finds the data prepared for
  // it.
  const listener to = slot.load(base::acquire);
  if (to == nullptr || telling || bytes == 0) return;
  const int error = errno;
  telling = true;
  to(bytes);
  telling = false;
  errno = error;
}

std::int64_t size_of(void* block) noexcept { return static_cast<std::int64_t>(malloc_usable_size(block)); }

void* told(void* block) noexcept {
  if (block != nullptr) tell(size_of(block));
  return block;
}

/// The functions that would be called without this library.
struct originals {
  void* (*malloc)(std::size_t);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
};
constinit originals next{};

/// The state of the search for the originals: 0: not begun; 1: in progress; 2: found. The first allocation of a process
/// comes before its second thread.
constinit int found = 0;

template <class F>
void find(F*& function, const char* name) noexcept {
  function = base::function_at<F>(dlsym(RTLD_NEXT, name));
}

/// Returns true if the originals have been found. It is false while dlsym, which may allocate, looks for them.
bool ready() noexcept {
  if (found == 0) [[unlikely]] {
    found = 1;
    find(next.malloc, "malloc");
    find(next.calloc, "calloc");
    find(next.realloc, "realloc");
    find(next.free, "free");
    find(next.memalign, "memalign");
    find(next.aligned_alloc, "aligned_alloc");
    find(next.posix_memalign, "posix_memalign");
    found = 2;
  }
  return found == 2;
}

/// Memory for dlsym. It is never released and never counted, and it is zero from the start.
alignas(16) constinit unsigned char early[1 << 14]{};
constinit std::size_t early_used = 0;

void* early_block(std::size_t size) noexcept {
  const std::size_t rounded = (size + 31) & ~std::size_t{15};  // with 16 bytes in front, for the size
  if (rounded < size || rounded > sizeof early - early_used) return nullptr;
  unsigned char* const at = early + early_used;
  early_used += rounded;
  std::memcpy(at, &size, sizeof size);
  return at + 16;
}
bool is_early(const void* block) noexcept { return base::to_word(block) - base::to_word(&early[0]) < sizeof early; }
std::size_t early_size(const void* block) noexcept {
  std::size_t size = 0;
  std::memcpy(&size, static_cast<const unsigned char*>(block) - 16, sizeof size);
  return size;
}

/// An early block that grows moves to the heap.
void* moved_early(const void* block, std::size_t size) noexcept {
  void* const to = ready() ? told(next.malloc(size)) : early_block(size);
  const std::size_t old = early_size(block);
  if (to != nullptr) std::memcpy(to, block, old < size ? old : size);
  return to;
}

void* resized(void* block, std::size_t size) noexcept {
  if (is_early(block)) return moved_early(block, size);
  if (!ready()) return block == nullptr ? early_block(size) : nullptr;
  const std::int64_t before = size_of(block);
  void* const after = next.realloc(block, size);
  if (after != nullptr) {
    tell(size_of(after) - before);
  } else if (size == 0) {
    tell(-before);  // glibc's realloc to a size of 0 frees the block
  }
  return after;
}

[[gnu::constructor]] void publish() noexcept {
  ready();
  char text[64];
  std::snprintf(text, sizeof text, "%ld:%llx", static_cast<long>(getpid()),
                static_cast<unsigned long long>(base::to_word(&slot)));
  setenv("TINE_SPACE_LISTENER", text, 1);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void* malloc(std::size_t size) noexcept {
  return ready() ? told(next.malloc(size)) : early_block(size);
}

[[gnu::visibility("default")]] void* calloc(std::size_t count, std::size_t size) noexcept {
  if (ready()) return told(next.calloc(count, size));
  std::size_t bytes = 0;
  return __builtin_mul_overflow(count, size, &bytes) ? nullptr : early_block(bytes);
}

[[gnu::visibility("default")]] void* realloc(void* block, std::size_t size) noexcept { return resized(block, size); }

/// Does not call the original, because the original may call realloc, which would count the block twice.
[[gnu::visibility("default")]] void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return resized(block, bytes);
  errno = ENOMEM;
  return nullptr;
}

[[gnu::visibility("default")]] void free(void* block) noexcept {
  if (block == nullptr || is_early(block)) return;
  tell(-size_of(block));
  next.free(block);
}

/// dlsym does not call these three functions, so they need no early memory.
[[gnu::visibility("default")]] void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return ready() ? told(next.memalign(alignment, size)) : nullptr;
}

[[gnu::visibility("default")]] void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return ready() ? told(next.aligned_alloc(alignment, size)) : nullptr;
}

[[gnu::visibility("default")]] int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (!ready()) return ENOMEM;
  const int error = next.posix_memalign(block, alignment, size);
  if (error == 0) told(*block);
  return error;
}

/// These two functions are obsolete, but `free` also frees the blocks that they allocate.
[[gnu::visibility("default")]] void* valloc(std::size_t size) noexcept {
  return memalign(static_cast<std::size_t>(getpagesize()), size);
}
[[gnu::visibility("default")]] void* pvalloc(std::size_t size) noexcept {
  const auto page = static_cast<std::size_t>(getpagesize());
  return memalign(page, (size + page - 1) / page * page);
}

}  // extern "C"
