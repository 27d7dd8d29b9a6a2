// The operations of the compiler: `prim "name"` in the basis. Those that overloading shares ("+", "<", …) depend on the
// operand's type.
#include "ml/lower/function_lowering.hpp"

#include <limits>

namespace tine::ml::lower {

using spork::atom;
using spork::block_id;
using spork::operation;

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

atom real(double x) { return atom::constant(spork::type::f64, std::bit_cast<std::uint64_t>(x)); }

bool is_number(const atom& a, std::int64_t n) { return a.is_constant() && static_cast<std::int64_t>(a.bits) == n; }

operation order_of(std::string_view name) {
  return name == "<"    ? operation::less
         : name == "<=" ? operation::at_most
         : name == ">"  ? operation::greater
                        : operation::at_least;
}

bool is_order(std::string_view name) { return name == "<" || name == "<=" || name == ">" || name == ">="; }

}  // namespace

function_lowering::result function_lowering::primitive(std::string_view name, const value& given, ground_ref arrow,
                                                       bool is_tail) {
  if (name == "spork") return call_spork(opened(given, arrow->parts[0]), arrow, is_tail);
  if (name == "reduce") return call_reduce(opened(given, arrow->parts[0]), arrow, is_tail);
  if (name == "parfor") return call_parfor(opened(given, arrow->parts[0]), arrow, is_tail);
  const value argument = contents(given, arrow->parts[0]);
  const ground_ref from = arrow->parts[0];
  const auto finish = [&](value v) -> result {
    if (!is_tail) return v;
    return_value(v);
    return {};
  };
  if (name == "=" || name == "<>") {
    const ground_ref t = from->parts[0];
    const atom same = equal(part(argument, 0), part(argument, 1), t);
    return finish(name == "=" ? truth(same) : truth(whole(operation::bit_xor, same, atom::number(1))));
  }
  const ground_ref operand = from->is == ground::kind::record && !from->parts.empty() ? from->parts[0] : from;
  result made = numeric(name, argument, operand);
  if (!made) made = real_primitive(name, argument);
  if (!made) made = word_primitive(name, argument);
  if (!made) made = memory_primitive(name, argument, arrow);
  if (!made) made = text_primitive(name, argument);
  if (!made) made = foreign_primitive(name, argument, arrow);
  if (made) return finish(*made);
  throw std::logic_error{"the basis uses an operation that the compiler does not have: " + std::string(name)};
}

// --- numbers ---

std::optional<value> function_lowering::numeric(std::string_view name, const value& argument, ground_ref operand) {
  if (operand->is != ground::kind::applied) return {};
  const type_store& types = all_.source.types;
  const type_constructor* head = operand->head;
  if (is_order(name)) return compare(name, argument, operand);
  const bool is_unary = name == "~" || name == "abs";
  if (!is_unary && name != "+" && name != "-" && name != "*" && name != "div" && name != "mod" && name != "/")
    return {};
  const atom a = argument.cells[0], b = is_unary ? a : argument.cells[1];
  if (head == types.real->head) return of_real(name, a, b);
  if (head == types.word->head) return of_word(name, a, b, false);
  if (head == types.word8->head) return of_word(name, a, b, true);
  return of_int(name, a, b);
}

std::optional<value> function_lowering::compare(std::string_view name, const value& argument, ground_ref operand) {
  const type_store& types = all_.source.types;
  const atom a = argument.cells[0], b = argument.cells[1];
  const operation order = order_of(name);
  if (operand->head == types.string->head)
    return truth(whole(order, call_helper("ml.string_compare", {a, b}), atom::number(0)));
  if (operand->head == types.word->head) {
    if (name == "<") return truth(whole(operation::unsigned_less, a, b));
    if (name == ">") return truth(whole(operation::unsigned_less, b, a));
    return truth(name == "<=" ? whole(operation::unsigned_at_most, a, b) : whole(operation::unsigned_at_most, b, a));
  }
  return truth(whole(order, a, b));
}

value function_lowering::of_int(std::string_view name, atom a, atom b) {
  if (name == "div" || name == "mod") return divide(name, a, b);
  if (name == "~" || name == "abs") {
    raise_if(whole(operation::equal, a, atom::number(least)), "Overflow");
    const atom negated = op(operation::negate, {a}, spork::type::i64);
    if (name == "~") return of(negated);
    return of(op(operation::select, {whole(operation::less, a, atom::number(0)), negated, a}, spork::type::i64));
  }
  const bool adds = name == "+", subtracts = name == "-";
  raise_if(whole(adds        ? operation::add_overflows
                 : subtracts ? operation::sub_overflows
                             : operation::mul_overflows,
                 a, b),
           "Overflow");
  return of(whole(adds ? operation::add : subtracts ? operation::sub : operation::mul, a, b));
}

// Rounds towards negative infinity, where the machine rounds towards zero.
value function_lowering::divide(std::string_view name, atom a, atom b) {
  if (!b.is_constant() || b.bits == 0) raise_if(whole(operation::equal, b, atom::number(0)), "Div");
  const bool is_div = name == "div";
  if (is_number(b, -1) || !b.is_constant()) {
    const atom is_minus_one = whole(operation::equal, b, atom::number(-1));
    if (is_div)
      raise_if(whole(operation::bit_and, is_minus_one, whole(operation::equal, a, atom::number(least))), "Overflow");
    else
      b = op(operation::select, {is_minus_one, atom::number(1), b}, spork::type::i64);
  }
  const atom rest = whole(operation::rem, a, b);
  const atom differ = whole(operation::less, whole(operation::bit_xor, rest, b), atom::number(0));
  const atom rounds = whole(operation::bit_and, differ, whole(operation::differs, rest, atom::number(0)));
  if (is_div) return of(whole(operation::sub, whole(operation::div, a, b), rounds));
  return of(whole(operation::add, rest, op(operation::select, {rounds, b, atom::number(0)}, spork::type::i64)));
}

value function_lowering::of_word(std::string_view name, atom a, atom b, bool has_8_bits) {
  const auto fit = [&](atom w) { return of(has_8_bits ? whole(operation::bit_and, w, atom::number(255)) : w); };
  if (name == "~") return fit(op(operation::negate, {a}, spork::type::i64));
  if (name == "+") return fit(whole(operation::add, a, b));
  if (name == "-") return fit(whole(operation::sub, a, b));
  if (name == "*") return fit(whole(operation::mul, a, b));
  raise_if(whole(operation::equal, b, atom::number(0)), "Div");
  return of(whole(name == "div" ? operation::unsigned_div : operation::unsigned_rem, a, b));
}

value function_lowering::of_real(std::string_view name, atom a, atom b) {
  const auto is = [&](operation o) { return of(op(o, {a, b}, spork::type::f64)); };
  if (name == "~") return of(op(operation::negate, {a}, spork::type::f64));
  if (name == "abs") return of(op(operation::magnitude, {a}, spork::type::f64));
  if (name == "+") return is(operation::add);
  if (name == "-") return is(operation::sub);
  if (name == "*") return is(operation::mul);
  return is(operation::div);
}

// Converts a real without fraction. NaN raises Domain, what is no int Overflow.
value function_lowering::to_int(atom rounded) {
  const auto test = [&](operation o, atom a, atom b) { return op(o, {a, b}, spork::type::i64); };
  raise_if(test(operation::differs, rounded, rounded), "Domain");
  const atom fits = whole(operation::bit_and, test(operation::at_least, rounded, real(-0x1p63)),
                          test(operation::less, rounded, real(0x1p63)));
  raise_if(whole(operation::bit_xor, fits, atom::number(1)), "Overflow");
  return of(op(operation::to_i64, {rounded}, spork::type::i64));
}

std::optional<value> function_lowering::real_primitive(std::string_view name, const value& argument) {
  if (argument.cells.empty()) return {};
  const atom a = argument.cells[0];
  const auto unary = [&](operation o) { return op(o, {a}, spork::type::f64); };
  if (name == "Real.fromInt") return of(unary(operation::to_f64));
  if (name == "Real.floor") return to_int(unary(operation::round_down));
  if (name == "Real.ceil") return to_int(unary(operation::round_up));
  if (name == "Real.round") return to_int(unary(operation::round_to_even));
  if (name == "Real.trunc") return to_int(unary(operation::round_to_zero));
  if (name == "Real.realFloor") return of(unary(operation::round_down));
  if (name == "Real.realCeil") return of(unary(operation::round_up));
  if (name == "Real.realTrunc") return of(unary(operation::round_to_zero));
  if (name == "Real.realRound") return of(unary(operation::round_to_even));
  if (name == "Math.sqrt") return of(unary(operation::square_root));
  if (name == "Real.isNan") return truth(op(operation::differs, {a, a}, spork::type::i64));
  if (name == "Real.==") return truth(op(operation::equal, {a, argument.cells[1]}, spork::type::i64));
  return {};
}

// --- words, characters ---

std::optional<value> function_lowering::word_primitive(std::string_view name, const value& argument) {
  const std::size_t dot = name.find('.');
  if (argument.cells.empty() || dot == std::string_view::npos) return {};
  const std::string_view structure = name.substr(0, dot), what = name.substr(dot + 1);
  const atom a = argument.cells[0], b = argument.cells.back();
  if (structure == "Int") {
    if (what != "quot" && what != "rem") return {};
    raise_if(whole(operation::equal, b, atom::number(0)), "Div");
    const atom is_minus_one = whole(operation::equal, b, atom::number(-1));
    if (what == "quot") {
      raise_if(whole(operation::bit_and, is_minus_one, whole(operation::equal, a, atom::number(least))), "Overflow");
      return of(whole(operation::div, a, b));
    }
    return of(whole(operation::rem, a, op(operation::select, {is_minus_one, atom::number(1), b}, spork::type::i64)));
  }
  if (structure == "Char") {
    if (what == "ord") return of(a);
    if (what != "chr") return {};
    raise_if(whole(operation::unsigned_less, atom::number(255), a), "Chr");
    return of(a);
  }
  if (structure != "Word" && structure != "Word8") return {};
  const bool has_8_bits = structure == "Word8";
  const auto fit = [&](atom w) { return of(has_8_bits ? whole(operation::bit_and, w, atom::number(255)) : w); };
  const auto is_small = [&] { return whole(operation::unsigned_less, b, atom::number(64)); };
  const auto shifted = [&](operation o) {
    return op(operation::select, {is_small(), whole(o, a, b), atom::number(0)}, spork::type::i64);
  };
  if (what == "andb") return of(whole(operation::bit_and, a, b));
  if (what == "orb") return of(whole(operation::bit_or, a, b));
  if (what == "xorb") return of(whole(operation::bit_xor, a, b));
  if (what == "notb") return fit(whole(operation::bit_xor, a, atom::number(-1)));
  if (what == "<<") return fit(shifted(operation::shift_left));
  if (what == ">>") return of(shifted(operation::shift_right_zero));
  if (what == "~>>")
    return of(
        whole(operation::shift_right, a, op(operation::select, {is_small(), b, atom::number(63)}, spork::type::i64)));
  if (what == "fromInt" || what == "fromLarge") return fit(a);
  if (what == "toLarge") return of(a);
  if (what == "toIntX") {
    if (!has_8_bits) return of(a);
    const atom left = whole(operation::shift_left, a, atom::number(56));
    return of(whole(operation::shift_right, left, atom::number(56)));
  }
  if (what != "toInt") return {};
  if (!has_8_bits) raise_if(whole(operation::less, a, atom::number(0)), "Overflow");
  return of(a);
}

}  // namespace tine::ml::lower
