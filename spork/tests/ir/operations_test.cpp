// Checks that the interpreter and compiled code agree on each pure operation and each division, on all tuples of values
// at which operations behave in special ways.
#include "ir/builder.hpp"
#include "ir/codegen/jit.hpp"
#include "ir/interpret.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace tine::spork;

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto most = std::numeric_limits<std::int64_t>::max();

std::vector<atom> special(type t) {
  std::vector<atom> all;
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{2}, std::int64_t{40},
                               std::int64_t{63}, std::int64_t{64}, std::int64_t{-7}, std::int64_t{1} << 62, most, least,
                               least + 1, std::int64_t{0x7ff8} << 48}) {
    if (t == type::i64) all.push_back(atom::number(n));
  }
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double d : {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 5e-324, 1e300, -1e300, 0x1p63, -0x1p63,
                         9007199254740993.0, inf, -inf, nan}) {
    if (t == type::f64) all.push_back(atom::constant(t, std::bit_cast<std::uint64_t>(d)));
  }
  return all;
}

// Returns a program whose main returns the value of `o` for all tuples of special values of these types. The values are
// in a global, so that only LLVM's passes could know them. Leaves out what traps.
program table_of(operation o, const std::vector<type>& types) {
  program p;
  p.name = std::string{facts(o).spelling} + show_types(types);
  function main = builder::begin("main", {}, {});
  builder make{main};
  const block_id entry = make.add_block("entry");
  datum values{"values", {}, false, {}};
  std::vector<std::vector<atom>> operands;
  for (const type t : types) {
    operands.emplace_back();
    for (const atom& each : special(t)) {
      const atom at = atom::number(static_cast<std::int64_t>(values.words.size()));
      values.words.push_back(each);
      operands.back().push_back(
          make.let(entry, "x", t, operation::load, {atom::constant(type::ptr, address_of_data(0)), at}));
      main.blocks[entry].statements.back().loaded = t;
    }
  }
  std::size_t tuples = 1;
  for (const std::vector<atom>& each : operands) tuples *= each.size();
  std::vector<atom> results;
  for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
    std::vector<atom> args;
    std::vector<value> known;
    std::size_t rest = tuple, first = 0;
    for (const std::vector<atom>& each : operands) {
      args.push_back(each[rest % each.size()]);
      const atom& word = values.words[first + rest % each.size()];
      known.push_back({word.of_type, word.bits});
      rest /= each.size();
      first += each.size();
    }
    if (!evaluate(o, known)) continue;  // it traps
    main.results.push_back(result_of(o, types, type::unknown));
    results.push_back(make.let(entry, "y", main.results.back(), o, std::move(args)));
  }
  make.end(entry, give_back{std::move(results)});
  p.functions.push_back(std::move(main));
  p.data.push_back(std::move(values));
  return p;
}

void compare(operation o, const std::vector<type>& types) {
  const program p = table_of(o, types);
  REQUIRE_MESSAGE(verify(p).empty(), p.name);
  const std::string expected = show(interpret(semantics{p}, *make_schedule("none"), 1'000'000));
  CAPTURE(p.name);
  for (const unsigned level : {0u, 2u}) {
    CAPTURE(level);
    jit compiler;
    CHECK(show(run_compiled(compiler.compile(p, {level}), p, 1)) == expected);
  }
}

constexpr operation all_operations[] = {
#define OPERATION(name, ...) operation::name,
#include "ir/operations.def"
#undef OPERATION
};

TEST_CASE("the engines agree on every operation") {
  std::size_t compared = 0;
  for (const operation o : all_operations) {
    const effect has = facts(o).has;
    if (has == effect::memory || has == effect::foreign || o == operation::select) continue;
    for (const type a : {type::i64, type::f64}) {
      std::vector<type> types(facts(o).operands, a);
      if (result_of(o, types, type::unknown) == type::unknown) continue;
      compare(o, types);
      ++compared;
    }
  }
  CHECK(compared >= 50);
}

}  // namespace
