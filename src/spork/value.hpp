// What a temporary holds while a program is interpreted, and the operations that need nothing but values.
#pragma once

#include "spork/ir.hpp"

#include <bit>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace tine::spork {

/// A value and its type; `unknown` where nothing has been assigned yet. The well-formed never look there.
struct value {
  type of_type = type::unknown;
  std::uint64_t bits = 0;

  static value number(std::int64_t n) { return {type::i64, static_cast<std::uint64_t>(n)}; }
  static value fraction(double d) { return {type::f64, std::bit_cast<std::uint64_t>(d)}; }
  std::int64_t as_number() const { return static_cast<std::int64_t>(bits); }
  double as_fraction() const { return std::bit_cast<double>(bits); }

  bool operator==(const value&) const = default;
};

/// All NaNs are one.
value canonical(value v);

/// The program did what has no meaning. Ends the run, with the place where.
struct trap : std::runtime_error {
  trap(place at, const std::string& what) : std::runtime_error{what}, where{at} {}
  place where;
};

/// The value of an operation on values: everything but memory and calls. Nothing for a division by zero. Whole numbers wrap
/// around, shifts count modulo 64, conversions from f64 take the nearest i64 towards zero (0 for NaN).
std::optional<value> evaluate(operation o, std::span<const value> operands);

}  // namespace tine::spork
