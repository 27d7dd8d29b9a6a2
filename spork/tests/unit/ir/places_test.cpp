// Places in sources: they survive printing, passes and joining, and builders give them.
#include "ir/builder.hpp"
#include "ir/join.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "unit/ir/library.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace tine::spork;

constexpr const char* text = R"(source 1 = "main.sml"
source 2 = "basis.sml"
fun double(n: i64) -> (i64) @2:7:1 {
  block entry {
    m = n * 2 @2:8:3
    return (m) @2:8:9
  }
}
fun main() -> (i64) @1:1:1 {
  block entry {
    call double(20) -> out @1:2:3
  }
  block out(r: i64) {
    s = r + 2 @1:3:7
    return (s) @1:3:9
  }
}
)";

TEST_CASE("columns and sources beyond the greatest numbers") {
  constexpr place far = place::at(3, 1U << 30, 2);
  CHECK(far.column == place::last_column);
  CHECK(far.source == 2);
  CHECK(place::at(3, 4, place::most_sources + 1).line == 0);
}

TEST_CASE("an inlined statement keeps its place, and refers to the call") {
  program p = load_good(text, "program");
  inline_calls(p);
  const function& main = p.functions[p.find("main")];
  REQUIRE(main.inlined.size() == 1);
  CHECK(main.inlined[0].callee == "double");
  CHECK((main.inlined[0].where.source == 1 && main.inlined[0].where.line == 2));
  CHECK((main.inlined[0].begin.source == 2 && main.inlined[0].begin.line == 7));
  unsigned found = 0;
  for (const block& b : main.blocks) {
    for (const statement& s : b.statements) {
      const bool is_of_double = s.what == operation::mul;
      found += is_of_double ? 1 : 0;
      CHECK(s.inlined == (is_of_double ? 1 : 0));
      CHECK(s.where.source == (is_of_double ? 2 : 1));
    }
  }
  CHECK(found == 1);
}

TEST_CASE("calls that were inlined into a function that is inlined are inside of its call") {
  program p = load_good(R"(
fun a(n: i64) -> (i64) { block entry { return (n * 3) } }
fun b(n: i64) -> (i64) { block entry { call a(n + 1) -> out } block out(r: i64) { return (r - 1) } }
fun main() -> (i64) {
  block entry { call b(1) -> next }
  block next(x: i64) { call b(x) -> out }
  block out(y: i64) { return (y) }
}
)",
                        "nested");
  inline_calls(p);
  const function& main = p.functions[p.find("main")];
  REQUIRE(main.inlined.size() == 4);
  for (const block& b : main.blocks) {
    for (const statement& s : b.statements) {
      REQUIRE(s.inlined != 0);
      const inlined_call& call = main.inlined[s.inlined - 1];
      CHECK(call.callee == (s.what == operation::mul ? "a" : "b"));
      CHECK((call.inside == 0) == (call.callee == "b"));
      if (call.inside != 0) CHECK(main.inlined[call.inside - 1].callee == "b");
    }
  }
}

TEST_CASE("programs that are joined keep their sources apart") {
  const std::vector<program> parts{
      load_good(text, "first"),
      load_good("source 1 = \"other.sml\"\nfun main() @1:9:9 { block entry { return @1:10:2 } }\n", "second")};
  const program whole = join(parts);
  CHECK(whole.sources == std::vector<std::string>{"main.sml", "basis.sml", "other.sml"});
  const std::string printed = print(whole);
  CHECK(printed.find("m = n * 2 @2:8:3\n") != std::string::npos);
  CHECK(printed.find("fun p1.main() @3:9:9 {") != std::string::npos);
  CHECK(printed.find("return @3:10:2\n") != std::string::npos);
}

TEST_CASE("a builder gives places") {
  program p;
  p.sources = {"a.sml"};
  function f = builder::begin("main", {type::i64}, place::at(1, 1, 1));
  builder make{f, place::at(2, 1, 1)};
  const block_id entry = make.add_block("entry");
  const atom sum = make.let(entry, "sum", type::i64, operation::add, {atom::number(1), atom::number(2)});
  make.move_to(place::at(3, 5, 1));
  make.end(entry, give_back{{sum}});
  p.functions.push_back(f);
  REQUIRE(verify(p).empty());
  CHECK(
      print(p) ==
      "source 1 = \"a.sml\"\n\nfun main() -> (i64) @1:1:1 {\n  block entry {\n    sum = 1 + 2 @1:2:1\n    return (sum) "
      "@1:3:5\n  }\n}\n");
}

}  // namespace
