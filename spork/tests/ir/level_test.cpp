// Checks that the options of compiled code reach it: the level of LLVM's code generator, and the share of tokens.
#include "ir/codegen/jit.hpp"
#include "load_good.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace tine;

extern "C" __attribute__((used, noinline, visibility("default"))) std::int64_t frame_now() {
  return reinterpret_cast<std::int64_t>(__builtin_frame_address(0));
}

// Ten values pass from block to block, but not across a call. A code generator that keeps nothing in registers from one
// block to the next has space for these values in its frames. `main` returns the length of a frame of `deep`.
constexpr const char* ten_values = R"(
declare frame_now() -> (i64)

fun deep(n: i64) -> (i64) {
  block entry {
    a = n * 3    b = n * 5    c = n * 7    d = n * 11    e = n * 13
    f = n * 17   g = n * 19   h = n * 23   i = n * 29    j = n * 31
    goto next
  }
  block next { if (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j) == 0 then last else further }
  block last { return (frame_now()) }
  block further { call deep(n - 1) -> found }
  block found(frame: i64) { return (frame + n - n) }
}

fun main() -> (i64) {
  block entry { call deep(1) -> one }
  block one(upper: i64) { call deep(2) -> two }
  block two(lower: i64) { return (upper - lower) }
}
)";

std::uint64_t frame_length(unsigned level) {
  const spork::program p = load_good(ten_values, "level");
  spork::jit compiler;
  return spork::run_compiled(compiler.compile(p, {level}), p, 1).at(0).bits;
}

TEST_CASE("a very large function is compiled as it is") {
  for (const int blocks : {10, 2'100}) {
    std::string text = "fun main() -> (i64) { block entry { p = alloc(8) goto b0(0) }\n";
    for (int i = 0; i < blocks; ++i) {
      const std::string n = std::to_string(i), next = std::to_string(i + 1);
      text += "block b" + n + "(x" + n + ": i64) { y" + n + " = load i64 p[x" + n + " & 7] if y" + n +
              " then o else c" + n + " } block c" + n + " { goto b" + next + "(x" + n + " + 1) }\n";
    }
    text += "block b" + std::to_string(blocks) + "(z: i64) { return (z) } block o { return (-1) } }";
    const spork::program p = load_good(text, "large");
    CHECK((spork::show_llvm(p, {.level = 0}).find("optnone") != std::string::npos) == (blocks > 2'000));
    spork::jit compiler;
    CHECK(spork::run_compiled(compiler.compile(p, {}), p, 1).at(0).as_number() == blocks);
  }
}

TEST_CASE("the share of tokens is that of the option, or else that of the spork") {
  const spork::program p = load_good(
      "fun unit() { block entry { return } } fun main() { block entry { spork [all] body || unit() } block body { "
      "spoin "
      "alone, joined } block alone { call unit() -> joined } block joined { return } }",
      "share");
  const auto emits = [&](std::optional<spork::sharing> share, const char* kind) {
    return spork::show_llvm(p, {.level = 0, .share = share}).find(kind) != std::string::npos;
  };
  CHECK(emits({}, "i8 0, i8 2 }"));
  CHECK(emits(spork::sharing::half, "i8 0, i8 1 }"));
  CHECK(emits(spork::sharing::no_token, "i8 0, i8 0 }"));
}

TEST_CASE("atomic operations are LLVM's, sequentially consistent") {
  const spork::program p = load_good(
      "export fun f(p: ptr, n: i64) -> (i64) { block entry { atomic.store p, n a = atomic.add(p, n) b = "
      "atomic.compare_and_swap(p, a, n) c = atomic.load i64 p[1] return (b + c) } }",
      "atomics");
  const std::string text = spork::show_llvm(p, {.level = 2});
  for (const char* operation :
       {"store atomic i64 %", "atomicrmw add ptr %", "cmpxchg ptr %", "load atomic i64, ptr %"}) {
    CAPTURE(operation);
    const std::size_t at = text.find(operation);
    REQUIRE(at != std::string::npos);
    CHECK(text.substr(at, text.find('\n', at) - at).find(" seq_cst") != std::string::npos);
  }
}

// Ten million calls that come back to their caller, between functions with different arguments, one that raises, and by
// an address.
TEST_CASE("calls in tail position need no stack, at every level") {
  const spork::program p = load_good(R"(
fun even(n: i64, odd: ptr) -> (i64) raises {
  block entry { if n == 0 then yes else more }
  block yes { return (1) }
  block more { call *odd(n - 1, 1, 2, 3, 4, 5, 6, 7, 8) raises -> done }
  block done(r: i64) { return (r) }
}
fun odd(n: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64) -> (i64) raises {
  block entry { if n == 0 then no else more }
  block no { raise &odd }
  block more { call even(n - 1, &odd) -> done }
  block done(r: i64) { return (r) }
}
fun first(n: i64) -> (i64) {
  block entry { if n == 0 then no else more }
  block no { return (0) }
  block more { call second(n - 1, n) -> done }
  block done(r: i64) { return (r) }
}
fun second(n: i64, m: i64) -> (i64) {
  block entry { if n == 0 then yes else choose }
  block yes { return (1) }
  block choose { if m % 3 then one else other }
  block one { call first(n - 1) -> done }
  block other { call second(n - 1, m - 1) -> done }
  block done(r: i64) { return (r) }
}
fun main() -> (i64, i64) {
  block entry { call even(10000000, &odd) -> next else failed }
  block next(a: i64) { call first(10000001) -> last }
  block failed(e: ptr) { return (0, 0) }
  block last(b: i64) { return (a, b) }
}
)",
                                     "tail");
  for (const unsigned level : {0U, 1U, 2U, 3U}) {
    CAPTURE(level);
    spork::jit compiler;
    const std::vector<spork::value> got = spork::run_compiled(compiler.compile(p, {level}), p, 1);
    CHECK(got.at(0).bits == 1);
    CHECK(got.at(1).bits <= 1);
  }
}

TEST_CASE("at level 0 values that go from block to block are kept in memory") {
  CHECK(frame_length(0) >= 80);
  CHECK(frame_length(2) < 80);
}

}  // namespace
