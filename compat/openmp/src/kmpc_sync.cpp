// libomp's entry points for barriers, critical sections, single, masked, reductions at the end of a construct, flush,
// locks, memory and threadprivate variables, as clang calls them. Any thread may call them.
#include "compiled_task.hpp"
#include "fail.hpp"
#include "locks.hpp"
#include "task.hpp"
#include "team.hpp"

#include <tine/sync/mutex.hpp>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)

using namespace tine::openmp;

extern "C" {

void omp_init_lock(word_lock*);
void omp_destroy_lock(word_lock*);
void omp_set_lock(word_lock*);
void omp_unset_lock(word_lock*);
int omp_test_lock(word_lock*);
void omp_init_nest_lock(nested_lock_variable*);
void omp_destroy_nest_lock(nested_lock_variable*);
void omp_set_nest_lock(nested_lock_variable*);
void omp_unset_nest_lock(nested_lock_variable*);
int omp_test_nest_lock(nested_lock_variable*);

using allocator_handle = std::uintptr_t;
void* omp_alloc(std::size_t, allocator_handle);
void* omp_aligned_alloc(std::size_t, std::size_t, allocator_handle);
void* omp_calloc(std::size_t, std::size_t, allocator_handle);
void* omp_realloc(void*, std::size_t, allocator_handle, allocator_handle);
void omp_free(void*, allocator_handle);
allocator_handle omp_init_allocator(allocator_handle, int, const void*);
void omp_destroy_allocator(allocator_handle);
void omp_set_default_allocator(allocator_handle);
allocator_handle omp_get_default_allocator();
}

namespace {

/// The program's variable for a name of critical sections, or for a reduction: 32 bytes, zero at first.
struct critical_name {
  word_lock lock;
};

/// The threads add up by atomic operations if the compiler has emitted those, or else one after the other.
bool adds_atomically(const ident* at) noexcept { return (at->flags & ident::atomic_reduce) != 0; }

/// No other thread adds to the same variable.
bool is_alone() noexcept {
  const team& t = *current().team;
  return t.size == 1 && t.league.size == 1;
}

i4 start_reduction(const ident* at, critical_name* name) {
  if (is_alone()) return 1;
  if (adds_atomically(at)) return 2;
  name->lock.acquire();
  return 1;
}
void end_reduction(const ident* at, critical_name* name) {
  if (!is_alone() && !adds_atomically(at)) name->lock.release();
}

void pass_barrier(const char* construct) {
  member& me = current_member(construct);
  ++me.barriers;
  wait_at_barrier(me, false);
}

/// A thread is known by its thread number in each team around it, so its copies of threadprivate variables stay from
/// region to region. The last word is the team of an initial task.
using thread_name = std::vector<std::uintptr_t>;

thread_name name_of_thread() {
  thread_name name;
  for (const task* t = &current(); t != nullptr; t = t->team->met_by) {
    if (t->number != 0 || !name.empty()) name.push_back(static_cast<std::uintptr_t>(t->number));
    if (t->team->met_by == nullptr) name.push_back(reinterpret_cast<std::uintptr_t>(t->team));
  }
  return name;
}

/// A threadprivate variable of a program that was compiled with -fnoopenmp-use-tls.
struct private_variable {
  void* (*construct)(void*) = nullptr;
  std::vector<std::byte> first_value;
  std::map<thread_name, void*> copies;  ///< a thread reads and writes its own entry only
};

struct private_variables {
  tine::mutex lock;
  std::unordered_map<const void*, private_variable> all;
  std::uintptr_t main_thread = 0;  ///< the last word of its name; the first one that asks is taken for it
};
private_variables& threadprivate() {
  static auto* const made = new private_variables;  // it outlives the exit handlers
  return *made;
}

}  // namespace

extern "C" {

// seq_cst pairs with the flushes of other threads, so that all threads see their writes in one order
void __kmpc_flush(const ident*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

void __kmpc_barrier(const ident*, i4) { pass_barrier("barrier"); }
i4 __kmpc_cancel_barrier(const ident*, i4) {
  member& me = current_member("barrier");
  ++me.barriers;
  return wait_at_barrier(me, true) ? 1 : 0;
}

i4 __kmpc_master(const ident*, i4) { return current().number == 0 ? 1 : 0; }
void __kmpc_end_master(const ident*, i4) {}
i4 __kmpc_masked(const ident*, i4, i4 filter) { return current().number == filter ? 1 : 0; }
void __kmpc_end_masked(const ident*, i4) {}

i4 __kmpc_single(const ident*, i4) { return is_first_at_single(current_member("single")) ? 1 : 0; }
void __kmpc_end_single(const ident*, i4) {}
void __kmpc_copyprivate(const ident*, i4, std::size_t, void* data, void (*copy)(void*, void*), i4 did_it) {
  member& me = current_member("single copyprivate");
  if (did_it != 0) me.team->copied = data;
  wait_at_barrier(me, false);
  if (did_it == 0) copy(data, me.team->copied);
  wait_at_barrier(me, false);
}

void __kmpc_scope(const ident*, i4, const void*) {}
void __kmpc_end_scope(const ident*, i4, const void*) {}

void __kmpc_critical(const ident*, i4, critical_name* name) { name->lock.acquire(); }
void __kmpc_critical_with_hint(const ident*, i4, critical_name* name, u4) { name->lock.acquire(); }
void __kmpc_end_critical(const ident*, i4, critical_name* name) { name->lock.release(); }

i4 __kmpc_reduce_nowait(const ident* at, i4, i4, std::size_t, void*, void (*)(void*, void*), critical_name* name) {
  return start_reduction(at, name);
}
void __kmpc_end_reduce_nowait(const ident* at, i4, critical_name* name) { end_reduction(at, name); }
i4 __kmpc_reduce(const ident* at, i4, i4, std::size_t, void*, void (*)(void*, void*), critical_name* name) {
  return start_reduction(at, name);
}
// The barrier at the end of the construct follows. One here would wait for members that have cancelled the construct.
void __kmpc_end_reduce(const ident* at, i4, critical_name* name) { end_reduction(at, name); }

void __kmpc_init_lock(const ident*, i4, word_lock* l) { omp_init_lock(l); }
void __kmpc_init_lock_with_hint(const ident*, i4, word_lock* l, std::uintptr_t) { omp_init_lock(l); }
void __kmpc_destroy_lock(const ident*, i4, word_lock* l) { omp_destroy_lock(l); }
void __kmpc_set_lock(const ident*, i4, word_lock* l) { omp_set_lock(l); }
void __kmpc_unset_lock(const ident*, i4, word_lock* l) { omp_unset_lock(l); }
int __kmpc_test_lock(const ident*, i4, word_lock* l) { return omp_test_lock(l); }
void __kmpc_init_nest_lock(const ident*, i4, nested_lock_variable* l) { omp_init_nest_lock(l); }
void __kmpc_init_nest_lock_with_hint(const ident*, i4, nested_lock_variable* l, std::uintptr_t) {
  omp_init_nest_lock(l);
}
void __kmpc_destroy_nest_lock(const ident*, i4, nested_lock_variable* l) { omp_destroy_nest_lock(l); }
void __kmpc_set_nest_lock(const ident*, i4, nested_lock_variable* l) { omp_set_nest_lock(l); }
void __kmpc_unset_nest_lock(const ident*, i4, nested_lock_variable* l) { omp_unset_nest_lock(l); }
int __kmpc_test_nest_lock(const ident*, i4, nested_lock_variable* l) { return omp_test_nest_lock(l); }

void* __kmpc_alloc(i4, std::size_t bytes, allocator_handle a) { return omp_alloc(bytes, a); }
void* __kmpc_aligned_alloc(i4, std::size_t align, std::size_t bytes, allocator_handle a) {
  return omp_aligned_alloc(align, bytes, a);
}
void* __kmpc_calloc(i4, std::size_t n, std::size_t each, allocator_handle a) { return omp_calloc(n, each, a); }
void* __kmpc_realloc(i4, void* block, std::size_t bytes, allocator_handle to, allocator_handle from) {
  return omp_realloc(block, bytes, to, from);
}
void __kmpc_free(i4, void* block, allocator_handle a) { omp_free(block, a); }
allocator_handle __kmpc_init_allocator(i4, allocator_handle space, int count, const void* traits) {
  return omp_init_allocator(space, count, traits);
}
void __kmpc_destroy_allocator(i4, allocator_handle a) { omp_destroy_allocator(a); }
void __kmpc_set_default_allocator(i4, allocator_handle a) { omp_set_default_allocator(a); }
allocator_handle __kmpc_get_default_allocator(i4) { return omp_get_default_allocator(); }

void __kmpc_error(const ident*, int severity, const char* message) {
  constexpr int fatal = 2;
  if (message == nullptr) message = "(no message)";
  if (severity == fatal) fail("error directive encountered: %s", message);
  warn("warning directive encountered: %s", message);
}

void __kmpc_threadprivate_register(const ident*, const void* variable, void* (*construct)(void*),
                                   void* (*)(void*, void*), void (*)(void*)) {
  private_variables& p = threadprivate();
  const std::lock_guard guard{p.lock};
  p.all[variable].construct = construct;
}
void* __kmpc_threadprivate_cached(const ident*, i4, void* variable, std::size_t bytes, void***) {
  const thread_name thread = name_of_thread();
  private_variables& p = threadprivate();
  std::unique_lock guard{p.lock};
  private_variable& v = p.all[variable];
  if (v.first_value.empty()) {  // any access asks first, so the program has not changed it
    const auto* const bytes_of = static_cast<const std::byte*>(variable);
    v.first_value.assign(bytes_of, bytes_of + bytes);
  }
  if (p.main_thread == 0) p.main_thread = thread.back();
  if (thread.size() == 1 && thread.back() == p.main_thread) return variable;
  void*& copy = v.copies[thread];
  guard.unlock();
  if (copy != nullptr) return copy;
  void* const fresh = ::operator new(bytes, std::align_val_t{64});
  return copy = v.construct != nullptr ? v.construct(fresh) : std::memcpy(fresh, v.first_value.data(), bytes);
}

}  // extern "C"

#pragma GCC visibility pop
