// The types of values and the operations on them: one table says how each is written, how many operands it takes and whether it
// is pure.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tine::spork {

enum class type : std::uint8_t { unknown, i64, f64, ptr };

std::string_view name_of(type t);

enum class operation : std::uint8_t {
  copy,
  // one operand
  negate,
  invert,
  to_i64,
  to_f64,
  // two operands, written between them
  add,
  sub,
  mul,
  div,
  rem,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  less,
  at_most,
  greater,
  at_least,
  equal,
  differs,
  // three operands
  select,
  // memory, in cells of eight bytes
  load,
  store,
  alloc,
  free,
  // a declared function
  call_c,
};

/// The notation of an operation.
enum class shape : std::uint8_t { atom, prefix, conversion, infix, listed, memory, c };

struct operation_facts {
  std::string_view spelling;
  shape written;
  std::uint8_t operands;
  std::uint8_t precedence;  ///< of infix: a higher one binds tighter
  bool pure;                ///< may be computed twice, or not at all: it neither traps nor uses memory
};

const operation_facts& facts(operation o);

/// Returns the infix operation with this spelling; `copy` if there is none.
operation infix_spelt(std::string_view spelling);

/// Returns the type of the value of `o` for operands of these types; `unknown` if `o` does not take them. `loaded` is the type of a
/// load. (Not for call_c. store and free have no value; if the operands fit, the type of the first one is returned.)
type result_of(operation o, std::span<const type> operands, type loaded);

/// Returns the operands that `o` takes, in words for a message.
std::string_view wants(operation o);

}  // namespace tine::spork
