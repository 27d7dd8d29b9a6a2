// Fibers on Boost.Context's lowest level, which switches stacks and nothing else. Exception state is saved here: newer
// versions of Boost do that too, but above this level, and doing it twice corrupts it.
#include "sched/fiber.hpp"

#include <tine/base/assert.hpp>

#include <cxxabi.h>
#include <sys/mman.h>
#include <cerrno>
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

// <cxxabi.h> declares __cxa_get_globals const, so a compiler may keep its answer over a switch, where it would be
// another thread's. Out of line and behind a barrier it is asked anew.
TINE_NOINLINE void save_exceptions(context& c) noexcept {
  base::signal_fence();
  void** globals = reinterpret_cast<void**>(abi::__cxa_get_globals());
  c.exceptions[0] = globals[0];
  c.exceptions[1] = globals[1];
  base::signal_fence();
}

TINE_NOINLINE void load_exceptions(const context& c) noexcept {
  base::signal_fence();
  void** globals = reinterpret_cast<void**>(abi::__cxa_get_globals());
  globals[0] = c.exceptions[0];
  globals[1] = c.exceptions[1];
  base::signal_fence();
}

void announce_switch([[maybe_unused]] context& from, [[maybe_unused]] const context& to) noexcept {
#if TINE_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
#endif
#if TINE_TSAN
  from.tsan_fiber = __tsan_get_current_fiber();  // a thread's own context learns here what it is
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
}

/// On the new stack. `fake_stack` is what it left with last time, null the first time.
void announce_arrival([[maybe_unused]] void* fake_stack, [[maybe_unused]] context& from) noexcept {
#if TINE_ASAN
  __sanitizer_finish_switch_fiber(fake_stack, &from.stack_bottom, &from.stack_bytes);
#endif
}

departure& land(transfer_t arrived, void* fake_stack) noexcept {
  auto& left = *static_cast<departure*>(arrived.data);
  left.from->point = arrived.fctx;
  announce_arrival(fake_stack, *left.from);
  return left;
}

}  // namespace

TINE_NOINLINE departure& switch_context(departure& leaving) noexcept {
  context& from = *leaving.from;
  save_exceptions(from);
  load_exceptions(*leaving.to);
  announce_switch(from, *leaving.to);
  const transfer_t back = jump_fcontext(leaving.to->point, &leaving);
  return land(back, from.fake_stack);
}

fiber::fiber(std::size_t stack_size, entry start) : mapping_bytes_{2 * stack_size + 2 * guard_bytes}, start_{start} {
  void* m = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (m == MAP_FAILED) throw std::system_error{errno, std::generic_category(), "tine: cannot map a fiber"};
  mapping_ = static_cast<std::byte*>(m);
  records_ = mapping_ + guard_bytes + stack_size;
  if (mprotect(mapping_ + guard_bytes, 2 * stack_size, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    munmap(mapping_, mapping_bytes_);
    throw std::system_error{error, std::generic_category(), "tine: cannot commit a fiber"};
  }
  stack_bottom = mapping_ + guard_bytes;
  stack_bytes = stack_size;
  point = boost::context::detail::make_fcontext(records_, stack_size, &start_up);
#if TINE_TSAN
  tsan_fiber = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
#if TINE_TSAN
  __tsan_destroy_fiber(tsan_fiber);
#endif
#if TINE_ASAN
  __asan_unpoison_memory_region(mapping_, mapping_bytes_);  // the frames that were open when it was last left
#endif
  munmap(mapping_, mapping_bytes_);
}

// A suspended fiber mostly waits near its base, because the oldest records are promoted first, but it may have touched
// megabytes. Whether it has is one page's residency: stacks are touched in order.
void fiber::trim(address top) noexcept {
  constexpr std::size_t kept = 128 << 10, page = 4096;
  const auto down = [](void* p) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~(page - 1));
  };
  std::byte* const stack_end = mapping_ + guard_bytes;
  std::byte* const unused = down(__builtin_frame_address(0)) - kept;
  unsigned char resident = 0;
  if (unused <= stack_end || mincore(unused - page, page, &resident) != 0 || (resident & 1) == 0) return;
  madvise(stack_end, static_cast<std::size_t>(unused - stack_end), MADV_DONTNEED);
  std::byte* const records_unused = down(top) + kept;
  std::byte* const records_last = mapping_ + mapping_bytes_ - guard_bytes;
  if (records_unused >= records_last) return;
  madvise(records_unused, static_cast<std::size_t>(records_last - records_unused), MADV_DONTNEED);
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
    all_.push_back(new fiber{stack_bytes_, start_});
    return *all_.back();
  } catch (...) {
    base::fatal(
        "cannot map another fiber: the process is out of memory or address space. Every join that waits for a stolen "
        "branch holds one. Give tine::options::stack_bytes a smaller value, or raise vm.max_map_count or ulimit -v.");
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
