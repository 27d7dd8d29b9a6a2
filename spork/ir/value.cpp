// The operations on values.
#include "ir/value.hpp"

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

bool overflows(operation o, std::int64_t a, std::int64_t b) {
  std::int64_t wrapped = 0;
  if (o == add_overflows) return __builtin_add_overflow(a, b, &wrapped);
  if (o == sub_overflows) return __builtin_sub_overflow(a, b, &wrapped);
  return __builtin_mul_overflow(a, b, &wrapped);
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
  if (o == shift_right_zero) return wrap(x >> (y & 63));
  if (o == unsigned_less) return value::number(x < y);
  if (o == unsigned_at_most) return value::number(x <= y);
  if (o >= add_overflows && o <= mul_overflows) return value::number(overflows(o, a, b));
  if (o == unsigned_div || o == unsigned_rem) {
    return y == 0 ? std::nullopt : std::optional{wrap(o == unsigned_div ? x / y : x % y)};
  }
  const auto quotient = divide(o, a, b);
  return quotient ? std::optional{value::number(*quotient)} : std::nullopt;
}

// Returns the value of an operation on one f64, or on the bits of an i64.
value on_one(operation o, const value& a) {
  if (o == count_ones) return value::number(std::popcount(a.bits));
  if (o == leading_zeros) return value::number(std::countl_zero(a.bits));
  if (o == trailing_zeros) return value::number(std::countr_zero(a.bits));
  if (o == of_bits) return {type::f64, a.bits};
  if (o == bits_of) return {type::i64, canonical(a).bits};
  const double d = a.as_fraction();
  if (o == round_down) return value::fraction(std::floor(d));
  if (o == round_up) return value::fraction(std::ceil(d));
  if (o == round_to_zero) return value::fraction(std::trunc(d));
  if (o == round_to_even) return value::fraction(std::nearbyint(d));
  if (o == square_root) return value::fraction(std::sqrt(d));
  return value::fraction(std::fabs(d));
}

value on_fractions(operation o, double a, double b) {
  if (const auto truth = compare(o, a, b)) return value::number(*truth);
  if (o == add) return value::fraction(a + b);
  if (o == sub) return value::fraction(a - b);
  if (o == mul) return value::fraction(a * b);
  return value::fraction(a / b);
}

// A pointer has the allocation in its upper half and the cell in its lower half, which wraps around (a pointer far away
// from its allocation has no meaning).
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
  if (operands.size() == 1) return on_one(o, a);
  const value& b = operands[1];
  if (a.of_type == type::ptr) return on_pointers(o, a, b);
  if (a.of_type == type::f64) return on_fractions(o, a.as_fraction(), b.as_fraction());
  return on_numbers(o, a.as_number(), b.as_number());
}

}  // namespace tine::spork
