// Memory for the interpreter. A pointer is (number of the allocation + 1) · 2³² + cell.
#include "ir/heap.hpp"

#include "ir/print.hpp"

#include <utility>

namespace tine::spork {

void heap::add(const datum& d) {
  allocation a;
  a.constant = d.is_constant;
  for (const atom& word : d.words) a.cells.push_back({word.of_type, word.bits});
  size_ += a.cells.size() + 1;
  allocations_.push_back(std::move(a));
  ++data_;
}

value heap::allocate(value cells, contents holds, place at, std::size_t most) {
  const std::int64_t n = cells.as_number();
  const std::string what = holds == contents::numbers ? "alloc_numbers of " : "alloc of ";
  if (n < 0) throw trap{at, what + std::to_string(n) + " cells; a size is not negative"};
  if (static_cast<std::uint64_t>(n) > most || allocations_.size() >= 0x7ffffffe) {
    throw trap{
        at, what + std::to_string(n) + " cells, and " + std::to_string(most) + " are left; free some, or compute less"};
  }
  allocations_.push_back({std::vector<value>(static_cast<std::size_t>(n)), false, false, holds == contents::numbers});
  size_ += static_cast<std::size_t>(n) + 1;  // an empty allocation counts, too
  return {type::ptr, static_cast<std::uint64_t>(allocations_.size()) << 32};
}

void heap::free(value pointer, place at) {
  if (pointer.bits == 0) return;
  if (is_of_function(pointer.bits) || number_of(pointer) < data_)
    throw trap{at, "free of what alloc did not give; it exists as long as the program"};
  allocation& a = allocations_[number_of(pointer)];
  if (a.freed) throw trap{at, "free of what has been freed; free it once"};
  if ((pointer.bits & 0xffffffff) != 0) throw trap{at, "free of a ptr into the middle; free what alloc gave"};
  a.freed = true;
  size_ -= a.cells.size() + 1;
  a.cells = {};
}

std::size_t heap::cell_of(value pointer, value index, place at) const {
  if (pointer.bits == 0) throw trap{at, "access through null; check the ptr before"};
  if (is_of_function(pointer.bits)) throw trap{at, "access to a function, which has no cells; call it"};
  const allocation& a = allocations_[number_of(pointer)];
  if (a.freed) throw trap{at, "access to what has been freed; free it later"};
  const std::uint64_t wanted = (pointer.bits & 0xffffffff) + index.bits;
  if (wanted >= a.cells.size()) {
    throw trap{at, "out of bounds: cell " +
                       std::to_string(static_cast<std::int32_t>(pointer.bits) + index.as_number()) +
                       " of an allocation of " + std::to_string(a.cells.size())};
  }
  return wanted;
}

value heap::load(type t, value pointer, value index, place at) const {
  const std::size_t cell = cell_of(pointer, index, at);
  const value& v = allocations_[number_of(pointer)].cells[cell];
  if (v.of_type == type::unknown) return {t, 0};
  if (v.of_type != t) {
    throw trap{at, "load " + std::string{name_of(t)} + " of a cell that holds " + std::string{name_of(v.of_type)} +
                       " " + show_constant(v.of_type, v.bits) + "; load what was stored"};
  }
  return v;
}

void heap::store(value pointer, value index, value v, place at) {
  const std::size_t cell = cell_of(pointer, index, at);
  allocation& to = writable(pointer, at);
  if (to.numbers && v.of_type == type::ptr)
    throw trap{at, "store of a ptr to a cell of alloc_numbers, which holds only i64 and f64; allocate it by alloc"};
  to.cells[cell] = v;
}

heap::allocation& heap::writable(value pointer, place at) {
  allocation& a = allocations_[number_of(pointer)];
  if (a.constant) throw trap{at, "store to constant data; write them as global, or store elsewhere"};
  return a;
}

// Returns the cell of a byte. The cell must hold an i64, or nothing yet.
std::size_t heap::cell_with_byte(value pointer, value index, std::string_view what, place at) const {
  const std::size_t cell = cell_of(pointer, value::number(index.as_number() >> 3), at);
  const value& v = allocations_[number_of(pointer)].cells[cell];
  if (v.of_type != type::i64 && v.of_type != type::unknown) {
    throw trap{at, std::string{what} + " in a cell that holds " + std::string{name_of(v.of_type)} + " " +
                       show_constant(v.of_type, v.bits) + "; only an i64 has bytes"};
  }
  return cell;
}

value heap::load_byte(value pointer, value index, place at) const {
  const std::size_t cell = cell_with_byte(pointer, index, "load8", at);
  return {type::i64, allocations_[number_of(pointer)].cells[cell].bits >> (index.bits % 8 * 8) & 0xff};
}

void heap::store_byte(value pointer, value index, value v, place at) {
  const std::size_t cell = cell_with_byte(pointer, index, "store8", at);
  value& in = writable(pointer, at).cells[cell];
  const std::uint64_t shift = index.bits % 8 * 8;
  in = {type::i64, (in.bits & ~(std::uint64_t{0xff} << shift)) | (v.bits & 0xff) << shift};
}

}  // namespace tine::spork
