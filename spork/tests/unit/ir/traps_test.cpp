// A trap ends a run that has no meaning, and says why and where.
#include "ir/interpret.hpp"
#include "ir/pipeline.hpp"
#include "unit/ir/library.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace {

using namespace tine::spork;

struct wrong_body {
  const char* body;     ///< of main; what traps begins behind the mark ^
  const char* message;  ///< how it begins
};

constexpr wrong_body wrong_bodies[] = {
    {"p = alloc(3) - 1 ^store p, 1 return (0)", "out of bounds: cell -1 of an allocation of 3"},
    {"p = alloc(3) return (^load i64 p[3])", "out of bounds: cell 3 of an allocation of 3"},
    {"p = alloc(2) return (^load8 p[16])", "out of bounds: cell 2 of an allocation of 2"},
    {"return (^load8 &text[8])", "out of bounds: cell 1 of an allocation of 1"},
    {"p = alloc(3) store p[1], 2.5 return (^load i64 p[1])", "load i64 of a cell that holds f64 2.5"},
    {"p = alloc(2) store p[1], 1.5 return (^load8 p[8])", "load8 in a cell that holds f64 1.5"},
    {"p = alloc(2) store p, 1.5 ^store8 p, 1 return (0)", "store8 in a cell that holds f64 1.5"},
    {"p = alloc(1) store p, 1.5 return (atomic.add^(p, 1))", "load i64 of a cell that holds f64 1.5"},
    {"return (atomic.compare_and_swap^(&text, 2, 3))", "store to constant data"},
    {"^store &text, 3 return (0)", "store to constant data"},
    {"a = load8 &text[7] ^store8 &text[7], a return (0)", "store to constant data"},
    {"^free &cells return (0)", "free of what alloc did not give"},
    {"p = alloc(3) + 1 ^free p return (0)", "free of a ptr into the middle"},
    {"p = alloc(3) free p ^free p return (0)", "free of what has been freed"},
    {"p = alloc(3) free p return (^load i64 p)", "access to what has been freed"},
    {"return (^load i64 null)", "access through null"},
    {"return (^load i64 &main)", "access to a function, which has no cells"},
    {"p = alloc^(1 << 60) return (0)", "alloc of 1152921504606846976 cells, and "},
    {"p = alloc^(-1) return (0)", "alloc of -1 cells"},
    {"p = alloc_numbers^(-2) return (0)", "alloc_numbers of -2 cells"},
    // cells for numbers take bytes, too, but no address, not even null
    {"p = alloc_numbers(3) store p, 5 store p[1], 2.5 store8 p[16], 7 ^store p[2], null return (0)",
     "store of a ptr to a cell of alloc_numbers, which holds only i64 and f64"},
    {"return (7 ^% (1 - 1))", "division by zero"},
    {"return (u64.rem^(7, 1 - 1))", "division by zero"},
    {"p = alloc(1) f = load ptr p ^call *f(1) -> done", "call of a ptr that is not the address of a function"},
    {"^call *(&main + 1)() -> done", "call of a ptr that is not the address of a function"},
    {"^call *(&cells)() -> done", "call of a ptr that is not the address of a function"},
    {"^call *(load ptr &list)(1) -> done", "'f' takes (i64, f64) and gives (), but is called with (i64) for (i64)"},
    {"^call *(&g)(1, 2) -> done", "'g' takes (i64, f64) and gives (i64), but is called with (i64, i64) for (i64)"},
};

std::optional<trap> trap_of(const program& p) {
  try {
    interpret(semantics{p}, *make_schedule("none"), 1'000);
  } catch (const trap& t) {
    return t;
  }
  return {};
}

TEST_CASE("a run without meaning traps, with its message and its place, and passes keep a wrong call") {
  const std::string before = "fun main() -> (i64) { block entry { ";
  for (const auto& [body, message] : wrong_bodies) {
    const bool calls = std::string{body}.ends_with("-> done");
    std::string text = before + body + (calls ? " } block done(n: i64) { return (n) } }" : " } }");
    const std::size_t at = text.find('^');
    text.erase(at, 1);
    CAPTURE(text);
    program p = load_good(text +
                              "\ndata text = \"1234567\" data list = [&f] global cells = [1]"
                              "fun f(n: i64, x: f64) { block entry { return } }"
                              "fun g(n: i64, x: f64) -> (i64) { block entry { return (n) } }",
                          "trap");
    const std::optional<trap> found = trap_of(p);
    REQUIRE(found);
    CHECK(std::string{found->what()}.starts_with(message));
    CHECK(found->where.line == 1);
    CHECK(found->where.column == at + 1);
    if (!calls) continue;
    optimise(p);
    CHECK(trap_of(p).value_or(trap{{}, "nothing"}).what() == std::string{found->what()});
  }
}

}  // namespace
