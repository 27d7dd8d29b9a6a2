// Locks: the sleep of those who wait, and the entry points. Any thread may call them.
#include "locks.hpp"

#include "task.hpp"
#include "team.hpp"

#include <array>

namespace tine::openmp {

static_assert(sizeof(word_lock) == 4 && sizeof(nested_lock_variable) <= 8);

namespace {

constinit std::array<eventcount, 64> queues{};

eventcount& queue_of(const void* lock) noexcept {
  const auto a = reinterpret_cast<std::uintptr_t>(lock);
  return queues[(a >> 2 ^ a >> 8 ^ a >> 14) % queues.size()];
}

}  // namespace

/// A native thread blocks: it must not run a task that needs the lock.
void word_lock::wait() noexcept {
  team& t = *current().team;
  if (t.turns != nullptr) {
    sleep_until(t, [this] { return take(); });
    tine_race_note_lock(this, 0);
  } else {
    wait_in(queue_of(this), t.is_native);
  }
}

/// The program may have freed the lock already, so only its address is used.
void word_lock::wake() noexcept { queue_of(this).wake(); }

}  // namespace tine::openmp

#pragma GCC visibility push(default)

using namespace tine::openmp;

namespace {

const void* caller() noexcept { return &current(); }

nested_lock& lock_of(nested_lock_variable* v) {
  nested_lock* found = v->made.load(std::memory_order_acquire);  // pairs with the release below
  if (found != nullptr) return *found;
  auto* const fresh = new nested_lock;
  // release pairs with the acquires, so that a thread that finds the lock finds it made
  if (v->made.compare_exchange_strong(found, fresh, std::memory_order_release, std::memory_order_acquire))
    return *fresh;
  delete fresh;
  return *found;
}

int add_level(nested_lock& l) noexcept {
  l.owner.store(caller(), std::memory_order_relaxed);  // relaxed: only the owner finds itself there
  return ++l.count;
}
bool is_mine(const nested_lock& l) noexcept { return l.owner.load(std::memory_order_relaxed) == caller(); }

}  // namespace

extern "C" {

void omp_init_lock(word_lock* l) { l->word.store(0, std::memory_order_relaxed); }
void omp_init_lock_with_hint(word_lock* l, int) { omp_init_lock(l); }
void omp_destroy_lock(word_lock*) {}
void omp_set_lock(word_lock* l) { l->acquire(); }
void omp_unset_lock(word_lock* l) { l->release(); }  // like libgomp, ignores a lock that isn't set
int omp_test_lock(word_lock* l) { return l->try_acquire() ? 1 : 0; }

void omp_init_nest_lock(nested_lock_variable* v) {
  v->made.store(new nested_lock, std::memory_order_relaxed);  // relaxed: no other thread may use it yet
}
void omp_init_nest_lock_with_hint(nested_lock_variable* v, int) { omp_init_nest_lock(v); }
void omp_destroy_nest_lock(nested_lock_variable* v) {
  delete v->made.exchange(nullptr, std::memory_order_relaxed);  // relaxed: no other thread uses it any more
}
void omp_set_nest_lock(nested_lock_variable* v) {
  nested_lock& l = lock_of(v);
  if (!is_mine(l)) l.lock.acquire();
  add_level(l);
}
int omp_test_nest_lock(nested_lock_variable* v) {
  nested_lock& l = lock_of(v);
  return is_mine(l) || l.lock.try_acquire() ? add_level(l) : 0;
}
void omp_unset_nest_lock(nested_lock_variable* v) {
  nested_lock& l = lock_of(v);
  if (l.count == 0 || --l.count != 0) return;
  l.owner.store(nullptr, std::memory_order_relaxed);
  l.lock.release();
}

}  // extern "C"

#pragma GCC visibility pop
