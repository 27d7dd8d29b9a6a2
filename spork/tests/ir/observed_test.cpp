// Observed compiled code: its forks and what its strands spend, counted by a vertex, must be those of a twin in C++,
// for any number of workers and every policy of promotion. The programs spend units by a function of C that is defined
// here.
#include "ir/codegen/jit.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/pipeline.hpp"

#include <tine/augment/augment.hpp>
#include <tine/managed/par.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <string>

namespace {

using namespace tine;

/// Work and span in units, and the number of forks.
struct units {
  long work = 0, span = 0, forks = 0;

  void join(units& left, units& right, units& after) {
    after.work = work + left.work + right.work;
    after.span = span + std::max(left.span, right.span);
    after.forks = forks + left.forks + right.forks + 1;
  }
};

void spend(long n) {
  if (auto* const v = current_vertex<units>()) v->work += n, v->span += n;
}

/// Compiled code that a function of C runs in the middle of other compiled code.
spork::jit::entry inner;

extern "C" {

__attribute__((used, visibility("default"))) void spend_units(std::int64_t n) { spend(n); }

// A fork of C++ between two layers of compiled code.
__attribute__((used, visibility("default"))) std::int64_t fork_inner() {
  const auto call = [] {
    std::int64_t result = 0;
    inner(&result);
    return result;
  };
  return par(call, call, [](std::int64_t a, std::int64_t b) { return a + b; });
}

}  // extern "C"

spork::program loaded(const std::string& text, bool optimised) {
  spork::diagnostics wrong;
  spork::program p = spork::load(text, "observed", wrong, spork::loop_form::single);
  REQUIRE_MESSAGE(wrong.empty(), spork::render(wrong, p.name));
  if (optimised) spork::optimise(p);
  return p;
}

struct policy {
  const char* name;
  promotion promote;
};

const std::array<policy, 3> policies{
    {{"on demand", promotion::on_demand()}, {"heartbeat", promotion::heartbeat(20, 4)}, {"eager", promotion::eager()}}};

/// Checks that the program, observed in various ways, gives `answer` and makes what `twin` makes.
template <class Twin>
void agrees(const std::string& text, const std::string& answer, Twin twin) {
  pool alone{{.workers = 1}};
  units expected;
  alone.run([&] { augment_into(twin, expected); });
  REQUIRE(expected.forks > 0);
  for (const bool optimised : {false, true}) {
    const spork::program p = loaded(text, optimised);
    for (const auto how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
      spork::jit compiler;
      const spork::jit::entry code = compiler.compile(p, {optimised ? 2U : 0U, how});
      for (const policy& each : policies) {
        for (const unsigned workers : {1U, 2U, 8U}) {
          CAPTURE(optimised);
          CAPTURE((how == spork::promotion_by::record));
          CAPTURE(each.name);
          CAPTURE(workers);
          options o;
          o.workers = workers;
          o.promote = each.promote;
          pool where{o};
          units got;
          const auto call = [&](spork::jit::entry f, void* results) {
            where.run([&] { augment_into([=] { f(results); }, got); });
          };
          CHECK(spork::show(spork::run_compiled(code, p, call)) == answer);
          CHECK(got.forks == expected.forks);
          CHECK(got.work == expected.work);
          CHECK(got.span == expected.span);
          // the same code is not observed now
          CHECK(spork::show(spork::run_compiled(
                    code, p, [&](spork::jit::entry f, void* results) { where.run([=] { f(results); }); })) == answer);
        }
      }
    }
  }
}

constexpr const char* fib_text = R"(
declare spend_units(i64)
fun fib(n: i64) -> (i64) {
  block entry {
    spend_units(n)
    if n < 2 then small else large
  }
  block small { return (n) }
  block large { par fib(n - 1), fib(n - 2) -> done }
  block done(a: i64, b: i64) {
    spend_units(1)
    return (a + b)
  }
}
)";

long fib(long n) {
  spend(n);
  if (n < 2) return n;
  const long sum = par([=] { return fib(n - 1); }, [=] { return fib(n - 2); }, [](long a, long b) { return a + b; });
  spend(1);
  return sum;
}

TEST_CASE("the forks of a recursion are those of its twin") {
  agrees(std::string{fib_text} +
             "fun main() -> (i64) { block entry { call fib(14) -> out } block out(r: i64) { return (r) } }",
         "377", [] { fib(14); });
}

// A loop as Figure 6 of the paper has it: an iteration beside the split of the others.
long loop(long low, long high);
long split(long low, long high) {
  const long middle = (low + high) / 2;
  return par([=] { return loop(low, middle); }, [=] { return loop(middle, high); },
             [](long a, long b) { return a + b; });
}
long loop(long low, long high) {
  if (low >= high) return 0;
  const auto first = [=] { return spend(low % 7), low * low; };
  return par(first, [=] { return split(low + 1, high); }, [](long a, long b) { return a + b; });
}

TEST_CASE("a loop is a tree of forks, which its twin has, too") {
  agrees(R"(
declare spend_units(i64)
fun square(i: i64) -> (i64) {
  block entry {
    spend_units(i % 7)
    return (i * i)
  }
}
fun plus(a: i64, b: i64) -> (i64) { block entry { return (a + b) } }
fun main() -> (i64) {
  block entry { reduce 0, 300, 0, square(), plus -> out }
  block out(r: i64) { return (r) }
}
)",
         "8955050", [] { loop(0, 300); });
}

TEST_CASE("nested sporks of one call, with more arguments and results than fit into registers") {
  agrees(R"(
declare spend_units(i64)
data base = [1000]
fun four(a: i64, x: f64, p: ptr, b: i64, c: i64, d: i64, e: i64) -> (i64, f64, ptr, i64) {
  block entry {
    spend_units(a)
    return (a + b + c + d + e, x * 2.0, p, load i64 p)
  }
}
fun nest(n: i64) -> (i64) {
  block entry {
    x = f64(n) + 0.25
    spork first || four(n, x, &base, 2, n, 4, 5)
  }
  block first {
    spend_units(3)
    spork second || four(n + 1, x, &base, 2, 3, n, 5)
  }
  block second {
    spend_units(5)
    if n < 1 then close else deeper
  }
  block deeper { call nest(n - 1) -> closing }
  block closing(inside: i64) { goto close_with(inside) }
  block close { goto close_with(0) }
  block close_with(m: i64) { spoin alone, done }
  block alone { call four(n + 1, x, &base, 2, 3, n, 5) -> done }
  block done(a: i64, y: f64, p: ptr, v: i64) { spoin alone_too, both }
  block alone_too { call four(n, x, &base, 2, n, 4, 5) -> both }
  block both(b: i64, z: f64, q: ptr, w: i64) { return (m + a * 3 + b + i64(y + z) + v + w + load i64 q) }
}
fun main() -> (i64) { block entry { call nest(6) -> out } block out(r: i64) { return (r) } }
)",
         "21567", [] {
           const auto nest = [](auto self, long n) -> void {
             par(
                 [=] {
                   spend(3);
                   par(
                       [=] {
                         spend(5);
                         if (n >= 1) self(self, n - 1);
                       },
                       [=] { spend(n + 1); });
                 },
                 [=] { spend(n); });
           };
           nest(nest, 6);
         });
}

TEST_CASE("compiled code, a fork of C++, and compiled code again") {
  const std::string main =
      "fun main() -> (i64) { block entry { call fib(7) -> out } block out(r: i64) { return (r) } }";
  spork::jit compiler;
  inner = compiler.compile(loaded(fib_text + main, true), {2, spork::promotion_by::record});
  agrees(R"(
declare spend_units(i64)
declare fork_inner() -> (i64)
fun down(n: i64) -> (i64) {
  block entry { if n == 0 then last else further }
  block last { return (fork_inner()) }
  block further {
    k = n - 1
    spork body || down(k)
  }
  block body { goto check(fork_inner()) }
  block check(a: i64) { spoin alone, done }
  block alone { call down(k) -> done }
  block done(b: i64) { return (a + b) }
}
fun main() -> (i64) { block entry { call down(5) -> out } block out(r: i64) { return (r) } }
)",
         "156", [] {
           const auto both = [] {
             return par([] { return fib(7); }, [] { return fib(7); }, [](long a, long b) { return a + b; });
           };
           const auto down = [=](auto self, long n) -> long {
             if (n == 0) return both();
             return par(both, [=] { return self(self, n - 1); }, [](long a, long b) { return a + b; });
           };
           down(down, 5);
         });
}

/// Collects the sites of forks.
struct sites {
  static inline std::mutex lock;
  static inline std::set<sched::site> all;

  void fork(sites&, sites&, sched::site where) {
    const std::lock_guard guard{lock};
    all.insert(where);
  }
};

TEST_CASE("each spork of a program is a site") {
  const spork::program p = loaded(R"(
fun leaf(n: i64) -> (i64) { block entry { return (n) } }
fun pair(n: i64) -> (i64) {
  block entry { par leaf(n), leaf(1) -> second }
  block second(a: i64, b: i64) { par leaf(n), leaf(2) -> out }
  block out(c: i64, d: i64) { return (a + b + c + d) }
}
fun main() -> (i64) {
  block entry { reduce 0, 50, 0, pair(), pair_sum -> out }
  block out(r: i64) { return (r) }
}
fun pair_sum(a: i64, b: i64) -> (i64) { block entry { return (a + b) } }
)",
                                  false);
  for (const auto how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
    sites::all.clear();
    spork::jit compiler;
    const spork::jit::entry code = compiler.compile(p, {0, how});
    std::array<std::int64_t, 1> result{};
    pool where{{.workers = 2}};
    where.run([&] { static_cast<void>(augment<sites>([&] { code(result.data()); })); });
    CHECK(result[0] == 2600);
    CHECK(sites::all.size() == 4);  // two in pair, the loop's and its split's
  }
}

TEST_CASE("a recursion is as deep observed as it may be unobserved, in both branches") {
  // each level keeps one fork open in the first branch, or is in the second branch of the level above
  const std::string depth = "20000";
  for (const char* order : {"deep(n - 1), leaf(n)", "leaf(n), deep(n - 1)"}) {
    const spork::program p = loaded(std::string{R"(
fun leaf(n: i64) -> (i64) { block entry { return (1) } }
fun deep(n: i64) -> (i64) {
  block entry { if n == 0 then last else more }
  block last { return (0) }
  block more { par )"} + order + R"( -> out }
  block out(a: i64, b: i64) { return (a + b) }
}
fun main() -> (i64) { block entry { call deep()" +
                                        depth + R"() -> out } block out(r: i64) { return (r) } }
)",
                                    true);
    for (const auto how : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
      spork::jit compiler;
      const spork::jit::entry code = compiler.compile(p, {2, how});
      for (const unsigned workers : {1U, 3U}) {
        pool where{{.workers = workers}};
        units got;
        std::array<std::int64_t, 1> result{};
        where.run([&] { augment_into([&] { code(result.data()); }, got); });
        CHECK(std::to_string(result[0]) == depth);
        CHECK(std::to_string(got.forks) == depth);
      }
    }
  }
}

}  // namespace
