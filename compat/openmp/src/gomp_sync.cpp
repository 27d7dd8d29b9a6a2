// libgomp's entry points for barriers, critical and atomic sections, and `single`. Any thread may call them.
#include "fail.hpp"
#include "locks.hpp"
#include "task.hpp"
#include "team.hpp"

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

constinit word_lock unnamed_section, atomic_section;

/// The program has one word for each name, zero at first. It is the lock itself.
word_lock& named(void** word) noexcept { return *reinterpret_cast<word_lock*>(word); }

}  // namespace

extern "C" {

void GOMP_barrier() { wait_at_barrier(current_member("barrier"), false); }
bool GOMP_barrier_cancel() { return wait_at_barrier(current_member("barrier"), true); }

// Like libgomp, we ignore the end of a section that no thread is in.
void GOMP_critical_start() { unnamed_section.acquire(); }
void GOMP_critical_end() { unnamed_section.release(); }
void GOMP_critical_name_start(void** name) { named(name).acquire(); }
void GOMP_critical_name_end(void** name) { named(name).release(); }
void GOMP_atomic_start() { atomic_section.acquire(); }
void GOMP_atomic_end() { atomic_section.release(); }

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
