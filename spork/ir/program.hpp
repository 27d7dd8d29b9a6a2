// The program as data: functions of basic blocks in SSA form, with block parameters instead of φ (Spork, Figure 1),
// extended by types, memory and calls to C. The structs are plain: any holder of a program may change it, and `verify`
// checks whether it is still well-formed.
//
// Names are numbers here. The text may mention a block, a temporary or a function before its definition, or without
// one; `defined` distinguishes the two cases, and the verifier reports the second.
#pragma once

#include "ir/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tine::spork {

using temp_id = std::uint32_t;      ///< index into function::temporaries
using block_id = std::uint32_t;     ///< index into function::blocks
using function_id = std::uint32_t;  ///< index into program::functions
using data_id = std::uint32_t;      ///< index into program::data
using inlined_id = std::uint32_t;   ///< index into function::inlined, plus 1; 0: the code was not inlined
inline constexpr std::uint32_t none = ~std::uint32_t{0};

// Addresses, which are constants of type ptr. They have the form that pointers have in the interpreter: the number of
// the allocation and 1 in the upper half, the cell in the lower half. The data of a program are its first allocations.
// A function has no cells, and the highest bit.
inline constexpr std::uint64_t address_of_data(data_id d) { return (std::uint64_t{d} + 1) << 32; }
inline constexpr std::uint64_t address_of_function(function_id f) {
  return (std::uint64_t{1} << 63) | std::uint64_t{f} << 32;
}
inline constexpr bool is_of_function(std::uint64_t address) { return address >> 63 != 0; }
inline constexpr data_id data_at(std::uint64_t address) { return static_cast<data_id>(address >> 32) - 1; }
inline constexpr function_id function_at(std::uint64_t address) {
  return static_cast<function_id>(address >> 32 & 0x7fffffff);
}

/// A position in the program's text, or in a source from which a front end made the program. Lines and columns count
/// from 1; line 0 means no position (the code was made by a pass).
struct place {
  static constexpr std::uint32_t last_column = (1U << 22) - 1;  ///< stands for all columns behind it, too
  static constexpr std::uint32_t most_sources = (1U << 10) - 1;

  /// `source`: the number of the source, from 1; 0: the text of the program itself. Sources beyond the greatest number
  /// have no places.
  static constexpr place at(std::uint32_t line, std::size_t column, std::size_t source = 0) {
    place p;
    if (source > most_sources) return p;
    p.line = line;
    p.column = static_cast<std::uint32_t>(column < last_column ? column : last_column) & last_column;
    p.source = static_cast<std::uint32_t>(source) & most_sources;
    return p;
  }

  std::uint32_t line = 0;
  std::uint32_t column : 22 = 0;
  std::uint32_t source : 10 = 0;  ///< program::sources[source - 1]; 0: the text of the program itself
};

/// A constant, or a temporary. Two atoms are equal if they have the same meaning, regardless of their places.
struct atom {
  enum class kind : std::uint8_t { temporary, constant };

  static atom of(temp_id t, place at = {}) { return {kind::temporary, type::unknown, t, at}; }
  static atom constant(type t, std::uint64_t bits, place at = {}) { return {kind::constant, t, bits, at}; }
  static atom number(std::int64_t n, place at = {}) { return constant(type::i64, static_cast<std::uint64_t>(n), at); }

  bool is_constant() const noexcept { return what == kind::constant; }
  /// Returns true if this is the address of data or of a function.
  bool is_address() const noexcept { return is_constant() && of_type == type::ptr && bits != 0; }
  temp_id temporary() const noexcept { return static_cast<temp_id>(bits); }
  bool operator==(const atom& o) const noexcept { return what == o.what && of_type == o.of_type && bits == o.bits; }

  kind what = kind::constant;
  type of_type = type::i64;  ///< of a constant; a temporary's type is in the function
  std::uint64_t bits = 0;    ///< the constant as the machine holds it, or the temporary's number
  place where;
};

/// The call g(x̄).
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

/// x ← e, or e alone if its value is not used.
struct statement {
  operation what = operation::copy;
  temp_id result = none;
  type loaded = type::unknown;  ///< of load
  std::vector<atom> args;
  function_id callee = none;  ///< of call_c
  place where;
  inlined_id inlined = 0;
};

/// The share of its spare tokens that a parent gives to the thread that a promotion makes (Spork, §4.3).
enum class sharing : std::uint8_t { no_token, half, all };

struct jump {
  label to;
  std::vector<atom> args;
};
struct branch {
  atom condition;
  label yes, no;
};
/// Goes to the block of the way whose value the condition has, else to `otherwise`.
struct switch_on {
  struct way {
    std::int64_t value = 0;
    label to;
  };
  atom condition;
  std::vector<way> ways;  ///< with different values
  label otherwise;

  const label& target(std::int64_t value) const {
    for (const way& each : ways) {
      if (each.value == value) return each.to;
    }
    return otherwise;
  }
};
struct call {
  invocation what;
  label then;          ///< its parameters take the function's results
  label handler = {};  ///< sugar: its parameter takes the exception; none: the caller raises it in turn
};
/// Calls the function whose address `callee` is. Its parameters have the types of `args`, and its results the types of
/// the parameters of `then`; a call of any other ptr traps.
struct indirect_call {
  atom callee;
  std::vector<atom> args;
  label then;
  bool raises = false;  ///< sugar: the callee may raise an exception
  label handler = {};   ///< sugar: as of a call
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
  label unstolen;      ///< where the parent continues if it reclaims a child that has not begun; none: in `unpromoted`
  label handler = {};  ///< sugar: as of a call, for the exception of the spawned call
};

// Sugar. `encode` replaces it before any later stage sees the program. The members above that are sugar are `none` and
// false then.

/// Ends the function with an exception, which is not null.
struct raise {
  atom raised;
};

/// Runs both calls; `then` takes the results of the first, then those of the second.
struct par {
  invocation first, second;
  label then;
  label handler = {};  ///< takes the exception of the first, or if there is none, of the second
};
/// The values combine(… combine(combine(zero, f(low, x̄)), f(low + 1, x̄)) …, f(high − 1, x̄)).
struct reduce {
  atom low, high;
  std::vector<atom> zero;  ///< as many as the results of f
  invocation body;         ///< without the index
  function_id combine = none;
  label then;
  label handler = {};  ///< takes the exception of the first iteration that has one
};
/// The calls f(low, x̄) … f(high − 1, x̄).
struct parfor {
  atom low, high;
  invocation body;  ///< without the index
  label then;
  label handler = {};  ///< as of a reduce
};

struct unwritten {};  ///< the end of a block that has no transfer yet

/// The end of a block.
struct transfer {
  std::variant<unwritten, jump, branch, switch_on, call, indirect_call, give_back, spork, spoin, raise, par, reduce,
               parfor>
      what;
  place where;
  inlined_id inlined = 0;
};

/// A call that a pass has replaced by the code of the callee. Its statements and transfers refer to it, for debuggers
/// and profilers.
struct inlined_call {
  std::string callee;
  place begin;            ///< of the callee
  place where;            ///< of the call
  inlined_id inside = 0;  ///< the inlined call whose code had this call
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
  bool in_c = false;      ///< declared: only its types are known
  bool exported = false;  ///< C calls it by its name
  bool pure = false;      ///< in C: its result depends on its arguments alone, and a call has no effect and ends
  bool external = false;  ///< another file of the program defines it: only its types are known; `link` replaces it
  bool raises = false;    ///< sugar: it may raise an exception
  bool light = false;     ///< a loop calls it in chunks: it is inlined if it is not large
  bool apart = false;     ///< it is not inlined: a call costs little beside its loop, and machine code of that is long
  std::vector<temp_id> params;
  std::vector<type> param_types;
  std::vector<type> results;
  std::vector<temporary> temporaries;
  std::vector<block> blocks;  ///< the first is the entry; a declared function has none
  std::vector<inlined_call> inlined = {};

  /// Returns true if code outside of the program calls the function.
  bool is_entry() const { return exported || (name == "main" && !in_c); }
  type type_of(const atom& a) const { return a.is_constant() ? a.of_type : temporaries[a.temporary()].of_type; }
};

/// Memory that exists before the program begins, and as long as it runs.
struct datum {
  std::string name;
  place where;
  bool is_constant = true;  ///< a store to it traps
  std::vector<atom> words;  ///< the initial values of the cells, which are constants
  std::optional<std::string> text =
      {};                 ///< the bytes of `words` as the program gives them; at least one zero byte follows
  bool external = false;  ///< another file of the program defines them: there are no words; `link` replaces them
};

struct program {
  std::string name;                  ///< of the file, for messages
  std::vector<std::string> sources;  ///< the files from which a front end made the program, for its places
  std::vector<function> functions;
  std::vector<datum> data;

  function_id find(std::string_view wanted) const {
    for (function_id i = 0; i < functions.size(); ++i) {
      if (functions[i].name == wanted) return i;
    }
    return none;
  }
};

/// Returns true if C calls functions of the program.
inline bool has_exports(const program& p) {
  for (const function& f : p.functions) {
    if (f.exported) return true;
  }
  return false;
}

}  // namespace tine::spork
