// libgomp's entry points for barriers, critical and atomic sections, and `single`. Any thread may call them.
#include "fail.hpp"
#include "task.hpp"
#include "team.hpp"

#include <tine/sync/mutex.hpp>

#include <atomic>

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

/// A critical section. Like libgomp, we ignore the end of a section that no thread is in.
class section {
 public:
  void enter() noexcept {
    lock_.lock();
    is_held_.store(true, std::memory_order_relaxed);  // relaxed, here and below: the lock orders those who are in turn
  }
  void leave() noexcept {
    if (is_held_.exchange(false, std::memory_order_relaxed)) lock_.unlock();
  }

 private:
  tine::mutex lock_;
  std::atomic<bool> is_held_{false};
};

constinit section unnamed_section, atomic_section;

/// The section of that name. The program has one word for it, zero at first.
section& named(void** word) {
  auto* const at = reinterpret_cast<std::atomic<section*>*>(word);
  section* found = at->load(std::memory_order_acquire);  // pairs with the release below
  if (found != nullptr) return *found;
  auto* const fresh = new section;
  // release pairs with the acquires, so that a thread that finds the section finds it made
  if (at->compare_exchange_strong(found, fresh, std::memory_order_acq_rel, std::memory_order_acquire)) return *fresh;
  delete fresh;
  return *found;
}

}  // namespace

extern "C" {

void GOMP_barrier() { wait_at_barrier(current_member("barrier"), false); }
bool GOMP_barrier_cancel() { return wait_at_barrier(current_member("barrier"), true); }

void GOMP_critical_start() { unnamed_section.enter(); }
void GOMP_critical_end() { unnamed_section.leave(); }
void GOMP_critical_name_start(void** name) { named(name).enter(); }
void GOMP_critical_name_end(void** name) { named(name).leave(); }
void GOMP_atomic_start() { atomic_section.enter(); }
void GOMP_atomic_end() { atomic_section.leave(); }

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
