// The memory of an interpreted program: allocations of cells, each of which records its type. A read of a cell that
// does not exist, or as another type than it was written, traps. A byte is a part of a cell that holds an i64; the byte
// with the lowest index is the least significant one, as on the processors that run compiled code.
#pragma once

#include "ir/value.hpp"

#include <vector>

namespace tine::spork {

class heap {
 public:
  struct allocation {
    std::vector<value> cells;  ///< a cell of type `unknown` is not yet written, and reads as zero of any type
    bool freed = false;
    bool constant = false;  ///< a store traps
    bool numbers = false;   ///< a store of a pointer traps
  };

  /// Adds the next data of a program. They come before everything that the program allocates.
  void add(const datum& d);
  enum class contents : std::uint8_t { values, numbers };
  value allocate(value cells, contents holds, place at, std::size_t most);
  void free(value pointer, place at);
  value load(type t, value pointer, value index, place at) const;
  void store(value pointer, value index, value v, place at);
  /// Returns the byte that is `index` bytes behind a pointer, as an i64 from 0 to 255.
  value load_byte(value pointer, value index, place at) const;
  /// Stores the lowest byte of `v`.
  void store_byte(value pointer, value index, value v, place at);

  /// Returns how many cells are held, and one more for each allocation.
  std::size_t size() const noexcept { return size_; }
  const std::vector<allocation>& allocations() const { return allocations_; }
  /// Returns how many allocations are data.
  std::size_t data() const noexcept { return data_; }
  /// Returns the number of the allocation that a pointer points into; `none` for null. (Not for the address of a
  /// function.)
  static std::uint32_t number_of(value pointer) { return data_at(pointer.bits); }

 private:
  std::size_t cell_of(value pointer, value index, place at) const;
  /// Returns the allocation of `pointer`, for a store.
  allocation& writable(value pointer, place at);
  std::size_t cell_with_byte(value pointer, value index, std::string_view what, place at) const;

  std::vector<allocation> allocations_;
  std::size_t size_ = 0, data_ = 0;
};

}  // namespace tine::spork
