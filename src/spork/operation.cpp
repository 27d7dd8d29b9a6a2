// The table of operations.
#include "spork/operation.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tine::spork {
namespace {

constexpr std::array<operation_facts, 27> table{{
    {"", shape::atom, 1, 0, true},  // copy
    {"-", shape::prefix, 1, 0, true},       {"!", shape::prefix, 1, 0, true},
    {"i64", shape::conversion, 1, 0, true}, {"f64", shape::conversion, 1, 0, true},
    {"+", shape::infix, 2, 7, true},        {"-", shape::infix, 2, 7, true},
    {"*", shape::infix, 2, 8, true},        {"/", shape::infix, 2, 8, false},
    {"%", shape::infix, 2, 8, false},       {"&", shape::infix, 2, 3, true},
    {"|", shape::infix, 2, 1, true},        {"^", shape::infix, 2, 2, true},
    {"<<", shape::infix, 2, 6, true},       {">>", shape::infix, 2, 6, true},
    {"<", shape::infix, 2, 5, true},        {"<=", shape::infix, 2, 5, true},
    {">", shape::infix, 2, 5, true},        {">=", shape::infix, 2, 5, true},
    {"==", shape::infix, 2, 4, true},       {"!=", shape::infix, 2, 4, true},
    {"select", shape::listed, 3, 0, true},  {"load", shape::memory, 2, 0, false},
    {"store", shape::memory, 3, 0, false},  {"alloc", shape::listed, 1, 0, false},
    {"free", shape::listed, 1, 0, false},   {"", shape::c, 0, 0, false},
}};

bool is_number(type t) { return t == type::i64 || t == type::f64; }

type infix_result(operation o, type a, type b) {
  using enum operation;
  switch (o) {
    case add:
    case sub:
      if (a == type::ptr) return b == type::i64 ? type::ptr : type::unknown;
      [[fallthrough]];
    case mul:
    case div:
      return a == b && is_number(a) ? a : type::unknown;
    case less:
    case at_most:
    case greater:
    case at_least:
      return a == b && is_number(a) ? type::i64 : type::unknown;
    case equal:
    case differs:
      return a == b ? type::i64 : type::unknown;
    default:  // operations that only whole numbers have
      return a == type::i64 && b == type::i64 ? type::i64 : type::unknown;
  }
}

}  // namespace

std::string_view name_of(type t) {
  switch (t) {
    case type::i64:
      return "i64";
    case type::f64:
      return "f64";
    case type::ptr:
      return "ptr";
    case type::unknown:
      break;
  }
  return "unknown";
}

const operation_facts& facts(operation o) { return table[static_cast<std::size_t>(o)]; }

operation infix_spelt(std::string_view spelling) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].written == shape::infix && table[i].spelling == spelling) return static_cast<operation>(i);
  }
  return operation::copy;
}

type result_of(operation o, std::span<const type> operands, type loaded) {
  using enum operation;
  if (operands.size() != facts(o).operands || std::ranges::count(operands, type::unknown) != 0) return type::unknown;
  if (facts(o).written == shape::infix) return infix_result(o, operands[0], operands[1]);
  switch (o) {
    case copy:
      return operands[0];
    case negate:
      return is_number(operands[0]) ? operands[0] : type::unknown;
    case invert:
      return operands[0] == type::i64 ? type::i64 : type::unknown;
    case to_i64:
      return is_number(operands[0]) ? type::i64 : type::unknown;
    case to_f64:
      return is_number(operands[0]) ? type::f64 : type::unknown;
    case select:
      return operands[0] == type::i64 && operands[1] == operands[2] ? operands[1] : type::unknown;
    case load:
      return operands[0] == type::ptr && operands[1] == type::i64 ? loaded : type::unknown;
    case alloc:
      return operands[0] == type::i64 ? type::ptr : type::unknown;
    // store and free have no value; the type of their first operand says that the operands fit
    case store:
      return operands[0] == type::ptr && operands[1] == type::i64 ? type::ptr : type::unknown;
    case free:
      return operands[0] == type::ptr ? type::ptr : type::unknown;
    default:
      return type::unknown;
  }
}

std::string_view wants(operation o) {
  using enum operation;
  switch (o) {
    case add:
    case sub:
      return "two i64, two f64, or a ptr and an i64";
    case mul:
    case div:
    case less:
    case at_most:
    case greater:
    case at_least:
      return "two i64 or two f64";
    case equal:
    case differs:
      return "two values of one type";
    case negate:
    case to_i64:
    case to_f64:
      return "an i64 or an f64";
    case invert:
    case alloc:
      return "an i64";
    case select:
      return "an i64 and two values of one type";
    case load:
    case store:
      return "a ptr and an i64 in brackets";
    case free:
      return "a ptr";
    case copy:
    case call_c:
      return "a value";
    default:
      return "two i64";
  }
}

}  // namespace tine::spork
