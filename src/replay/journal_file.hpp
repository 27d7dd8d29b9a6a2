// The journal of this process while it is written. Its file is mapped, so everything that was written is in the file
// even if the process is killed at the next instruction.
#pragma once

#include "replay/journal_event.hpp"

#include <sys/types.h>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tine::detail {

class journal_file {
 public:
  /// Opens the file at `path`, in place of its content, and writes the header. Returns an empty text, or the reason why
  /// the file cannot be written. `most_bytes`: the largest size of the file.
  std::string open(const std::string& path, std::uint64_t most_bytes, std::uint64_t program, journal_run how,
                   std::uint64_t seed);
  bool is_open() const noexcept { return fd_ >= 0; }

  /// Appends an event. Returns its place in the mapping, which stays valid; null if the file is not open, or full.
  /// Thread-safe.
  journal_event* append(journal_event e) noexcept;
  /// Returns the number in the journal of these NUMA nodes of the workers of a pool, which are written at the first
  /// call; 0: there are none. Thread-safe.
  std::uint32_t number_of(std::span<const int> nodes) noexcept;

  /// Cuts what is left of the last block off the file.
  void close() noexcept;
  /// Called in a child of fork(2), under the lock: the file belongs to the parent, and the child's writes go to memory
  /// of its own.
  void abandon() noexcept;
  /// While a thread calls fork(2), the file is locked, so that the child has a whole copy of this object.
  void lock_for_fork() noexcept { lock_.lock(); }
  void unlock_after_fork() noexcept { lock_.unlock(); }

 private:
  journal_event* append_locked(journal_event e) noexcept;
  bool grow() noexcept;
  void stop(const std::string& why) noexcept;

  std::mutex lock_;
  int fd_ = -1;
  std::string path_;
  std::uint64_t most_bytes_ = 0;
  std::vector<std::byte*> blocks_;
  std::uint64_t used_ = 0;  ///< slots, the header included
  bool is_full_ = false;
  std::vector<std::vector<int>> nodes_of_pools_;  ///< the NUMA nodes that are written
};

/// One root in a journal.
struct journal_root {
  journal_file* file;
  std::uint32_t number;
};

}  // namespace tine::detail
