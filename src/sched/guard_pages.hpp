// The list of the guard pages of all fibers of the process, for the handler of faults; and of these fibers, for strand
// traces and debuggers.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

class fiber;

/// The entry of one fiber in the list, for as long as its mapping exists. The mapping has a guard of the same size at
/// both ends.
class guard_pages {
 public:
  guard_pages() noexcept = default;
  /// Does nothing if there is no memory for the entry; the guards and the fiber are then not recognised.
  void enter(fiber& of, const std::byte* mapping, std::size_t mapping_bytes, std::size_t guard_bytes) noexcept;
  /// The mapping has become longer.
  void move_end(std::size_t mapping_bytes) noexcept;
  /// The mapping is about to end: to be called before it is unmapped.
  void leave() noexcept;
  ~guard_pages() { leave(); }
  guard_pages(const guard_pages&) = delete;
  guard_pages& operator=(const guard_pages&) = delete;

  /// Returns true if the address lies in the guard of a fiber of any pool. Async-signal-safe.
  static bool hold(const void* where) noexcept;

  /// Returns the fiber whose mapping holds the address, or null. Async-signal-safe; the caller knows that the fiber
  /// exists.
  static const fiber* fiber_at(const void* where) noexcept;

  struct entry;
  /// Returns the entry of that fiber, or null. Async-signal-safe.
  static entry* entry_at(const void* where) noexcept;

  struct entry {
    base::atomic<std::uintptr_t> begin{0}, end{0};  ///< of the mapping; the entry is free if begin is 0
    base::atomic<std::uintptr_t> guard{0};
    base::atomic<fiber*> of{nullptr};
    entry* next = nullptr;  ///< never changes after the entry is in the list
    entry* next_free = nullptr;
    std::uint64_t visited = 0;  ///< the last round of stack_range.cpp that has visited it
  };
  static base::atomic<entry*> all;  ///< the list; it only grows

 private:
  entry* entry_ = nullptr;
};

}  // namespace tine::sched
