// The list of guard pages. It only grows, so that a signal handler can walk it without a lock. The entry of a fiber
// that was unmapped is used again.
#include "sched/guard_pages.hpp"

#include "sched/process_lock.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

namespace tine::sched {

struct guard_pages::entry {
  base::atomic<std::uintptr_t> begin{0}, end{0};  // of the mapping; the entry is free if begin is 0
  base::atomic<std::uintptr_t> guard{0};
  entry* next = nullptr;  // never changes after the entry is in the list
  entry* next_free = nullptr;
};

namespace {

constinit base::atomic<guard_pages::entry*> all{nullptr};
// Guarded by the lock of the process, as all writes to the list are.
constinit guard_pages::entry* free_entries = nullptr;

guard_pages::entry* free_entry() noexcept {
  if (free_entries != nullptr) return std::exchange(free_entries, free_entries->next_free);
  auto* const e = new (std::nothrow) guard_pages::entry;
  if (e == nullptr) return nullptr;
  e->next = all.load(base::relaxed);  // relaxed: under the lock of the only writers
  all.store(e, base::release);        // pairs with the load in hold, so that a handler sees `next`
  return e;
}

}  // namespace

void guard_pages::enter(const std::byte* mapping, std::size_t mapping_bytes, std::size_t guard_bytes) noexcept {
  const std::lock_guard guard{process_lock};
  entry_ = free_entry();
  if (entry_ == nullptr) return;
  const std::uintptr_t begin = base::to_word(mapping);
  // relaxed: `begin` publishes these two
  entry_->end.store(begin + mapping_bytes, base::relaxed);
  entry_->guard.store(guard_bytes, base::relaxed);
  entry_->begin.store(begin, base::release);  // pairs with the load in hold, so that a handler sees the other two
}

void guard_pages::move_end(std::size_t mapping_bytes) noexcept {
  if (entry_ == nullptr) return;
  // relaxed: a handler that still sees the old end does not recognise the guard that has just been mapped
  entry_->end.store(entry_->begin.load(base::relaxed) + mapping_bytes, base::relaxed);
}

guard_pages::~guard_pages() {
  if (entry_ == nullptr) return;
  const std::lock_guard guard{process_lock};
  entry_->begin.store(
      0, base::relaxed);  // relaxed: a handler that still sees the old value names a page that is just gone
  entry_->next_free = std::exchange(free_entries, entry_);
}

bool guard_pages::hold(const void* where) noexcept {
  const std::uintptr_t at = base::to_word(where);
  // pairs with the store in free_entry
  for (const entry* e = all.load(base::acquire); e != nullptr; e = e->next) {
    const std::uintptr_t begin = e->begin.load(base::acquire);  // pairs with the store in enter
    // relaxed: published by begin
    const std::uintptr_t end = e->end.load(base::relaxed), guard = e->guard.load(base::relaxed);
    if (begin != 0 && at >= begin && at < end && (at < begin + guard || at >= end - guard)) return true;
  }
  return false;
}

}  // namespace tine::sched
