// The shadow of the program's memory: for each location the last writer and one reader. Only the thread that holds the
// detector touches it (context.hpp).
//
// The shadow consists of units, one for each 4 KiB of the program's memory, made at the first access. A unit has a
// *cell* for each 8, 4 or 1 bytes, and starts with the size of its first access. An access that is smaller than a cell
// splits all cells of the unit. So arrays of double or of pointers take 12 bytes for 8, arrays of int 12 bytes for 4. A
// unit with cells of 1 byte mostly has objects of all sizes. In it the first cell of each aligned 4 bytes (a *granule*)
// stands for all four, until one of them is accessed alone.
//
// One writer and one reader are enough if the program runs in the serial order (Feng and Leiserson 1997). Let e1, e2,
// e3 be accesses in this order. (a) If e1 is in series with e2, and e3 is parallel to e1, then e3 is parallel to e2. So
// a later access in series replaces the earlier one. (b) If e1 || e2 and e2 || e3, then e1 || e3. So we keep a reader
// that is parallel to the running strand.
//
// Lemma (the reader alone): let a cell have the writer w and the reader r. If r is in series with the running strand,
// so is w, unless r has raced with w. Proof: r = w, or w comes before r, and r before the running strand. So the fast
// path doesn't look at w. If a read has raced with a writer, its unit becomes guarded. Accesses to it then take the
// special path, where we look at both.
#pragma once

#include "race/guarded.hpp"
#include "race/order.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tine::detail {

inline constexpr unsigned address_bits = 47;

/// The last writer of a location, and a reader since then. 0: none. Until another strand reads it, the writer is also
/// the reader.
struct cell {
  strand_number writer, reader;

  bool has_reader() const noexcept { return reader != writer; }
};

/// The places in the program of both accesses: numbers in the table of places.
struct cell_places {
  std::uint16_t writer, reader;
};

/// The writer of a location that is not checked.
inline constexpr strand_number unchecked = ~strand_number{0};
/// The writer of a location that belongs to a worker (slots.hpp): its accesses are in the lists of guarded ones.
inline constexpr strand_number of_worker = unchecked - 1;
/// Strands have smaller numbers.
inline constexpr strand_number end_of_strands = of_worker;

/// The size of the cells of a unit.
enum class granularity : unsigned char { none, word, half, byte };
/// Returns the binary logarithm of the bytes of a cell.
inline constexpr unsigned shift_of(granularity g) noexcept { return (0x2cU >> (2 * static_cast<unsigned>(g))) & 3; }
/// Returns the size of the cells for an access: the largest one that it fills.
inline constexpr granularity granularity_for(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::uintptr_t ends = begin | end;
  return (ends & 7) == 0 ? granularity::word : (ends & 3) == 0 ? granularity::half : granularity::byte;
}
static_assert(shift_of(granularity::word) == 3 && shift_of(granularity::half) == 2 && shift_of(granularity::byte) == 0);

/// A unit of the shadow: the cells, and behind them their places. Its address is that of the first cell; the head lies
/// in front.
struct unit {
  struct head {
    granularity cells;
    bool is_on_stack;
    guarded_lists* guarded;  ///< null: no location was accessed under locks or by atomic operations
    unit* next_free;
  };

  static constexpr std::size_t granule = 4;
  static constexpr std::size_t granules = unit_bytes / granule;
  /// Returns the bytes in front of the cells.
  static constexpr std::size_t head_bytes(granularity g) noexcept {
    return g == granularity::byte ? 64 + granules : 64;
  }
  head& its() noexcept { return *base::object_at<head>(base::bytes_of(*this) - 64); }
  std::size_t size() noexcept { return unit_bytes >> shift_of(its().cells); }
  /// Returns the cell that stands for this address of the unit.
  const cell& cell_at(std::uintptr_t address) noexcept {
    const std::size_t i = (address & (unit_bytes - 1)) >> shift_of(its().cells);
    return cells()[its().cells == granularity::byte && !is_split(i) ? i & ~(granule - 1) : i];
  }
  cell* cells() noexcept { return base::object_at<cell>(base::bytes_of(*this)); }
  cell_places* places() noexcept { return base::object_at<cell_places>(base::bytes_of(*this) + size() * sizeof(cell)); }

  // For cells of 1 byte: `i` is the number of a byte of the unit. A granule is split if each of its cells stands for
  // its own byte.
  std::uint8_t* split() noexcept { return base::object_at<std::uint8_t>(base::bytes_of(*this) - 64 - granules); }
  TINE_ALWAYS_INLINE bool is_split(std::size_t i) noexcept { return split()[i / granule] != 0; }
  void split_granule(std::size_t i) noexcept {
    if (is_split(i)) return;
    split()[i / granule] = 1;
    i &= ~(granule - 1);
    for (std::size_t k = 1; k < granule; ++k) {
      cells()[i + k] = cells()[i];
      places()[i + k] = places()[i];
    }
  }
  /// The first cell of the granule stands for all of them.
  void unite_granule(std::size_t i) noexcept { split()[i / granule] = 0; }
  void unite_equal_cells(std::size_t i) noexcept {
    const cell* const of = cells() + (i & ~(granule - 1));
    bool differ = false;
    for (std::size_t k = 1; k < granule; ++k)
      differ = differ || std::bit_cast<std::uint64_t>(of[k]) != std::bit_cast<std::uint64_t>(of[0]);
    if (!differ) unite_granule(i);
  }

  /// Returns true if one cell stands for just these aligned bytes.
  bool is_one_cell(std::uintptr_t address, std::size_t bytes) noexcept {
    const granularity g = its().cells;
    if (g == granularity::byte) return bytes == (is_split(address & (unit_bytes - 1)) ? 1 : granule);
    return bytes == std::size_t{1} << shift_of(g);
  }
  /// Calls `f(i, at, bytes)` for the number of each cell of the memory from `begin` to `end`, all in this unit; the
  /// cell stands for the `bytes` from `at` on.
  template <class F>
  TINE_ALWAYS_INLINE void for_cells(std::uintptr_t begin, std::uintptr_t end, F f) noexcept {
    const unsigned shift = shift_of(its().cells);
    if (shift != 0) {
      const std::size_t bytes = std::size_t{1} << shift;
      for (std::uintptr_t at = begin >> shift << shift; at < end; at += bytes)
        f((at & (unit_bytes - 1)) >> shift, at, bytes);
      return;
    }
    for (std::uintptr_t at = begin; at < end;) {
      const std::size_t i = at & (unit_bytes - 1);
      if (!is_split(i)) {
        if (i % granule == 0 && at + granule <= end) {
          f(i, at, granule);
          at += granule;
          continue;
        }
        split_granule(i);
      }
      f(i, at, std::size_t{1});
      ++at;
    }
  }

  std::byte first[sizeof(cell)];
};

/// An entry of the table of units: the address of a unit, and a tag. The fast path of an access compares the tag with
/// that of its size, so it needs no other test for units that it can't handle.
using unit_entry = std::uintptr_t;
enum class unit_tag : std::uintptr_t {
  none = 0,
  word = 1,  ///< as granularity
  half = 2,
  byte = 3,
  special = 4,     ///< the unit has guarded locations, or lies on a stack; the address may be null
  stack_word = 5,  ///< the unit lies on a stack, and has no guarded locations
  stack_half = 6,
  stack_byte = 7,
};

/// The shadow of the process.
class shadow {
 public:
  static constexpr unsigned table_bits = 32;  ///< a table of entries for each 4 GiB that are accessed
  static constexpr std::size_t entries_of_table = std::size_t{1} << (table_bits - unit_bits);

  /// Returns the entry of the address, which must be covered. A region without accesses has an entry that is always
  /// empty.
  TINE_ALWAYS_INLINE static unit_entry entry(std::uintptr_t address) noexcept {
    return tables_[address >> table_bits][static_cast<std::uint32_t>(address) >> unit_bits];
  }
  static bool is_covered(std::uintptr_t address) noexcept { return (address >> address_bits) == 0; }
  static unit* unit_of(unit_entry e) noexcept { return base::from_word<unit>(e & ~std::uintptr_t{7}); }
  static unit_tag tag_of(unit_entry e) noexcept { return static_cast<unit_tag>(e & 7); }
  /// Returns true if the tag is `special` or that of a stack.
  static bool is_special(unit_entry e) noexcept { return (e & static_cast<std::uintptr_t>(unit_tag::special)) != 0; }

  /// Called before all other functions.
  static void open() noexcept;

  /// Returns the unit of the address, with cells of `wanted` or smaller; null if there is no memory for it.
  static unit* make(std::uintptr_t address, granularity wanted) noexcept;

  /// This address is on a stack: from now on, accesses to its unit take the special path.
  static void note_stack(std::uintptr_t address) noexcept {
    if (!is_special(entry(address))) make_special(address);
  }
  /// Gives this address's unit lists of guarded accesses. Returns false if there is no memory for them.
  static bool make_guarded(std::uintptr_t address) noexcept;

  /// This memory is `unchecked`, or `of_worker`, until it is forgotten. Returns false if there is no memory for that.
  static bool mark(std::uintptr_t begin, std::size_t bytes, strand_number as) noexcept;

  /// Forgets all accesses to this memory, which shares no cell with other memory.
  static void forget(std::uintptr_t begin, std::size_t bytes) noexcept;
  /// Forgets all accesses to this memory, and to no byte beside it. Returns false if there is no memory for that.
  static bool forget_exactly(std::uintptr_t begin, std::size_t bytes) noexcept;

  /// Called by the only thread of a forked process. Abandons free memory of the shadow, because another thread may have
  /// been about to take some.
  static void begin_forked_process() noexcept;

 private:
  static void set_entry(std::uintptr_t address, unit* u, bool special) noexcept;
  static unit* allocate(granularity g) noexcept;
  static void release(unit* u) noexcept;
  static unit* split(unit* coarse, granularity g) noexcept;
  static void forget_in_unit(std::uintptr_t begin, std::uintptr_t end) noexcept;

  static void make_special(std::uintptr_t address) noexcept;
  static bool change_entry(std::uintptr_t address, unit_entry to) noexcept;

  /// Each one is `unused_table` at first. All are of the size whose index takes the fewest instructions.
  static unit_entry* tables_[std::size_t{1} << (address_bits - table_bits)];
  static unit_entry unused_table[entries_of_table];  ///< stays 0
};

}  // namespace tine::detail
