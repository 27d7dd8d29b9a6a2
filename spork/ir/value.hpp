// The values that temporaries hold while a program is interpreted, and the operations that need only values.
#pragma once

#include "ir/program.hpp"

#include <bit>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace tine::spork {

/// A value and its type; `unknown` where nothing has been assigned yet. Well-formed programs never read such a value.
struct value {
  type of_type = type::unknown;
  std::uint64_t bits = 0;

  static value number(std::int64_t n) { return {type::i64, static_cast<std::uint64_t>(n)}; }
  static value fraction(double d) { return {type::f64, std::bit_cast<std::uint64_t>(d)}; }
  std::int64_t as_number() const { return static_cast<std::int64_t>(bits); }
  double as_fraction() const { return std::bit_cast<double>(bits); }

  bool operator==(const value&) const = default;
};

/// Returns `v`, or the one canonical NaN if `v` is a NaN.
value canonical(value v);

/// Thrown when the program does something that has no meaning. It ends the run and holds the place.
struct trap : std::runtime_error {
  trap(place at, const std::string& what) : std::runtime_error{what}, where{at} {}
  place where;
};

/// Returns the value of an operation that is neither on memory nor a call, or nothing for a division by zero. Whole
/// numbers wrap around, shifts count modulo 64, conversions from f64 take the nearest i64 towards zero (0 for NaN). The
/// bits of a NaN are those of the canonical one.
std::optional<value> evaluate(operation o, std::span<const value> operands);

}  // namespace tine::spork
