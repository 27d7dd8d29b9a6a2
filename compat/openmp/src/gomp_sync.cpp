// libgomp's entry points for barriers, critical and atomic sections, and `single`. Any thread may call them.
#include "fail.hpp"
#include "place_of_return.hpp"

#include <tine/sync/mutex.hpp>

#include <atomic>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constinit tine::mutex unnamed_section;
constinit tine::mutex atomic_section;

/// The lock of a named section. The program has one word for it, zero at first.
tine::mutex& section_of(void** word) {
  auto* const at = reinterpret_cast<std::atomic<tine::mutex*>*>(word);
  tine::mutex* m = at->load(std::memory_order_acquire);  // pairs with the release below
  if (m != nullptr) return *m;
  auto* const fresh = new tine::mutex;
  // release pairs with the acquires, so that a thread that finds the mutex finds it made
  if (at->compare_exchange_strong(m, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) return *fresh;
  delete fresh;
  return *m;
}

}  // namespace

extern "C" {

void GOMP_barrier() { wait_at_barrier(current_member("barrier"), false); }
bool GOMP_barrier_cancel() { return wait_at_barrier(current_member("barrier"), true); }

void GOMP_critical_start() { unnamed_section.lock(); }
void GOMP_critical_end() { unnamed_section.unlock(); }
void GOMP_critical_name_start(void** name) { section_of(name).lock(); }
void GOMP_critical_name_end(void** name) { section_of(name).unlock(); }
void GOMP_atomic_start() { atomic_section.lock(); }
void GOMP_atomic_end() { atomic_section.unlock(); }

bool GOMP_single_start() { return is_first_at_single(current_member("single")); }

void* GOMP_single_copy_start() {
  member& me = current_member("single");
  if (is_first_at_single(me)) return nullptr;
  wait_at_barrier(me, false);
  return me.team->copied;
}

void GOMP_single_copy_end(void* data) {
  member& me = current_member("single");
  me.team->copied = data;
  wait_at_barrier(me, false);
}

void GOMP_error(const char* message, std::size_t length) {
  if (message == nullptr) fail("error directive encountered.");
  fail("error directive encountered: %.*s", static_cast<int>(length), message);
}
void GOMP_warning(const char* message, std::size_t length) {
  if (message == nullptr) return warn("warning directive encountered.");
  warn("warning directive encountered: %.*s", static_cast<int>(length), message);
}

}  // extern "C"

#pragma GCC visibility pop
