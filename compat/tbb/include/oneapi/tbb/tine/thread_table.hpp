// thread_table: from threads to objects of theirs. A thread that has an object finds it without a lock.
#pragma once

#include <oneapi/tbb/spin_mutex.h>

#include <pthread.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// A hash table with open addressing. A thread asks only for its own object, and adds it itself. So it may look into a
/// table that another thread replaces by a larger one: the entries of this thread are in both. Replaced tables stay
/// until `clear`, because threads may be looking into them.
///
/// Thread-safety: any number of threads may call `find` and `add`. The other functions must not run beside them.
class thread_table {
 public:
  using thread = std::uintptr_t;
  /// The number of the calling thread. Another thread may have it later, when this one has ended.
  static thread this_thread() noexcept { return static_cast<thread>(pthread_self()); }

  thread_table() noexcept = default;
  ~thread_table() { clear(); }
  thread_table(const thread_table&) = delete;
  thread_table& operator=(const thread_table&) = delete;
  void swap(thread_table& other) noexcept {
    // relaxed: no other thread uses the two tables
    table* const mine = newest_.load(std::memory_order_relaxed);
    newest_.store(other.newest_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    other.newest_.store(mine, std::memory_order_relaxed);
    std::swap(size_, other.size_);
  }

  /// Returns the object of that thread, or null.
  void* find(thread of) const noexcept {
    // acquire pairs with the release in add, so that we see the entries that were copied to this table
    const table* const t = newest_.load(std::memory_order_acquire);
    return t != nullptr ? t->find(of) : nullptr;
  }
  /// Adds an object for a thread that has none. Throws std::bad_alloc, and then nothing has changed.
  void add(thread of, void* object) {
    const d1::spin_mutex::scoped_lock guard{lock_};
    table* t = newest_.load(std::memory_order_relaxed);  // relaxed: under the lock
    if (t == nullptr || 2 * (size_ + 1) > t->slots()) {
      auto larger = std::make_unique<table>(t != nullptr ? 2 * t->slots() : smallest, t);
      for (std::size_t i = 0; t != nullptr && i < t->slots(); ++i) {
        // relaxed: under the lock, by which the entries were added
        if (const thread who = t->entries[i].of.load(std::memory_order_relaxed)) larger->add(who, t->entries[i].object);
      }
      t = larger.release();
      // release pairs with the acquire in find
      newest_.store(t, std::memory_order_release);
    }
    t->add(of, object);
    ++size_;
  }
  void clear() noexcept {
    // relaxed: no other thread uses the table
    for (table* t = newest_.exchange(nullptr, std::memory_order_relaxed); t != nullptr;) {
      delete std::exchange(t, t->replaced);
    }
    size_ = 0;
  }
  /// Calls `f(thread, object)` for each entry.
  template <class F>
  void for_each(F f) const {
    const table* const t = newest_.load(std::memory_order_relaxed);  // relaxed: no other thread changes it
    for (std::size_t i = 0; t != nullptr && i < t->slots(); ++i) {
      // relaxed: as above
      if (const thread who = t->entries[i].of.load(std::memory_order_relaxed)) f(who, t->entries[i].object);
    }
  }

 private:
  static constexpr std::size_t smallest = 16;  // a power of two, as all sizes

  struct entry {
    std::atomic<thread> of{0};
    void* object = nullptr;
  };
  struct table {
    table(std::size_t n, table* old) : entries{new entry[n]}, mask{n - 1}, replaced{old} {}

    std::size_t slots() const noexcept { return mask + 1; }
    /// Addresses of threads differ in their middle bits.
    std::size_t start(thread of) const noexcept {
      return static_cast<std::size_t>(std::uint64_t{of} * 0x9e3779b97f4a7c15 >> 32) & mask;
    }
    void* find(thread of) const noexcept {
      for (std::size_t i = start(of);; i = (i + 1) & mask) {
        // relaxed: only `of` itself has added this entry, or `newest_` has published the copy of it
        const thread who = entries[i].of.load(std::memory_order_relaxed);
        if (who == of) return entries[i].object;
        if (who == 0) return nullptr;
      }
    }
    void add(thread of, void* object) noexcept {
      std::size_t i = start(of);
      while (entries[i].of.load(std::memory_order_relaxed) != 0) i = (i + 1) & mask;  // relaxed: under the lock
      entries[i].object = object;
      // relaxed: other threads only see that the place is taken
      entries[i].of.store(of, std::memory_order_relaxed);
    }

    std::unique_ptr<entry[]> entries;
    std::size_t mask;
    table* replaced;
  };

  std::atomic<table*> newest_{nullptr};
  std::size_t size_ = 0;  // under the lock
  d1::spin_mutex lock_;
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
