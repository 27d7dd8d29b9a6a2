// The list of the guard pages of all fibers of the process, for the handler of faults.
#pragma once

#include <cstddef>

namespace tine::sched {

/// The entry of one fiber in the list, for as long as its mapping exists. The mapping has a guard of the same size at
/// both ends.
class guard_pages {
 public:
  guard_pages() noexcept = default;
  /// Does nothing if there is no memory for the entry; the guards are then not recognised.
  void enter(const std::byte* mapping, std::size_t mapping_bytes, std::size_t guard_bytes) noexcept;
  /// The mapping has become longer.
  void move_end(std::size_t mapping_bytes) noexcept;
  ~guard_pages();
  guard_pages(const guard_pages&) = delete;
  guard_pages& operator=(const guard_pages&) = delete;

  /// Returns true if the address lies in the guard of a fiber of any pool. Async-signal-safe.
  static bool hold(const void* where) noexcept;

  struct entry;

 private:
  entry* entry_ = nullptr;
};

}  // namespace tine::sched
