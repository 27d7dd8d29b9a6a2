// The heap of a program that is linked with the detector: malloc and its relatives. Each block has a head in front, and
// a bit in a map of all addresses of blocks. Any thread may call these functions.
#include "race/heap.hpp"

#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/next_function.hpp"
#include "race/reserved.hpp"
#include "race/shadow.hpp"
#include "race/slots.hpp"

#include "sched/scheduler_time.hpp"

#include <tine/detail/base/atomic.hpp>

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <new>

// NOLINTBEGIN(readability-identifier-naming): names of the C library and of the compiler's runtime
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace tine::detail {
namespace {

struct block_head {
  std::size_t bytes;
  std::uint64_t allocated_at : 48, alignment_shift : 8, is_of_runtime : 1;
};
constexpr std::size_t grain = 16;  // blocks are aligned to it
static_assert(sizeof(block_head) == grain);

// The map has a part for each 4 GiB with blocks in it.
using map_word = base::atomic<std::uint64_t>;
constexpr std::size_t addresses_per_word = 64 * grain;
constexpr unsigned part_bits = 32;
constexpr std::size_t words_of_part = (std::size_t{1} << part_bits) / addresses_per_word;
constinit base::atomic<map_word*> parts[std::size_t{1} << (address_bits - part_bits)] = {};

/// Returns the part with the address; null if there is none.
map_word* part_with(std::uintptr_t address) noexcept {
  // acquire pairs with the release in make_part, so that we see the part's zeros
  return parts[address >> part_bits].load(base::acquire);
}
map_word* make_part(std::uintptr_t address) noexcept {
  if (map_word* const found = part_with(address)) return found;
  auto* const made = static_cast<map_word*>(reserve(words_of_part * sizeof(map_word)));
  if (made == nullptr) return nullptr;
  map_word* before = nullptr;
  // release pairs with the acquire in part_with; acquire with the release of another thread that has made the part
  if (parts[address >> part_bits].compare_exchange_strong(before, made, base::acq_rel, base::acquire)) return made;
  release_reserved(made, words_of_part * sizeof(map_word));
  return before;
}

std::size_t word_of(std::uintptr_t address) noexcept { return address / addresses_per_word % words_of_part; }
std::uint64_t bit_of(std::uintptr_t address) noexcept {
  return std::uint64_t{1} << (address % addresses_per_word / grain);
}
// relaxed: the thread that frees a block got its address from the one that allocated it
bool add_block(std::uintptr_t at) noexcept {
  map_word* const part = make_part(at);
  if (part != nullptr) part[word_of(at)].fetch_or(bit_of(at), base::relaxed);
  return part != nullptr;
}
void remove_block(std::uintptr_t at) noexcept { part_with(at)[word_of(at)].fetch_and(~bit_of(at), base::relaxed); }
bool is_block(const void* block) noexcept {
  const std::uintptr_t at = base::to_word(block);
  if (at % grain != 0 || !shadow::is_covered(at)) return false;
  map_word* const part = part_with(at);
  return part != nullptr && (part[word_of(at)].load(base::relaxed) & bit_of(at)) != 0;
}

block_head& head_of(void* block) noexcept { return static_cast<block_head*>(block)[-1]; }

/// Rounds up to whole words. The bytes behind the block belong to no other one.
std::size_t whole_words(std::size_t bytes) noexcept { return (bytes + 7) & ~std::size_t{7}; }

/// Makes a block that starts `front` bytes behind `memory`.
void* begin_block(void* memory, std::size_t front, std::size_t bytes, std::uintptr_t place) noexcept {
  if (memory == nullptr) return nullptr;
  void* const at = static_cast<std::byte*>(memory) + front;
  const sched::hot_words& h = sched::hot::words();
  const bool by_runtime = h.self != nullptr && h.in_scheduler != 0;
  head_of(at) = {bytes, place & ((std::uintptr_t{1} << 48) - 1), static_cast<unsigned>(std::countr_zero(front)) & 0xff,
                 by_runtime};
  if (!add_block(base::to_word(at))) {
    __libc_free(memory);
    return nullptr;
  }
  shadow::forget(base::to_word(at) - sizeof(block_head), whole_words(bytes) + sizeof(block_head));
  if (const context* const c = checked_context; c != nullptr && chosen_slots(*c) != 0)
    shadow::mark(base::to_word(at), whole_words(bytes), of_worker);
  return at;
}

}  // namespace

void* allocate_block(std::size_t bytes, std::size_t alignment, std::uintptr_t place) noexcept {
  if (bytes > ~std::size_t{0} / 4 || alignment > ~std::size_t{0} / 4) {
    errno = ENOMEM;
    return nullptr;
  }
  if (alignment <= grain) return begin_block(__libc_malloc(bytes + grain), grain, bytes, place);
  return begin_block(__libc_memalign(alignment, bytes + alignment), alignment, bytes, place);
}

void* allocate_zeroed_block(std::size_t count, std::size_t bytes, std::uintptr_t place) noexcept {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all) || all > ~std::size_t{0} / 4) {
    errno = ENOMEM;
    return nullptr;
  }
  return begin_block(__libc_calloc(1, all + grain), grain, all, place);
}

std::size_t block_bytes(void* block) noexcept { return is_block(block) ? head_of(block).bytes : 0; }

void free_block(void* block, std::uintptr_t place) noexcept {
  if (block == nullptr) return;
  if (!is_block(block)) return __libc_free(block);  // the C library allocated it for itself
  const block_head head = head_of(block);
  if (sched::hot::words().in_scheduler == 0) check_range(block, whole_words(head.bytes), access_how::release, place);
  remove_block(base::to_word(block));
  __libc_free(static_cast<std::byte*>(block) - (std::size_t{1} << head.alignment_shift));
}

void* reallocate_block(void* block, std::size_t bytes, std::uintptr_t place) noexcept {
  if (block == nullptr) return allocate_block(bytes, grain, place);
  void* const larger = allocate_block(bytes, grain, place);
  if (larger == nullptr) return nullptr;
  const std::size_t kept = std::min(bytes, block_bytes(block));
  check_range(block, kept, access_how::read, place);
  std::memcpy(larger, block, kept);
  free_block(block, place);
  return larger;
}

void begin_use(const void* where, std::size_t bytes) noexcept {
  if (is_detector_open() && !shadow::forget_exactly(base::to_word(where), bytes))
    found_races::give_up("no memory was left for the shadow of the program's memory");
}

heap_block heap_block_around(std::uintptr_t address) noexcept {
  if (!shadow::is_covered(address)) return {};
  constexpr std::size_t most_words = std::size_t{1} << 24;  // a block of 16 GiB
  std::uintptr_t in = address;                              // an address of the word at which we look
  std::uint64_t wanted = bit_of(address) | (bit_of(address) - 1), bits = 0;
  for (std::size_t i = 0; i < most_words; ++i) {
    const map_word* const part = part_with(in);
    bits = part != nullptr ? part[word_of(in)].load(base::relaxed) & wanted : 0;  // relaxed: as above
    // In a part without blocks the search continues before its start.
    const std::uintptr_t here =
        part != nullptr ? in / addresses_per_word * addresses_per_word : in >> part_bits << part_bits;
    if (bits != 0 || here == 0) break;
    in = here - 1;
    wanted = ~std::uint64_t{0};
  }
  if (bits == 0) return {};
  const std::uintptr_t begin =
      in / addresses_per_word * addresses_per_word + (63 - static_cast<unsigned>(std::countl_zero(bits))) * grain;
  const block_head& head = head_of(base::from_word<void>(begin));
  if (address - begin >= std::max<std::size_t>(head.bytes, 1)) return {};
  return {begin, head.bytes, head.allocated_at, head.is_of_runtime != 0};
}

namespace {

template <class Pool>
using allocate_function = void*(Pool*, std::size_t, std::size_t);
template <class Pool>
using deallocate_function = void(Pool*, void*, std::size_t, std::size_t);

template <class Pool>
void* allocate_in(Pool& pool, std::size_t bytes, std::size_t alignment, const char* name) {
  static allocate_function<Pool>* const next = next_function<allocate_function<Pool>>(name);
  void* const block = next(&pool, bytes, alignment);
  begin_use(block, bytes);
  return block;
}

template <class Pool>
void deallocate_in(Pool& pool, void* block, std::size_t bytes, std::size_t alignment, const char* name,
                   std::uintptr_t place) {
  static deallocate_function<Pool>* const next = next_function<deallocate_function<Pool>>(name);
  check_range(block, bytes, access_how::release, place);
  next(&pool, block, bytes, alignment);
}

}  // namespace
}  // namespace tine::detail

using namespace tine::detail;

extern "C" {

TINE_API void* malloc(std::size_t n) { return allocate_block(n, 1, called_from()); }
TINE_API void* calloc(std::size_t count, std::size_t n) { return allocate_zeroed_block(count, n, called_from()); }
TINE_API void* realloc(void* block, std::size_t n) {
  if (block != nullptr && n == 0) {
    free_block(block, called_from());
    return nullptr;
  }
  return reallocate_block(block, n, called_from());
}
TINE_API void* reallocarray(void* block, std::size_t count, std::size_t n) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, n, &all)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate_block(block, all, called_from());
}
TINE_API void free(void* block) { free_block(block, called_from()); }
TINE_API void* memalign(std::size_t alignment, std::size_t n) { return allocate_block(n, alignment, called_from()); }
TINE_API void* aligned_alloc(std::size_t alignment, std::size_t n) {
  return allocate_block(n, alignment, called_from());
}
TINE_API void* valloc(std::size_t n) { return allocate_block(n, 4096, called_from()); }
TINE_API int posix_memalign(void** to, std::size_t alignment, std::size_t n) {
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  void* const block = allocate_block(n, alignment, called_from());
  if (block == nullptr) return ENOMEM;
  *to = block;
  return 0;
}
TINE_API std::size_t malloc_usable_size(void* block) { return block_bytes(block); }
}

// The pools of the standard library use a block again without a call of free. Their code is in libstdc++.so, and not
// instrumented.
namespace std::pmr {

// A strand that uses this pool beside another one races with it on the pool itself.
TINE_API void* unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  check_range(this, sizeof *this, access_how::write, called_from());
  return allocate_in(*this, bytes, alignment, "_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm");
}
TINE_API void unsynchronized_pool_resource::do_deallocate(void* block, size_t bytes, size_t alignment) {
  check_range(this, sizeof *this, access_how::write, called_from());
  deallocate_in(*this, block, bytes, alignment, "_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm",
                called_from());
}

TINE_API void* synchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  return allocate_in(*this, bytes, alignment, "_ZNSt3pmr26synchronized_pool_resource11do_allocateEmm");
}
TINE_API void synchronized_pool_resource::do_deallocate(void* block, size_t bytes, size_t alignment) {
  deallocate_in(*this, block, bytes, alignment, "_ZNSt3pmr26synchronized_pool_resource13do_deallocateEPvmm",
                called_from());
}

}  // namespace std::pmr
// NOLINTEND(readability-identifier-naming)
