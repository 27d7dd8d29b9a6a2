// The slow paths of segmented stacks: growing, changing hands, spares, and telling what frames take.
#include "sched/frame_bytes.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/base/assert.hpp>
#include <tine/coro/segmented_stack.hpp>
#include <tine/sched/scope.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace tine::detail {
namespace {

// Stacklets are the runtime's, not the strand's that happens to grow its stack.
void* memory_for_stacklet(std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  return std::malloc(bytes);
}

void free_stacklet(void* s) noexcept {
  const sched::scheduler_time here;
  std::free(s);
}

/// Whoever wants to know of frames, or null. Acquire pairs with the release of the one who begins to listen, so that what it made
/// ready is there.
sched::frame_listener listener() noexcept { return sched::told_of_frames.load(base::acquire); }

}  // namespace

/// A few empty stacks of this thread. What is here belongs to no strand.
class spare_stacks {
 public:
  ~spare_stacks() {
    while (segmented_stack* s = pop()) segmented_stack::destroy(s);
  }
  segmented_stack* pop() noexcept { return count_ == 0 ? nullptr : spares_[--count_]; }
  bool push(segmented_stack* s) noexcept {
    if (count_ == limit) return false;
    spares_[count_++] = s;
    return true;
  }
  /// Of the thread that runs now. Never inlined: a fiber may wake on another thread. The first call of a thread allocates, for
  /// the destructor.
  TINE_NOINLINE static spare_stacks& here() noexcept {
    const sched::scheduler_time in_it;
    static thread_local spare_stacks spares;
    base::signal_fence();
    return spares;
  }

 private:
  static constexpr unsigned limit = 2;
  segmented_stack* spares_[limit];
  unsigned count_ = 0;
};

segmented_stack* segmented_stack::create() noexcept {
  void* memory = memory_for_stacklet(first_bytes);
  if (memory == nullptr) return nullptr;
  auto* s = ::new (memory) segmented_stack;
  s->older = nullptr;
  s->newer = nullptr;
  s->length = first_bytes - sizeof(stacklet);
  s->newest_ = s;
  s->top_ = s->begin_of_all();
  return s;
}

void segmented_stack::destroy(segmented_stack* s) noexcept { free_stacklet(s); }

bool segmented_stack::begin() noexcept {
  segmented_stack* s = spare_stacks::here().pop();
  if (s == nullptr) s = create();
  if (s == nullptr) return false;
  s->scope_ = sched::current_scope();
  s->take();
  return true;
}

void segmented_stack::end() noexcept {
  segmented_stack* s = leave();
  if (s == nullptr) return;
  TINE_ASSERT(s->is_empty());
  s->newest_ = s;
  s->top_ = s->begin_of_all();
  for (stacklet* next = s->newer; next != nullptr;) free_stacklet(std::exchange(next, next->newer));
  s->newer = nullptr;
  if (!spare_stacks::here().push(s)) destroy(s);
}

bool segmented_stack::is_empty() noexcept {
  stacklet* s = newest_;
  while (s != nullptr && top_ != s->begin()) s = s->older;
  return s != nullptr;
}

segmented_stack* segmented_stack::leave() noexcept {
  sched::tell_released_frames();
  segmented_stack* s = current();
  if (s != nullptr) s->top_ = reinterpret_cast<std::byte*>(strand::get<stack_top>());
  for (const strand_word w : {stack_top, stacklet_begin, stacklet_length, stack_object}) {
    sched::hot::words().strand[w] = 0;
  }
  return s;
}

void segmented_stack::take() noexcept {
  TINE_ASSERT(current() == nullptr);
  strand::set<stack_object>(this);
  enter(newest_, top_);
}

/// The strand's words say this stacklet from now on. With a listener they say that there is no room in it, so that every
/// allocation comes by here.
void segmented_stack::enter(stacklet* s, std::byte* top) noexcept {
  newest_ = s;
  top_ = top;
  strand::set<stacklet_begin>(-reinterpret_cast<std::uintptr_t>(s->begin()));
  strand::set<stacklet_length>(listener() == nullptr ? s->length : 0);
  strand::set<stack_top>(top);
}

/// The stacklet that `top` has gone back to. One of those left is kept, the newest is freed.
stacklet* segmented_stack::stacklet_of(const std::byte* top) noexcept {
  stacklet* s = newest_;
  while (!s->holds(top)) {
    if (s->newer != nullptr) {
      free_stacklet(s->newer);
      s->newer = nullptr;
    }
    s = s->older;
  }
  return s;
}

/// A stacklet after `last` with room for `bytes`: the kept one if it will do, else a new one. Null without memory.
stacklet* segmented_stack::grow(stacklet* last, std::size_t bytes) noexcept {
  const std::size_t usual = 2 * (last->length + sizeof(stacklet)) - sizeof(stacklet);
  if (stacklet* kept = last->newer) {
    // not one that is far too large: libfork, Theorem 1
    if (kept->length >= bytes && kept->length <= std::max(usual, 2 * bytes)) return kept;
    free_stacklet(std::exchange(last->newer, nullptr));
  }
  const std::size_t length = std::max(usual, bytes);
  void* memory = memory_for_stacklet(sizeof(stacklet) + length);
  if (memory == nullptr) return nullptr;
  auto* s = ::new (memory) stacklet;
  s->older = last;
  s->newer = nullptr;
  s->length = length;
  last->newer = s;
  return s;
}

/// Frees the stacklet kept after `last` if it is too large for that: libfork, Theorem 1 counts on it.
void segmented_stack::drop_if_too_large(stacklet* last) noexcept {
  if (last->newer == nullptr) return;
  if (sizeof(stacklet) + last->newer->length > 2 * (sizeof(stacklet) + last->length)) {
    free_stacklet(std::exchange(last->newer, nullptr));
  }
}

/// Since the last `enter` nothing was allocated, so all that lies between its top and the strand's has been released.
std::int64_t segmented_stack::take_released() noexcept {
  auto* top = reinterpret_cast<std::byte*>(strand::get<stack_top>());
  std::byte* before = std::exchange(top_, top);
  stacklet* s = newest_;
  while (!s->holds(before)) s = s->older;
  std::ptrdiff_t bytes = 0;
  for (; !s->holds(top); s = s->older) {
    bytes += before - s->begin();
    before = s->top_;
  }
  return bytes + (before - top);
}

void* segmented_stack::allocate_slowly(std::size_t bytes) noexcept {
  if (current() == nullptr && !begin()) return nullptr;
  sched::tell_released_frames();
  segmented_stack& stack = *current();
  auto* top = reinterpret_cast<std::byte*>(strand::get<stack_top>());
  stacklet* s = stack.stacklet_of(top);
  if (static_cast<std::size_t>(s->end() - top) < bytes) {
    stacklet* next = grow(s, bytes);
    if (next == nullptr) {
      stack.enter(s, top);  // the newest so far may have been freed
      return nullptr;
    }
    s = next;
    s->top_ = top;
    top = s->begin();
  } else {
    drop_if_too_large(s);
  }
  stack.enter(s, top + bytes);
  if (const sched::frame_listener tell = listener()) tell(static_cast<std::int64_t>(bytes));
  return top;
}

// All that is older than the array is still there, so the stacklet before ends where it ended when it was left.
void segmented_stack::release_plainly(void* where) noexcept {
  segmented_stack& stack = *current();
  auto* top = static_cast<std::byte*>(where);
  release(top);
  sched::tell_released_frames();
  stacklet* s = stack.stacklet_of(top);
  if (top == s->begin() && s->length > large_bytes && s->older != nullptr) {
    free_stacklet(std::exchange(s->newer, nullptr));  // this one is the emptied one now, and one is kept
    top = s->top_;
    s = s->older;
    drop_if_too_large(s);
  }
  stack.enter(s, top);
}

void* segmented_stack::allocate_frame_slowly(std::size_t bytes) noexcept {
  void* where = allocate_slowly(bytes);
  if (where == nullptr) base::fatal("out of memory: the system has none left for the frame of a coroutine.");
  return where;
}

// What was allocated above `end` and released again may have left the top at the begin of a newer stacklet.
void segmented_stack::check_top(const void* end) noexcept {
  const auto* top = reinterpret_cast<const std::byte*>(strand::get<stack_top>());
  const auto* last = static_cast<const std::byte*>(end);
  for (stacklet* s = current()->newest_; s != nullptr; s = s->older) {
    if (s->begin() <= last && last <= s->end()) {
      if (s->holds(top) && top - last >= 16) {
        base::fatal("a tine::scratch array ended before one that was made later: they must end in reverse order.");
      }
      return;
    }
  }
}

}  // namespace tine::detail

namespace tine::sched {

void tell_released_frames() noexcept {
  const frame_listener tell = detail::listener();
  if (tell == nullptr || detail::segmented_stack::current() == nullptr) return;
  if (const std::int64_t bytes = detail::segmented_stack::current()->take_released(); bytes != 0) tell(-bytes);
}

}  // namespace tine::sched
