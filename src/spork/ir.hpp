// The program as data: functions of basic blocks in SSA form, with block parameters instead of φ (Spork, Figure 1), extended by
// types, memory and calls to C. Plain structs; whoever holds a program may change it, and `verify` says whether it still is one.
//
// Names are numbers here: a block, a temporary or a function may be mentioned before it is written down, or without ever being;
// `defined` tells the difference, and the verifier reports the second case.
#pragma once

#include "spork/operation.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tine::spork {

using temp_id = std::uint32_t;      ///< index into function::temporaries
using block_id = std::uint32_t;     ///< index into function::blocks
using function_id = std::uint32_t;  ///< index into program::functions
inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// Where in the text, both counted from 1; line 0 is nowhere (made by a pass).
struct place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A constant, or a temporary. Two atoms are equal if they mean the same, wherever they stand.
struct atom {
  enum class kind : std::uint8_t { temporary, constant };

  static atom of(temp_id t, place at = {}) { return {kind::temporary, type::unknown, t, at}; }
  static atom constant(type t, std::uint64_t bits, place at = {}) { return {kind::constant, t, bits, at}; }
  static atom number(std::int64_t n, place at = {}) { return constant(type::i64, static_cast<std::uint64_t>(n), at); }

  bool is_constant() const noexcept { return what == kind::constant; }
  temp_id temporary() const noexcept { return static_cast<temp_id>(bits); }
  bool operator==(const atom& o) const noexcept { return what == o.what && of_type == o.of_type && bits == o.bits; }

  kind what = kind::constant;
  type of_type = type::i64;  ///< of a constant; a temporary's type is in the function
  std::uint64_t bits = 0;    ///< the constant as the machine holds it, or the temporary's number
  place where;
};

/// g(x̄).
struct invocation {
  function_id callee = none;
  std::vector<atom> args;
  place where;

  bool operator==(const invocation& o) const noexcept { return callee == o.callee && args == o.args; }
};

/// A mention of a block.
struct label {
  block_id block = none;
  place where;
};

/// x ← e, or e alone if nobody wants what it gives.
struct statement {
  operation what = operation::copy;
  temp_id result = none;
  type loaded = type::unknown;  ///< of load
  std::vector<atom> args;
  function_id callee = none;  ///< of call_c
  place where;
};

/// How many of its spare tokens a parent gives to the thread that a promotion makes (Spork, §4.3).
enum class sharing : std::uint8_t { half, all };

struct jump {
  label to;
  std::vector<atom> args;
};
struct branch {
  atom condition;
  label yes, no;
};
struct call {
  invocation what;
  label then;  ///< its parameters are what the function returns
};
struct give_back {
  std::vector<atom> values;
};
struct spork {
  label body;
  invocation spawn;
  sharing tokens = sharing::half;
};
struct spoin {
  label unpromoted, promoted;
  label unstolen;  ///< where the parent goes if it takes back a child that nobody began; none: to `unpromoted`
};

// Sugar, which `encode` replaces before anybody else sees the program.

/// Both calls; `then` takes the results of the first and of the second.
struct par {
  invocation first, second;
  label then;
};
/// combine(… combine(combine(zero, f(low, x̄)), f(low + 1, x̄)) …, f(high − 1, x̄)).
struct reduce {
  atom low, high, zero;
  invocation body;  ///< without the index
  function_id combine = none;
  label then;
};
/// f(low, x̄) … f(high − 1, x̄).
struct parfor {
  atom low, high;
  invocation body;  ///< without the index
  label then;
};

struct unwritten {};  ///< what a block ends with before it has been given an end

/// How a block ends.
struct transfer {
  std::variant<unwritten, jump, branch, call, give_back, spork, spoin, par, reduce, parfor> what;
  place where;
};

struct block {
  std::string name;
  place where;
  bool defined = false;
  std::vector<temp_id> params;
  std::vector<statement> statements;
  transfer end;
};

struct temporary {
  std::string name;
  place where;  ///< of its definition, else of its first mention
  bool defined = false;
  type of_type = type::unknown;
};

struct function {
  std::string name;
  place where;
  bool defined = false;
  bool in_c = false;  ///< declared: only its types are known
  std::vector<temp_id> params;
  std::vector<type> param_types;
  std::vector<type> results;
  std::vector<temporary> temporaries;
  std::vector<block> blocks;  ///< the first is the entry; a declared function has none

  type type_of(const atom& a) const { return a.is_constant() ? a.of_type : temporaries[a.temporary()].of_type; }
};

struct program {
  std::string name;  ///< of the file, for messages
  std::vector<function> functions;

  function_id find(std::string_view wanted) const {
    for (function_id i = 0; i < functions.size(); ++i) {
      if (functions[i].name == wanted) return i;
    }
    return none;
  }
};

}  // namespace tine::spork
