// The slow paths of segmented stacks: growth, changes of hands, spares, and reports of the memory that frames take.
#include "sched/frame_bytes.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/segmented_stack.hpp>
#include <tine/detail/sched/scope.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace tine::detail {
namespace {

// Stacklets belong to the runtime, not to the strand that happens to grow its stack.
void* memory_for_stacklet(std::size_t bytes) noexcept {
  const sched::scheduler_time here;
  return std::malloc(bytes);
}

void free_stacklet(void* s) noexcept {
  const sched::scheduler_time here;
  std::free(s);
}

/// Returns the listener for the memory of frames, or null. Acquire pairs with the release of the analysis that begins
/// to listen, so that everything that it has prepared is there.
sched::frame_listener listener() noexcept { return sched::frame_bytes_listener.load(base::acquire); }

}  // namespace

/// A few empty stacks of this thread. They belong to no strand.
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
  /// Returns the spares of the thread that runs now. Never inlined, because a fiber may wake on another thread. The
  /// first call of a thread allocates memory, for the destructor.
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
  sched::report_released_frames();
  segmented_stack* s = current();
  if (s != nullptr) s->top_ = base::from_word<std::byte>(fiber_state::get<stack_top>());
  for (const fiber_local_word w : {stack_top, stacklet_begin, stacklet_length, stack_object}) {
    sched::hot::words().fiber_local[w] = 0;
  }
  return s;
}

void segmented_stack::take() noexcept {
  TINE_ASSERT(current() == nullptr);
  fiber_state::set<stack_object>(this);
  enter(newest_, top_);
}

/// Makes the fiber-local words describe this stacklet. With a listener the words say that there is no space in the
/// stacklet, so that every allocation takes the slow path.
void segmented_stack::enter(stacklet* s, std::byte* top) noexcept {
  newest_ = s;
  top_ = top;
  fiber_state::set<stacklet_begin>(-base::to_word(s->begin()));
  fiber_state::set<stacklet_length>(listener() == nullptr ? s->length : 0);
  fiber_state::set<stack_top>(top);
}

/// Returns the stacklet that `top` has gone back to. Among the stacklets that the top has left, the oldest is kept and
/// the newer ones are freed.
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

/// Returns a stacklet after `last` with space for `bytes`: the kept one if it fits, otherwise a new one. Returns null
/// if there is no memory.
stacklet* segmented_stack::grow(stacklet* last, std::size_t bytes) noexcept {
  const std::size_t usual = 2 * (last->length + sizeof(stacklet)) - sizeof(stacklet);
  if (stacklet* kept = last->newer) {
    // a kept stacklet that is far too large is not used: libfork, Theorem 1
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

/// Frees the stacklet kept after `last` if it is too large for that: libfork, Theorem 1 relies on this.
void segmented_stack::drop_if_too_large(stacklet* last) noexcept {
  if (last->newer == nullptr) return;
  if (sizeof(stacklet) + last->newer->length > 2 * (sizeof(stacklet) + last->length)) {
    free_stacklet(std::exchange(last->newer, nullptr));
  }
}

/// Since the last `enter` nothing was allocated, so everything between the top of that time and the strand's top has
/// been released.
std::int64_t segmented_stack::take_released() noexcept {
  auto* top = base::from_word<std::byte>(fiber_state::get<stack_top>());
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
  sched::report_released_frames();
  segmented_stack& stack = *current();
  auto* top = base::from_word<std::byte>(fiber_state::get<stack_top>());
  stacklet* s = stack.stacklet_of(top);
  if (static_cast<std::size_t>(s->end() - top) < bytes) {
    stacklet* next = grow(s, bytes);
    if (next == nullptr) {
      stack.enter(s, top);  // the stacklet that was the newest may have been freed
      return nullptr;
    }
    s = next;
    s->top_ = top;
    top = s->begin();
  } else {
    drop_if_too_large(s);
  }
  stack.enter(s, top + bytes);
  if (const sched::frame_listener tell = listener()) tell(top, static_cast<std::int64_t>(bytes));
  return top;
}

// Everything older than the array is still allocated. Therefore the top of the stacklet before has not changed since
// the strand left that stacklet.
void segmented_stack::release_plainly(void* where) noexcept {
  segmented_stack& stack = *current();
  auto* top = static_cast<std::byte*>(where);
  release(top);
  sched::report_released_frames();
  stacklet* s = stack.stacklet_of(top);
  if (top == s->begin() && s->length > large_bytes && s->older != nullptr) {
    free_stacklet(std::exchange(s->newer, nullptr));  // this stacklet is now the emptied one, and only one is kept
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

// Memory that was allocated above `end` and released again may have left the top at the begin of a newer stacklet.
void segmented_stack::check_top(const void* end) noexcept {
  const auto* top = base::from_word<const std::byte>(fiber_state::get<stack_top>());
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

void report_released_frames() noexcept {
  const frame_listener tell = detail::listener();
  if (tell == nullptr || detail::segmented_stack::current() == nullptr) return;
  if (const std::int64_t bytes = detail::segmented_stack::current()->take_released(); bytes != 0) tell(nullptr, -bytes);
}

}  // namespace tine::sched
