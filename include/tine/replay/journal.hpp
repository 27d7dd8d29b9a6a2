// Journals: the schedules of all roots of a process, which it writes while it runs (TINE_RECORD).
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tine {

/// The recording of a process that ran with TINE_RECORD, or in `tine perturb`: one schedule for each root. The process
/// may have ended in any way. docs/reference/schedule-format.md describes the file. A journal is a plain value; several
/// threads may read the same one at the same time.
class journal {
 public:
  /// The origin of a root that was submitted; other origins are the numbers of the threads that called into a pool, in
  /// the order of their first calls.
  static constexpr std::uint64_t submitted = ~std::uint64_t{0};

  /// A root of the process.
  struct root {
    std::uint64_t origin = 0;      ///< the number of the calling thread, or `submitted`
    std::uint64_t number = 0;      ///< its place among the roots of that origin, in the order of their begins
    bool has_ended = false;        ///< false: the process ended, or the recording stopped, before the root did
    std::uint64_t constructs = 0;  ///< of a root that has ended: the number of forks, loops and runs in its first node
    /// the strands that the root had performed. In a root that has not ended, the strands that still ran end with the
    /// last entry of the root, and the strands that were placed and had not begun come last.
    schedule performed;
  };

  /// Reads the file at `path`. The rest of a file is ignored if the process was killed while it wrote there. Throws
  /// std::runtime_error with the place and the reason if the file cannot be read, is no journal, of another version, or
  /// damaged.
  TINE_API static journal load(const std::string& path);
  /// Returns true if the file at `path` can be read and begins like a journal.
  TINE_API static bool is_journal(const std::string& path) noexcept;

  /// Returns the roots in the order of their begins. The reference is valid until the journal changes.
  const std::vector<root>& roots() const noexcept { return roots_; }
  /// Returns the shape key of the program (`schedule::shape`); 0: not known.
  std::uint64_t shape() const noexcept { return shape_; }
  /// Returns true if the strands of each root ran one at a time, because the run was perturbed (`tine perturb`) by
  /// `seed()`.
  bool is_perturbed() const noexcept { return is_perturbed_; }
  /// Returns the seed of a perturbed run; 0 if the run was not perturbed.
  std::uint64_t seed() const noexcept { return seed_; }
  /// Returns true if the recording stopped before the process ended, because the file had its largest size, or the disk
  /// was full.
  bool is_full() const noexcept { return is_full_; }

 private:
  std::vector<root> roots_;
  std::uint64_t shape_ = 0, seed_ = 0;
  bool is_perturbed_ = false, is_full_ = false;
};

}  // namespace tine
