// The types of values and the operations on them. `operations.def` has a row for each operation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tine::spork {

enum class type : std::uint8_t { unknown, i64, f64, ptr };

std::string_view name_of(type t);

enum class operation : std::uint8_t {
#define OPERATION(name, ...) name,
#include "ir/operations.def"
#undef OPERATION
};

/// The notation of an operation.
enum class shape : std::uint8_t { atom, prefix, conversion, infix, listed, memory, c };

/// The effect of an operation besides its value. An operation without effect may be computed twice, or not at all.
enum class effect : std::uint8_t { none, traps, memory, foreign };

/// The types of the operands that an operation takes.
enum class takes : std::uint8_t {
  anything,           ///< one value
  number,             ///< an i64 or an f64
  whole,              ///< an i64
  fraction,           ///< an f64
  pointer,            ///< a ptr
  numbers,            ///< two i64 or two f64
  numbers_or_offset,  ///< the same, or a ptr and an i64
  wholes,             ///< two i64
  pair,               ///< two values of one type
  choice,             ///< an i64, and two values of one type
  cell,               ///< a ptr and an i64, and for a store any value
  counter,            ///< a ptr and an i64
  swapped,            ///< a ptr and two i64 or two ptr
  byte,               ///< a ptr and an i64, and for a store an i64
  declared,           ///< the parameters of a declared function, which the verifier checks
};

/// The type of an operation's value. `operand` and `second` are those of the first and the second operand. `nothing`:
/// the operation has no value, and is a statement of its own.
enum class gives : std::uint8_t { operand, second, i64, f64, ptr, loaded, nothing };

struct operation_facts {
  std::string_view spelling;
  shape written;
  std::uint8_t operands;
  std::uint8_t precedence;
  effect has;
  takes from;
  gives to;
};

const operation_facts& facts(operation o);

/// Returns true if `o` may be computed twice, or not at all.
inline bool is_pure(operation o) { return facts(o).has == effect::none; }

/// Returns true if `o` reads, writes, allocates or frees memory of the program.
inline bool uses_memory(operation o) { return facts(o).has == effect::memory; }

/// Returns the infix operation with this spelling; `copy` if there is none.
operation infix_spelt(std::string_view spelling);

/// Returns the operation that is written as this word, before operands in parentheses or a cell; `copy` if there is
/// none.
operation word_for(std::string_view spelling);

/// Returns the type of the value of `o` for operands of these types; `unknown` if `o` does not take them. `loaded` is
/// the type of a load. (Not for call_c. If an operation without a value takes the operands, the type of the first one
/// is returned.)
type result_of(operation o, std::span<const type> operands, type loaded);

/// Returns the operands that `o` takes, in words for a message.
std::string_view wants(operation o);

}  // namespace tine::spork
