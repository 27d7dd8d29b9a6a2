// Tells libgc where the threads of a program with fibers keep their values. libgc stops the world by a signal, and
// scans of each thread the memory from its stack pointer to the bottom of its stack. But the stack pointer may be in a
// fiber, or on an alternate stack for signals, and other fibers are suspended. So when all threads have stopped, this
// file sets each thread's bottom to that of the stack on which it is, and adds all other ranges that hold values
// (tine/sched/stack_range.hpp).
//
// The list of threads is guarded by libgc's lock, which the collecting thread holds. That thread takes tine's lock of
// stacks before it stops the world, so that no stopped thread holds it.
#include "ml/runtime/collector.hpp"

#include <tine/sched/stack_range.hpp>

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include <gc/gc.h>
#include <gc/gc_mark.h>

namespace tine::ml {

overlooked overlooks = overlooked::nothing;

namespace {

using bytes = const char*;

struct range {
  bytes begin = nullptr;
  bytes end = nullptr;
  bool holds(bytes at) const noexcept { return at >= begin && at < end; }
};

constexpr std::size_t granule = 16;       // libgc's sizes are multiples of it
constexpr std::size_t most_granules = 8;  // of objects that a thread takes from its own lists
constexpr std::size_t first_heap = std::size_t{8} << 20;

/// A thread that the collector knows.
struct known_thread {
  known_thread* next = nullptr;
  void* handle = nullptr;  ///< libgc's
  const sched::thread_stacks* stacks = nullptr;
  bytes bottom = nullptr;  ///< of its own stack
  bool registered_here = false;
  // written by its own signal handler before it stops
  bytes stack_pointer = nullptr;  ///< of the code that the signal has interrupted; null: it runs
  range alternate;                ///< its alternate stack

  /// Free objects by their granules: each holds the address of the next one. They are roots, so a collection leaves
  /// them where they are.
  std::array<void*, most_granules + 1> free{};

  void enter() noexcept;
  void* take(std::size_t granules) noexcept;
};

known_thread* threads = nullptr;  // under libgc's lock
std::size_t thread_count = 0;     // the same

/// Space for a collection, with an element for each thread, because a collection cannot allocate. Under libgc's lock.
std::vector<sched::stopped_thread>& stopped() noexcept {
  static auto& space = *new std::vector<sched::stopped_thread>;  // never destroyed: threads outlive main
  return space;
}

struct sigaction suspend_action;  // libgc's; written before the first thread can be stopped

[[gnu::tls_model("initial-exec")]] constinit thread_local known_thread* this_thread = nullptr;

template <class Function>
void with_lock(Function f) noexcept {
  GC_call_with_alloc_lock(
      [](void* data) -> void* {
        (*static_cast<Function*>(data))();
        return nullptr;
      },
      &f);
}

bytes bottom_of_own_stack() noexcept {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<bytes>(low) + size;
}

void known_thread::enter() noexcept {
  bottom = bottom_of_own_stack();
  stacks = sched::stacks_of_this_thread();
  GC_stack_base base{};
  base.mem_base = const_cast<char*>(bottom);
  registered_here = GC_register_my_thread(&base) == GC_SUCCESS;
  handle = GC_get_my_stackbottom(&base);
  this_thread = this;
  with_lock([this] {
    next = threads;
    threads = this;
    if (stopped().size() < ++thread_count) stopped().resize(2 * thread_count);
  });
}

/// Returns an object that is all zero, or null. The collector may stop the thread anywhere in here: at each
/// instruction, the list or a register has the address of each object of the list, or of one before it.
void* known_thread::take(std::size_t granules) noexcept {
  void*& list = free[granules];
  if (list == nullptr)
    list = GC_malloc_many(granules * granule - 1);  // libgc adds a byte, for addresses behind the last cell
  void* const taken = list;
  if (taken == nullptr) return nullptr;
  list = GC_NEXT(taken);
  GC_NEXT(taken) = nullptr;
  return taken;
}

/// Called when the thread ends, but not when the process does: exit(3) runs in the middle of a worker's work, on which
/// others depend.
void leave(void* ended) noexcept {
  auto* const self = static_cast<known_thread*>(ended);
  with_lock([self] {
    known_thread** at = &threads;
    while (*at != nullptr && *at != self) at = &(*at)->next;
    if (*at != nullptr) *at = self->next, --thread_count;
    GC_stack_base own{};  // the last collection may have found the thread on a fiber
    own.mem_base = const_cast<char*>(self->bottom);
    GC_set_stackbottom(self->handle, &own);
  });
  this_thread = nullptr;
  if (self->registered_here) GC_unregister_my_thread();
  delete self;
}

pthread_key_t end_of_thread;  // its value is the known_thread; written before the first thread arrives

void arrives() noexcept {
  if (this_thread != nullptr) return;
  auto* const self = new known_thread;
  pthread_setspecific(end_of_thread, self);
  self->enter();
}

// --- in the signal handler of a thread that is to stop

void on_suspend(int number, siginfo_t* info, void* where) {
  if (known_thread* const me = this_thread) {
    const auto& context = *static_cast<const ucontext_t*>(where);
    me->alternate.begin = static_cast<bytes>(context.uc_stack.ss_sp);
    me->alternate.end = me->alternate.begin + context.uc_stack.ss_size;
    const std::uintptr_t pointer = sched::interrupted_stack_pointer(where);
    std::memcpy(&me->stack_pointer, &pointer, sizeof pointer);
  }
  suspend_action.sa_sigaction(number, info, where);
}

// --- in the collecting thread, while the world is stopped

constexpr std::size_t red_zone = 128;  // bytes below the stack pointer that code may use

/// Returns a word of another thread's stack, where AddressSanitizer has zones around variables.
[[gnu::no_sanitize_address]] std::uintptr_t word_at(bytes at) noexcept {
  return *static_cast<const std::uintptr_t*>(static_cast<const void*>(at));
}

/// Returns the stack pointer of the code that a handler on the alternate stack has interrupted. The kernel has stored
/// it on that stack, in a ucontext_t, which also describes that stack. Returns null if there is none between `from` and
/// the end.
bytes stack_pointer_below(const range& alternate, bytes from) noexcept {
  constexpr std::size_t begin_at = offsetof(ucontext_t, uc_stack) + offsetof(stack_t, ss_sp);
  constexpr std::size_t size_at = offsetof(ucontext_t, uc_stack) + offsetof(stack_t, ss_size);
  const std::size_t pointer_at = sched::stack_pointer_in_context();
  const auto begin = std::bit_cast<std::uintptr_t>(alternate.begin);
  const std::uintptr_t size = std::bit_cast<std::uintptr_t>(alternate.end) - begin;
  bytes newest = nullptr;
  from -= std::bit_cast<std::uintptr_t>(from) % sizeof(void*);
  for (bytes at = from; at + pointer_at + sizeof(void*) <= alternate.end; at += sizeof(void*)) {
    if (word_at(at + begin_at) != begin || word_at(at + size_at) != size) continue;
    bytes const pointer = std::bit_cast<bytes>(word_at(at + pointer_at));
    if (pointer != nullptr && !alternate.holds(pointer)) newest = pointer;
  }
  return newest;  // the oldest frame on the alternate stack is the one that was entered from another stack
}

void push(bytes begin, bytes end) noexcept { GC_push_all_eager(const_cast<char*>(begin), const_cast<char*>(end)); }

void push_lists(const known_thread& t) noexcept {
  const void* const begin = t.free.data();
  push(static_cast<bytes>(begin), static_cast<bytes>(begin) + sizeof t.free);
}

bytes bottom_at(bytes stack_pointer, const known_thread& t) noexcept {
  const void* const of_fiber = sched::fiber_bottom_at(stack_pointer);
  return of_fiber != nullptr ? static_cast<bytes>(of_fiber) : t.bottom;
}

/// Sets the bottom of the stack that libgc is going to scan for the thread. Changes `stack_pointer` to that of the code
/// outside of signal handlers on an alternate stack, and pushes what that code has on its stack.
void fit(known_thread& t) noexcept {
  bytes scanned_to = bottom_at(t.stack_pointer, t);
  if (t.alternate.begin != nullptr && t.alternate.holds(t.stack_pointer)) {
    scanned_to = t.alternate.end;
    if (bytes const interrupted = stack_pointer_below(t.alternate, t.stack_pointer)) {
      t.stack_pointer = interrupted;
      push(interrupted - red_zone, bottom_at(interrupted, t));
    }
  }
  GC_stack_base base{};
  base.mem_base = const_cast<char*>(scanned_to);
  GC_set_stackbottom(t.handle, &base);
}

GC_push_other_roots_proc push_stacks = nullptr;  // libgc's
GC_on_collection_event_proc heard_before = nullptr;

void visit(void*, sched::stack_range r) {
  if (overlooks == overlooked::records && sched::fiber_bottom_at(r.begin) == r.begin) return;
  if (overlooks == overlooked::native_stacks && sched::fiber_bottom_at(r.begin) != r.begin) return;
  push(static_cast<bytes>(r.begin), static_cast<bytes>(r.end));
}

void push_roots() {
  std::size_t count = 0;
  if (this_thread != nullptr) this_thread->stack_pointer = static_cast<bytes>(__builtin_frame_address(0));
  for (known_thread* t = threads; t != nullptr; t = t->next) {
    push_lists(*t);
    if (t->stack_pointer == nullptr) continue;
    fit(*t);
    stopped()[count++] = {t->stacks, t->stack_pointer, t->bottom};
    t->stack_pointer = nullptr;
  }
  push_stacks();
  sched::visit_stack_ranges(stopped().data(), count, &visit, nullptr);
}

void on_event(GC_EventType event) {
  if (event == GC_EVENT_PRE_STOP_WORLD) sched::hold_stacks();
  if (event == GC_EVENT_POST_START_WORLD) sched::release_stacks();
  if (heard_before != nullptr) heard_before(event);
}

/// The child of fork(2) has only the thread that forked.
void forget_other_threads() noexcept {
  threads = this_thread;
  thread_count = this_thread != nullptr ? 1 : 0;
  if (this_thread != nullptr) this_thread->next = nullptr;
}

void wrap_suspend_handler() {
  const int number = GC_get_suspend_signal();
  sigaction(number, nullptr, &suspend_action);
  struct sigaction ours = suspend_action;
  ours.sa_sigaction = &on_suspend;
  ours.sa_flags |= SA_SIGINFO;
  sigaction(number, &ours, nullptr);
}

void start() {
  if (!sched::listen_to_threads(&arrives)) {
    std::fputs(
        "tine: the collector starts too late, because a pool has threads that it does not know: call tine_ml_start before the first pool is made, for example at the start of main.\n",
        stderr);
    std::abort();
  }
  GC_set_handle_fork(1);
  GC_set_warn_proc(&GC_ignore_warn_proc);  // it writes about large arrays to the program's standard error
  GC_INIT();
  // A collection costs a tenth of a millisecond even where nothing lives, and libgc's own first heap would have one
  // each 200 KiB.
  if (std::getenv("GC_INITIAL_HEAP_SIZE") == nullptr) GC_expand_hp(first_heap);
  GC_allow_register_threads();
  wrap_suspend_handler();
  push_stacks = GC_get_push_other_roots();
  heard_before = GC_get_on_collection_event();
  GC_set_push_other_roots(&push_roots);
  GC_set_on_collection_event(&on_event);
  pthread_key_create(&end_of_thread, &leave);
  pthread_atfork(nullptr, nullptr, &forget_other_threads);
  arrives();
}

}  // namespace

void start_collector() {
  static std::once_flag once;
  std::call_once(once, start);
}

void* allocate(std::size_t bytes_wanted, bool scanned) noexcept {
  if (this_thread == nullptr) arrives();
  const std::size_t granules = bytes_wanted / granule + 1;
  if (scanned) return granules <= most_granules ? this_thread->take(granules) : GC_MALLOC(bytes_wanted);
  void* const p = GC_MALLOC_ATOMIC(bytes_wanted);
  return p != nullptr ? std::memset(p, 0, bytes_wanted) : nullptr;
}

void add_root(void* begin, std::size_t size) noexcept { GC_add_roots(begin, static_cast<char*>(begin) + size); }

}  // namespace tine::ml
