// The list of guard pages. It only grows, so that a signal handler can walk it without a lock. When a fiber is
// unmapped, we use its entry again. Writers hold the lock of the process.
#include "sched/guard_pages.hpp"

#include "sched/process_lock.hpp"

#include <tine/detail/base/object_at.hpp>

#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

namespace tine::sched {

constinit base::atomic<guard_pages::entry*> guard_pages::all{nullptr};

namespace {

// Guarded by the lock of the process, like all writes to the list.
constinit guard_pages::entry* free_entries = nullptr;

guard_pages::entry* free_entry() noexcept {
  if (free_entries != nullptr) return std::exchange(free_entries, free_entries->next_free);
  auto* const e = new (std::nothrow) guard_pages::entry;
  if (e == nullptr) return nullptr;
  e->next = guard_pages::all.load(base::relaxed);  // relaxed: under the lock of the only writers
  guard_pages::all.store(e, base::release);        // pairs with the load in hold, so that a handler sees `next`
  return e;
}

}  // namespace

void guard_pages::enter(fiber& of, const std::byte* mapping, std::size_t mapping_bytes,
                        std::size_t guard_bytes) noexcept {
  const std::lock_guard guard{process_lock};
  entry_ = free_entry();
  if (entry_ == nullptr) return;
  const std::uintptr_t begin = base::to_word(mapping);
  // relaxed: `begin` publishes these three
  entry_->of.store(&of, base::relaxed);
  entry_->end.store(begin + mapping_bytes, base::relaxed);
  entry_->guard.store(guard_bytes, base::relaxed);
  entry_->begin.store(begin, base::release);  // pairs with the load in hold, so that a handler sees the other three
}

void guard_pages::move_end(std::size_t mapping_bytes) noexcept {
  if (entry_ == nullptr) return;
  // relaxed: a handler that still sees the old end doesn't recognise the guard that has just been mapped
  entry_->end.store(entry_->begin.load(base::relaxed) + mapping_bytes, base::relaxed);
}

void guard_pages::leave() noexcept {
  if (entry_ == nullptr) return;
  const std::lock_guard guard{process_lock};
  entry_->begin.store(0, base::relaxed);  // relaxed: a handler may still name a page that is just gone
  entry_->next_free = std::exchange(free_entries, entry_);
  entry_ = nullptr;
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

guard_pages::entry* guard_pages::entry_at(const void* where) noexcept {
  const std::uintptr_t at = base::to_word(where);
  // pairs with the store in free_entry
  for (entry* e = all.load(base::acquire); e != nullptr; e = e->next) {
    const std::uintptr_t begin = e->begin.load(base::acquire);  // pairs with the store in enter
    // relaxed: published by begin
    if (begin != 0 && at >= begin && at < e->end.load(base::relaxed)) return e;
  }
  return nullptr;
}

const fiber* guard_pages::fiber_at(const void* where) noexcept {
  const entry* const e = entry_at(where);
  return e != nullptr ? e->of.load(base::relaxed) : nullptr;  // relaxed: published by begin
}

}  // namespace tine::sched
