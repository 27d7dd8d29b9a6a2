// Accesses under locks and by atomic operations. Each word of 8 bytes has a list of them, beside the cells with the
// other accesses (ALL-SETS: Cheng, Feng, Leiserson, Randall and Stark 1998). Only the thread that holds the detector
// reads and adds them.
#pragma once

#include "race/growing_list.hpp"
#include "race/locksets.hpp"
#include "race/order.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// The binary logarithm of the bytes for which a unit of the shadow stands (shadow.hpp).
inline constexpr unsigned unit_bits = 12;
inline constexpr std::size_t unit_bytes = std::size_t{1} << unit_bits;

/// The number of an access in the table of guarded accesses. 0: none.
using guarded_number = std::uint32_t;

/// An access under a lock, to some bytes of an aligned word of 8 bytes.
struct guarded_access {
  strand_number strand;
  lockset held;
  std::uint16_t place;
  std::uint8_t bytes;  ///< a bit for each byte of the word
  bool writes : 1, is_atomic : 1;
  guarded_number next;  ///< in the list of the word
};

/// Returns the bits in guarded_access::bytes of bytes that lie in one word.
inline std::uint8_t mask_of(std::uintptr_t address, std::size_t bytes) noexcept {
  return static_cast<std::uint8_t>(((1U << bytes) - 1) << (address & 7));
}

/// The lists of all words of a unit.
class guarded_lists {
 public:
  /// Returns null if there is no memory for it.
  static guarded_lists* create() noexcept;
  /// `all` must not have accesses any more.
  static void release(guarded_lists& all) noexcept;

  /// Returns the first access to the word that contains this address; its `next` leads to the others.
  guarded_number& first(std::uintptr_t address) noexcept { return first_[(address & (unit_bytes - 1)) / 8]; }
  /// Returns the access with that number, until the next call of `add`.
  static guarded_access& at(guarded_number n) noexcept { return table_.accesses[n]; }

  /// Adds an access to the word that contains this address. Returns false if there is no memory for it.
  bool add(std::uintptr_t address, const guarded_access& a) noexcept;
  /// Removes the access whose number is at `link`: in `first`, or in `next` of the access before it.
  static void remove(guarded_number& link) noexcept;

  /// Removes all accesses to the words of a part of the unit. Any thread may call it for memory that it has just been
  /// given.
  void forget(std::size_t from, std::size_t bytes) noexcept;

  /// As shadow::begin_forked_process.
  static void begin_forked_process() noexcept;

 private:
  static void remove_locked(guarded_number& link) noexcept;

  /// The accesses of all lists. Never destroyed: programs access memory until their very end.
  union access_table {
    constexpr access_table() noexcept : accesses{} {}
    ~access_table() {}
    growing_list<guarded_access> accesses;
  };
  static access_table table_;
  static guarded_number free_accesses_;  // linked by `next`

  guarded_number first_[unit_bytes / 8];
};

}  // namespace tine::detail
