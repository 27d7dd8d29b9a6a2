// The types and the notation of operations, from their table.
#include "ir/operation.hpp"

#include <algorithm>
#include <iterator>

namespace tine::spork {
namespace {

constexpr operation_facts table[] = {
#define OPERATION(name, spelling, notation, operands, precedence, effects, operand_types, result) \
  {spelling, shape::notation, operands, precedence, effect::effects, takes::operand_types, gives::result},
#include "ir/operations.def"
#undef OPERATION
};

bool is_number(type t) { return t == type::i64 || t == type::f64; }

bool are_numbers(std::span<const type> t) { return t[0] == t[1] && is_number(t[0]); }

/// Returns true if the operands have types that the operation takes. Their number is right.
bool fits(takes what, std::span<const type> t) {
  switch (what) {
    case takes::anything:
      return true;
    case takes::number:
      return is_number(t[0]);
    case takes::whole:
      return t[0] == type::i64;
    case takes::fraction:
      return t[0] == type::f64;
    case takes::pointer:
      return t[0] == type::ptr;
    case takes::numbers:
      return are_numbers(t);
    case takes::numbers_or_offset:
      return are_numbers(t) || (t[0] == type::ptr && t[1] == type::i64);
    case takes::wholes:
      return t[0] == type::i64 && t[1] == type::i64;
    case takes::pair:
      return t[0] == t[1];
    case takes::choice:
      return t[0] == type::i64 && t[1] == t[2];
    case takes::cell:
      return t[0] == type::ptr && t[1] == type::i64;
    case takes::counter:
      return t[0] == type::ptr && t[1] == type::i64;
    case takes::swapped:
      return t[0] == type::ptr && t[1] == t[2] && t[1] != type::f64;
    case takes::byte:
      return t[0] == type::ptr && std::ranges::count(t.subspan(1), type::i64) == std::ssize(t) - 1;
    case takes::declared:
      break;
  }
  return false;
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
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (table[i].written == shape::infix && table[i].spelling == spelling) return static_cast<operation>(i);
  }
  return operation::copy;
}

operation word_for(std::string_view spelling) {
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const shape written = table[i].written;
    const bool is_word = written == shape::conversion || written == shape::listed || written == shape::memory;
    if (is_word && table[i].spelling == spelling) return static_cast<operation>(i);
  }
  return operation::copy;
}

type result_of(operation o, std::span<const type> operands, type loaded) {
  const operation_facts& about = facts(o);
  if (operands.size() != about.operands || std::ranges::count(operands, type::unknown) != 0) return type::unknown;
  if (!fits(about.from, operands)) return type::unknown;
  switch (about.to) {
    case gives::operand:
    case gives::nothing:
      return operands[0];
    case gives::second:
      return operands[1];
    case gives::i64:
      return type::i64;
    case gives::f64:
      return type::f64;
    case gives::ptr:
      return type::ptr;
    case gives::loaded:
      break;
  }
  return loaded;
}

std::string_view wants(operation o) {
  switch (facts(o).from) {
    case takes::number:
      return "an i64 or an f64";
    case takes::whole:
      return "an i64";
    case takes::fraction:
      return "an f64";
    case takes::pointer:
      return "a ptr";
    case takes::numbers:
      return "two i64 or two f64";
    case takes::numbers_or_offset:
      return "two i64, two f64, or a ptr and an i64";
    case takes::wholes:
      return "two i64";
    case takes::pair:
      return "two values of one type";
    case takes::choice:
      return "an i64 and two values of one type";
    case takes::cell:
      return "a ptr and an i64 in brackets";
    case takes::counter:
      return "a ptr and an i64";
    case takes::swapped:
      return "a ptr and two i64 or two ptr";
    case takes::byte:
      return "a ptr and an i64 in brackets, and stores an i64";
    case takes::anything:
    case takes::declared:
      break;
  }
  return "a value";
}

}  // namespace tine::spork
