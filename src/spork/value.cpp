// The operations on values.
#include "spork/value.hpp"

#include <cmath>
#include <limits>

namespace tine::spork {
namespace {

using enum operation;

std::optional<std::int64_t> divide(operation o, std::int64_t a, std::int64_t b) {
  if (b == 0) return {};
  if (b == -1) return o == div ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(a)) : 0;
  return o == div ? a / b : a % b;
}

template <class T>
std::optional<bool> compare(operation o, T a, T b) {
  if (o == less) return a < b;
  if (o == at_most) return a <= b;
  if (o == greater) return a > b;
  if (o == at_least) return a >= b;
  if (o == equal) return a == b;
  if (o == differs) return a != b;
  return {};
}

std::optional<value> on_numbers(operation o, std::int64_t a, std::int64_t b) {
  if (const auto truth = compare(o, a, b)) return value::number(*truth);
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto wrap = [](std::uint64_t bits) { return value{type::i64, bits}; };
  if (o == add) return wrap(x + y);
  if (o == sub) return wrap(x - y);
  if (o == mul) return wrap(x * y);
  if (o == bit_and) return wrap(x & y);
  if (o == bit_or) return wrap(x | y);
  if (o == bit_xor) return wrap(x ^ y);
  if (o == shift_left) return wrap(x << (y & 63));
  if (o == shift_right) return value::number(a >> (y & 63));
  const auto quotient = divide(o, a, b);
  return quotient ? std::optional{value::number(*quotient)} : std::nullopt;
}

value on_fractions(operation o, double a, double b) {
  if (const auto truth = compare(o, a, b)) return value::number(*truth);
  if (o == add) return value::fraction(a + b);
  if (o == sub) return value::fraction(a - b);
  if (o == mul) return value::fraction(a * b);
  return value::fraction(a / b);
}

// A pointer has the allocation in its upper half and the cell in its lower half, which wraps around (a pointer far away from its
// allocation has no meaning).
value on_pointers(operation o, value a, value b) {
  if (o == equal || o == differs) return value::number((a.bits == b.bits) == (o == equal));
  const std::uint64_t cell = o == add ? a.bits + b.bits : a.bits - b.bits;
  return {type::ptr, (a.bits & ~std::uint64_t{0xffffffff}) | (cell & 0xffffffff)};
}

std::int64_t to_number(double d) {
  if (std::isnan(d)) return 0;
  if (d >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  if (d < -0x1p63) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(d);
}

}  // namespace

value canonical(value v) {
  return v.of_type == type::f64 && std::isnan(v.as_fraction())
             ? value::fraction(std::numeric_limits<double>::quiet_NaN())
             : v;
}

std::optional<value> evaluate(operation o, std::span<const value> operands) {
  const value& a = operands[0];
  if (o == copy) return a;
  if (o == negate) return a.of_type == type::f64 ? value::fraction(-a.as_fraction()) : value{type::i64, 0 - a.bits};
  if (o == invert) return value::number(a.bits == 0);
  if (o == to_i64) return a.of_type == type::f64 ? value::number(to_number(a.as_fraction())) : a;
  if (o == to_f64) return a.of_type == type::i64 ? value::fraction(static_cast<double>(a.as_number())) : a;
  if (o == select) return operands[a.bits != 0 ? 1 : 2];
  const value& b = operands[1];
  if (a.of_type == type::ptr) return on_pointers(o, a, b);
  if (a.of_type == type::f64) return on_fractions(o, a.as_fraction(), b.as_fraction());
  return on_numbers(o, a.as_number(), b.as_number());
}

}  // namespace tine::spork
