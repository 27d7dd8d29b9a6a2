// Fibers on Boost.Context's lowest level, which switches stacks and nothing else. We save exception state here: newer
// versions of Boost do that, too, but above this level, and doing it twice corrupts it. A fiber belongs to the thread
// that runs it; the store of fibers is thread-safe.
#include "sched/fiber.hpp"

#include "base/fp_environment.hpp"
#include "base/interrupted.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cxxabi.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#if TINE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if TINE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace tine::sched {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

// <cxxabi.h> declares __cxa_get_globals const, so a compiler may keep its result over a switch. But after the switch we
// may be on another thread, with other globals. Therefore these functions are out of line and have barriers, and call
// it anew each time.
TINE_NOINLINE void save_exceptions(context& c) noexcept {
  base::signal_fence();
  std::memcpy(c.exceptions, abi::__cxa_get_globals(), sizeof c.exceptions);
  base::signal_fence();
}

void announce_switch([[maybe_unused]] context& from, [[maybe_unused]] const context& to) noexcept {
#if TINE_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
#endif
#if TINE_TSAN
  from.tsan_fiber = __tsan_get_current_fiber();  // sets it for a thread's own context
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
}

/// Call it on the new stack. `fake_stack`: the value that was stored when this stack was last left; null the first
/// time.
void announce_arrival([[maybe_unused]] void* fake_stack, [[maybe_unused]] context& from) noexcept {
#if TINE_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, &from.stack_bottom, &from.stack_bytes);
#endif
}

constexpr std::size_t kept_bytes = 128 << 10;  // of each stack of a resting fiber, beyond the part in use

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }  // 4 to 64 KiB

std::byte* page_of(void* p) noexcept { return base::from_word<std::byte>(base::to_word(p) & ~(page_bytes() - 1)); }

bool is_resident(std::byte* page) noexcept {
  unsigned char state = 0;
  return mincore(page, 1, &state) == 0 && (state & 1) != 0;
}

void give_back(std::byte* from, std::byte* to) noexcept {
  madvise(from, static_cast<std::size_t>(to - from), MADV_DONTNEED);
}

/// Returns null if the system refuses, or if `where` is not null and the system puts the mapping elsewhere.
std::byte* map(std::byte* where, std::size_t bytes) noexcept {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void* const m = mmap(where, bytes, PROT_NONE, where != nullptr ? flags | MAP_FIXED_NOREPLACE : flags, -1, 0);
  if (m == MAP_FAILED) return nullptr;
  if (where == nullptr || m == where) return static_cast<std::byte*>(m);
  munmap(m, bytes);  // a kernel, or a tool around the process, took the address for a hint
  return nullptr;
}

bool commit(std::byte* where, std::size_t bytes) noexcept {
  return mprotect(where, bytes, PROT_READ | PROT_WRITE) == 0;
}

constexpr std::size_t first_record_bytes = std::size_t{1} << 20;  // the first size of a shadow stack that can grow

/// Returns an address for a mapping that is to grow to `bytes`, or null. It lies in a part of the address space where
/// the system doesn't put anything by itself, starting at a random place. Mappings that are there already stay: we
/// don't map over them.
std::byte* place_to_grow([[maybe_unused]] std::size_t bytes) noexcept {
#if TINE_TSAN || defined(TINE_MODEL)
  return nullptr;  // ThreadSanitizer keeps that part to itself
#else
  constexpr std::uintptr_t tebibyte = std::uintptr_t{1} << 40;
  // behind AddressSanitizer's shadow; executables and heaps start at 85
  constexpr std::uintptr_t begin = 17 * tebibyte;
  constexpr std::uintptr_t half = 32 * tebibyte;
  constexpr std::uintptr_t step = std::uintptr_t{2} << 20;
  static const std::uintptr_t first = [] {
    std::uintptr_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) random = base::now();
    return begin + random % half / step * step;
  }();
  static base::atomic<std::uintptr_t> used{0};
  const std::uintptr_t reserved = (bytes + step - 1) / step * step;
  const std::uintptr_t offset = used.fetch_add(reserved, base::relaxed) % half;  // relaxed: only the number counts
  return base::from_word<std::byte>(first + offset);
#endif
}

departure& land(transfer_t arrived, void* fake_stack) noexcept {
  auto& left = *static_cast<departure*>(arrived.data);
  left.from->point = arrived.fctx;
  announce_arrival(fake_stack, *left.from);
  return left;
}

}  // namespace

TINE_NOINLINE void load_exceptions(const context& c) noexcept {
  base::signal_fence();
  std::memcpy(abi::__cxa_get_globals(), c.exceptions, sizeof c.exceptions);
  base::signal_fence();
}

TINE_NOINLINE departure& switch_context(departure& leaving) noexcept {
  context& from = *leaving.from;
  base::fold_fp_flags();
  const base::fp_words words = base::jump_keeps_fp ? 0 : base::fp_control();
  const std::uint32_t flags = base::jump_keeps_fp ? 0 : base::fp_flags();
  save_exceptions(from);
  load_exceptions(*leaving.to);
  announce_switch(from, *leaving.to);
  // For a garbage collector that stops the thread before `land` has stored the exact point.
  base::interrupted::store_bound(from.point);
  const transfer_t back = jump_fcontext(leaving.to->point, &leaving);
  if constexpr (!base::jump_keeps_fp) base::enter_fp(words, flags);
  return land(back, from.fake_stack);
}

fiber::fiber(std::size_t stack_size, std::size_t record_bytes, entry start)
    : most_record_bytes_{record_bytes},
      mapping_bytes_{stack_size + record_bytes + 2 * guard_bytes},
      mapping_{nullptr},
      start_{start} {
  const std::size_t first_bytes = stack_size + std::min(record_bytes, first_record_bytes) + 2 * guard_bytes;
  if (std::byte* const place = first_bytes < mapping_bytes_ ? place_to_grow(mapping_bytes_) : nullptr)
    mapping_ = map(place, first_bytes);
  if (mapping_ != nullptr) {
    mapping_bytes_ = first_bytes;
  } else if (mapping_ = map(nullptr, mapping_bytes_); mapping_ == nullptr && first_bytes < mapping_bytes_) {
    mapping_bytes_ = first_bytes;  // by chance there may be space to grow there
    mapping_ = map(nullptr, mapping_bytes_);
  }
  if (mapping_ == nullptr) throw std::system_error{errno, std::generic_category(), "tine: cannot map a fiber"};
  records_ = mapping_ + guard_bytes + stack_size;
  if (!commit(mapping_ + guard_bytes, mapping_bytes_ - 2 * guard_bytes)) {
    const int error = errno;
    munmap(mapping_, mapping_bytes_);
    throw std::system_error{error, std::generic_category(), "tine: cannot commit a fiber"};
  }
  // A core file contains the stack as far as it was used, and the oldest records, where a debugger finds the fork of a
  // stolen task. It contains neither the guards nor the other records, which are gigabytes of address space.
  const std::size_t dumped = std::min(this->record_bytes(), dumped_record_bytes);
  madvise(mapping_, guard_bytes, MADV_DONTDUMP);
  madvise(records_ + dumped, this->record_bytes() - dumped + guard_bytes, MADV_DONTDUMP);
  guards_.enter(*this, mapping_, mapping_bytes_, guard_bytes);
  stack_bottom = mapping_ + guard_bytes;
  stack_bytes = stack_size;
  point = boost::context::detail::make_fcontext(records_, stack_size, &start_up);
#if TINE_TSAN
  tsan_fiber = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
  guards_.leave();  // first, because a garbage collector reads the stacks of all fibers in the list
#if TINE_TSAN
  __tsan_destroy_fiber(tsan_fiber);
#endif
#if TINE_ASAN
  __asan_unpoison_memory_region(stack_bottom, stack_bytes);  // the frames that were open when the fiber was last left
#endif
  munmap(mapping_, mapping_bytes_);
}

const fiber* fiber::of_record(const void* at) noexcept {
  const fiber* const f = guard_pages::fiber_at(at);
  return f != nullptr && at >= f->records_ ? f : nullptr;
}

bool fiber::grow() noexcept {
  std::byte* const end = mapping_ + mapping_bytes_;
  std::size_t more = std::min(3 * record_bytes(), most_record_bytes_ - record_bytes());
  while (more != 0 && map(end, more) == nullptr) {
    // where address space is short, a smaller size may succeed
    more = more > first_record_bytes ? std::max(more / 4 / page_bytes() * page_bytes(), first_record_bytes) : 0;
  }
  if (more == 0) return false;
  if (!commit(end - guard_bytes, more)) {
    munmap(end, more);
    return false;
  }
  madvise(end - guard_bytes, more + guard_bytes, MADV_DONTDUMP);
  mapping_bytes_ += more;
  guards_.move_end(mapping_bytes_);
  return true;
}

// A suspended fiber mostly waits near its base, because the oldest records are promoted first, but it may have touched
// megabytes. If it has, the page next to the part in use is resident, because stacks are touched in order.
void fiber::trim(address top) noexcept {
  std::byte* const stack_end = mapping_ + guard_bytes;
  std::byte* const stack_unused = page_of(__builtin_frame_address(0)) - kept_bytes;
  if (stack_unused > stack_end && is_resident(stack_unused - page_bytes())) give_back(stack_end, stack_unused);
  std::byte* const records_end = mapping_ + mapping_bytes_ - guard_bytes;
  std::byte* const records_unused = page_of(top) + kept_bytes;
  if (records_unused < records_end && is_resident(records_unused)) give_back(records_unused, records_end);
}

void fiber::start_up(transfer_t arrived) {
  departure& left = land(arrived, nullptr);
  static_cast<fiber*>(left.to)->start_(left);
  base::fatal("a fiber ran off its end");
}

fiber_store::~fiber_store() {
  for (fiber* f : all_) delete f;
}

fiber& fiber_store::take() noexcept {
  const std::lock_guard guard{lock_};
  if (!free_.empty()) {
    fiber& f = *free_.back();
    free_.pop_back();
    return f;
  }
  try {
    all_.reserve(all_.size() + 1);
    free_.reserve(all_.size() + 1);
    all_.push_back(new fiber{stack_bytes_, record_bytes_, start_});
    return *all_.back();
  } catch (const std::bad_alloc&) {
    base::fatal("out of memory: the scheduler cannot allocate the description of another fiber.");
  } catch (const std::system_error&) {
    const std::size_t record_kib = std::min(record_bytes_, first_record_bytes) >> 10;
    char message[512];
    std::snprintf(
        message, sizeof message,
        "cannot map another fiber: the process is out of memory or address space. %zu are mapped; every join that waits for a stolen branch holds one. Each takes %zu KiB for its native stack and from %zu KiB on for the records of open forks: give tine::options::stack_bytes (or TINE_STACK_BYTES) or tine::options::record_bytes (or TINE_RECORD_BYTES) a smaller value, or raise vm.max_map_count or ulimit -v.",
        all_.size(), stack_bytes_ >> 10, record_kib);
    base::fatal(message);
  }
}

void fiber_store::give_back(fiber& f) noexcept {
  const std::lock_guard guard{lock_};
  free_.push_back(&f);
}

std::size_t fiber_store::mapped() const {
  const std::lock_guard guard{lock_};
  return all_.size();
}

}  // namespace tine::sched
