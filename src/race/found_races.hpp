// The races that were found, a row for each pair of places, and the rows of the profile for them. Only the thread that
// holds the detector adds races.
#pragma once

#include "race/access.hpp"
#include "race/context.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::detail {

/// One of the two accesses of a race.
struct raced_access {
  strand_number strand;
  std::uintptr_t place;
  access_how how;
};

/// The memory that both access, and what keeps them apart in this run.
struct raced_memory {
  std::uintptr_t address;
  std::size_t bytes;
  bool is_locked;             ///< both hold a common lock
  std::uintptr_t ordered_at;  ///< see trace::race
};

class found_races {
 public:
  /// Adds a race of the running strand with an earlier one in the interval `in`.
  TINE_COLD static void add(context& by, const order::interval& in, const raced_access& earlier,
                            const raced_access& later, const raced_memory& on) noexcept;

  /// Ends the checking. `why` completes the sentence "A part of the run was not checked, because …". `place`: the
  /// return address of the code that it is about; 0: none.
  TINE_COLD static void give_up(const char* why, std::uintptr_t place = 0) noexcept;
  static const std::string& incomplete() noexcept;

  /// A release of memory is recorded as a write at a place that only releases.
  static access_how write_kind(std::uint16_t place) noexcept;
  static void note_release_at(std::uint16_t place) noexcept;

  static bool checks_determinism() noexcept { return determinism; }
  static void set_determinism(bool on) noexcept;

  /// Appends all rows.
  static void collect(trace::profile& into);
  static std::size_t count() noexcept;
  /// Returns the row of race number `i`, in the order in which they were found.
  static trace::race row(std::size_t i);
  /// Returns the addresses of all bytes with a race since `clear_locations`, sorted; at most the first 65,536.
  static std::vector<std::uintptr_t> locations();
  static void clear_locations() noexcept;
  /// Forgets all races, but not why checking has stopped: it doesn't start again in this process.
  static void forget() noexcept;
  /// Call both around fork(), so that the forked process finds whole rows.
  static void lock() noexcept;
  static void unlock() noexcept;

 private:
  static bool determinism;
};

}  // namespace tine::detail
