// The shadow of the program's memory: for each location the last writer and one reader. Only the thread that holds the detector touches
// it (context.hpp).
//
// The shadow is cut into units, one for each 4 KiB of the program's memory, which are made at the first access. A unit has a *cell* for
// each 8, 4 or 1 bytes, and starts with the size of its first access. An access that is smaller than a cell splits all cells of the unit.
// So arrays of double or of pointers take 12 bytes for 8, arrays of int 12 bytes for 4.
//
// One writer and one reader are enough if the program runs in the serial order (Feng and Leiserson 1997). Let e1, e2, e3 be accesses in this
// order. (a) If e1 is in series with e2 and e3 is parallel to e1, then e3 is parallel to e2: so a later access in series replaces the
// earlier one. (b) If e1 || e2 and e2 || e3, then e1 || e3: so a reader that is parallel to the running strand is kept.
#pragma once

#include "race/order.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::detail {

inline constexpr unsigned unit_bits = 12;
inline constexpr std::size_t unit_bytes = std::size_t{1} << unit_bits;
inline constexpr unsigned address_bits = 47;

/// The last writer of a location, and a reader since then. 0: none.
struct cell {
  strand_number writer, reader;
};

/// The places in the program of both accesses: numbers in the table of places.
struct cell_places {
  std::uint16_t writer, reader;
};

/// The writer of a location that is not checked.
inline constexpr strand_number unchecked = ~strand_number{0};

/// The size of the cells of a unit.
enum class granularity : unsigned char { none, word, half, byte };
/// Returns the binary logarithm of the bytes of a cell.
inline constexpr unsigned shift_of(granularity g) noexcept { return (0x2cU >> (2 * static_cast<unsigned>(g))) & 3; }
static_assert(shift_of(granularity::word) == 3 && shift_of(granularity::half) == 2 && shift_of(granularity::byte) == 0);

/// A unit of the shadow: the cells, and behind them their places. Its address is that of the first cell; the head lies in front.
struct unit {
  struct head {
    granularity cells;
    /// True if some locations were accessed under locks or by atomic operations: see guarded.hpp.
    bool has_guarded;
    unit* next_free;
  };

  static constexpr std::size_t head_bytes = 64;
  head& its() noexcept { return *base::object_at<head>(base::bytes_of(*this) - head_bytes); }
  std::size_t size() noexcept { return unit_bytes >> shift_of(its().cells); }
  cell* cells() noexcept { return base::object_at<cell>(base::bytes_of(*this)); }
  cell_places* places() noexcept { return base::object_at<cell_places>(base::bytes_of(*this) + size() * sizeof(cell)); }

  std::byte first[sizeof(cell)];
};

/// An entry of the table of units: the address of a unit, and a tag. The fast path of an access compares the tag with that of its size, so
/// it needs no other test for units that it cannot handle.
using unit_entry = std::uintptr_t;
enum class unit_tag : std::uintptr_t {
  none = 0,
  word = 1,  ///< as granularity
  half = 2,
  byte = 3,
  special = 4,  ///< the unit is on a fiber's stack, or has guarded locations; the address may be null
};

/// The shadow of the process.
class shadow {
 public:
  static constexpr unsigned region_bits = 30;  ///< a table of entries for each GiB that is accessed
  static constexpr std::size_t entries_of_region = std::size_t{1} << (region_bits - unit_bits);

  /// Returns the entry of the address, which must be covered. For a region without accesses it is an entry that is always empty.
  TINE_ALWAYS_INLINE static unit_entry entry(std::uintptr_t address) noexcept {
    return regions_[address >> region_bits][(address >> unit_bits) % entries_of_region];
  }
  static bool is_covered(std::uintptr_t address) noexcept { return (address >> address_bits) == 0; }
  static unit* unit_of(unit_entry e) noexcept { return base::from_word<unit>(e & ~std::uintptr_t{7}); }
  static unit_tag tag_of(unit_entry e) noexcept { return static_cast<unit_tag>(e & 7); }

  /// Called before all other functions.
  static void open() noexcept;

  /// Returns the unit of the address, with cells of `wanted` or smaller. Null if there is no memory for it.
  static unit* make(std::uintptr_t address, granularity wanted) noexcept;

  /// From now on accesses to the unit of this address take the special path.
  static void make_special(std::uintptr_t address) noexcept {
    const unit_entry e = entry(address);
    if (tag_of(e) != unit_tag::special) set_entry(address, unit_of(e), true);
  }

  /// This memory is not checked, until it is forgotten. Returns false if there is no memory for that.
  static bool ignore(std::uintptr_t begin, std::size_t bytes) noexcept;

  /// Forgets all accesses to this memory.
  static void forget(std::uintptr_t begin, std::size_t bytes) noexcept;

 private:
  static void set_entry(std::uintptr_t address, unit* u, bool special) noexcept;
  static unit* allocate(granularity g) noexcept;
  static void release(unit* u) noexcept;
  static unit* split(unit* coarse, granularity g) noexcept;
  static void forget_in_unit(std::uintptr_t begin, std::uintptr_t end) noexcept;

  static bool change_entry(std::uintptr_t address, unit_entry to) noexcept;

  static unit_entry*
      regions_[std::size_t{1} << (address_bits - region_bits)];  ///< each one is `unused_region` at first
  static unit_entry unused_region[entries_of_region];            ///< stays 0
};

}  // namespace tine::detail
