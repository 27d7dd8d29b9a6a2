// Programs that are joined do what each of them does.
#include "ir/join.hpp"
#include "ir/explore.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"
#include "unit/ir/library.hpp"

#include <doctest/doctest.h>

namespace {

using namespace tine::spork;

std::string answer(const program& p, const char* schedule) {
  return show(interpret(semantics{p}, *make_schedule(schedule), 1'000'000));
}

TEST_CASE("programs that are joined give their answers in turn, whatever functions they share the names of") {
  const std::vector<program> parts{
      load_good("declare sqrt(f64) -> (f64)\n"
                "fun f(n: i64) -> (i64) { block entry { return (n + 1) } }\n"
                "fun main() -> (i64, f64) {\n"
                "  block entry { par f(1), f(2) -> both }\n"
                "  block both(a: i64, b: i64) { x = sqrt(f64(a * 10 + b + 2)) return (b, x) }\n"
                "}\n",
                "first"),
      load_good("fun main() { block entry { return } }\n", "second"),
      load_good("fun f(n: i64) -> (i64) { block entry { return (n * 2) } }\n"
                "declare fabs(f64) -> (f64)\n"
                "declare sqrt(f64) -> (f64)\n"
                "fun main() -> (f64, i64) {\n"
                "  block entry { call f(21) -> done }\n"
                "  block done(a: i64) { x = sqrt(9.0) y = fabs(x) return (y, a) }\n"
                "}\n",
                "third")};
  const program whole = join(parts);
  CHECK_MESSAGE(verify(whole).empty(), render(verify(whole), whole.name));
  CHECK(answer(whole, "none") == "3 5.0 3.0 42");
  CHECK(answer(whole, "eager") == "3 5.0 3.0 42");
  CHECK(answer(elide(whole), "none") == "3 5.0 3.0 42");
}

}  // namespace
