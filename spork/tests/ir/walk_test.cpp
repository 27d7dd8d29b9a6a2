// Checks which forks of compiled code get records when a poll walks over the frames, and which records forks write
// themselves. On one worker there are no thieves, so records stay on the shadow stack. The programs post a work request
// to themselves and look at the shadow stack, by functions of C that are defined here.
#include "ir/codegen/jit.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/pipeline.hpp"

#include <tine/managed/abi.h>
#include <tine/managed/par.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace tine;

extern "C" {

__attribute__((used, visibility("default"))) void ring_own_bell() {
  sched::hot::words().limit.store(nullptr, base::relaxed);  // relaxed: own word
}

// Returns the first arguments of all pending records, oldest first, as digits; -1 if a second argument is not the first
// plus a half.
__attribute__((used, visibility("default"))) std::int64_t pending_tags() {
  const sched::hot_words& h = sched::hot::words();
  std::int64_t tags = 0;
  for (sched::address at = h.bot.load(base::relaxed); at < h.top.load(base::relaxed);) {  // relaxed: own words
    const auto* kind = *reinterpret_cast<const tine_abi_kind* const*>(at + tine_abi_kind_of_record);
    const auto tag = *reinterpret_cast<const std::int64_t*>(at + tine_abi_payload);
    const auto other = *reinterpret_cast<const double*>(at + tine_abi_payload + 8);
    if (other != static_cast<double>(tag) + 0.5) return -1;
    tags = 10 * tags + tag;
    at += kind->size;
  }
  return tags;
}

// Compiled code that a function of C runs in the middle of other compiled code.
spork::jit::entry inner;

__attribute__((used, visibility("default"))) std::int64_t run_inner() {
  std::int64_t result = 0;
  inner(&result);
  return result;
}

}  // extern "C"

constexpr const char* ways = R"(
declare ring_own_bell()
declare pending_tags() -> (i64)
declare llabs(i64) -> (i64)

fun other(tag: i64, half: f64) {
  block entry { return }
}

// The newest frame: rings, forks, looks.
fun look(tag: i64) -> (i64) {
  block entry {
    ring_own_bell()
    half = f64(tag) + 0.5
    spork body || other(tag, half)
  }
  block body {
    tags = pending_tags()
    spoin alone, done
  }
  block alone { call other(tag, half) -> done }
  block done { return (tags) }
}
)";

void on_one_worker(spork::jit::entry code, void* results) { tine_abi_run(code, results, 1); }

// Checks the result of `main` of `text` at every level of LLVM's passes, without and with our own passes.
void gives(const std::string& text, const char* expected, spork::promotion_by how = spork::promotion_by::stack_map,
           void (*call)(spork::jit::entry, void*) = on_one_worker) {
  spork::diagnostics wrong;
  const spork::program p = spork::load(ways + text, "walk", wrong, spork::loop_form::chunked);
  REQUIRE_MESSAGE(wrong.empty(), spork::render(wrong, p.name));
  spork::program optimised = p;
  spork::optimise(optimised);
  spork::jit compiler;
  for (const spork::program* each : {&p, static_cast<const spork::program*>(&optimised)}) {
    for (unsigned level : {0u, 1u, 2u, 3u}) {
      CAPTURE(level);
      CAPTURE((each == &p));
      const spork::jit::entry code = compiler.compile(*each, {level, how});
      CHECK(spork::show(spork::run_compiled(code, *each, call)) == expected);
    }
  }
}

TEST_CASE("a poll makes a record of the fork that polls") {
  // an argument that is always the same constant would be in no record
  gives("fun main() -> (i64) { block entry { call look(llabs(7)) -> done } block done(t: i64) { return (t) } }", "7");
}

TEST_CASE("forks of all frames get records, the oldest first") {
  gives(R"(
fun down(tag: i64) -> (i64) {
  block entry {
    half = f64(tag) + 0.5
    spork body || other(tag, half)
  }
  block body { if tag == 5 then last else further }
  block last { call look(6) -> found }
  block further { call down(tag + 1) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(tag, half) -> done }
  block done { return (t) }
}
fun main() -> (i64) { block entry { call down(1) -> done } block done(t: i64) { return (t) } }
)",
        "123456");
}

TEST_CASE("several forks of one frame, and of functions that are put into it") {
  gives(R"(
fun inner(tag: i64) -> (i64) {
  block entry {
    half = f64(tag) + 0.5
    spork body || other(tag, half)
  }
  block body { call look(tag + 1) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(tag, half) -> done }
  block done { return (t) }
}
fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one { spork two || other(2, 2.5) }
  block two { call inner(3) -> found }
  block found(t: i64) { spoin two.alone, two.done }
  block two.alone { call other(2, 2.5) -> two.done }
  block two.done { call inner(5) -> again }
  block again(u: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t * 10000 + u) }
}
)",
        "12340156");
}

// `pass` calls itself without a bundle, because no spork is open in its frame. It changes the result of this call, so
// that LLVM cannot turn the recursion into a loop.
const std::string pass = R"(
fun pass(n: i64) -> (i64) {
  block entry { if n == 0 then last else further }
  block last { call look(2) -> found }
  block further { call pass(n - 1) -> twisted }
  block twisted(u: i64) { return (1000 - u) }
  block found(t: i64) { return (t) }
}
)";

TEST_CASE("frames without open forks are passed") {
  gives(pass + R"(fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one { call pass(10) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t) }
}
)",
        "12");
}

// As above, with a function in between that LLVM inlines into its caller.
TEST_CASE("calls without a bundle are not put where forks are open") {
  gives(pass + R"(fun between(n: i64) -> (i64) {
  block entry { call pass(n * 2) -> found }
  block found(t: i64) { return (t) }
}
fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one { call between(2) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t) }
}
)",
        "12");
}

TEST_CASE("a recursion that LLVM makes a loop of hides no fork where it is put") {
  gives(R"(fun again(n: i64) -> (i64) {
  block entry { if n == 0 then last else further }
  block last { call look(2) -> found }
  block further { call again(n - 1) -> found }
  block found(t: i64) { return (t) }
}
fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one { call again(10) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t) }
}
)",
        "12");
}

TEST_CASE("a walk stops at a frame of C, and what is below it is found later") {
  spork::diagnostics wrong;
  const std::string text =
      "fun main() -> (i64) { block entry { call look(2) -> done } block done(t: i64) { return (t) } }";
  const spork::program p = spork::load(ways + text, "inner", wrong);
  spork::jit compiler;
  inner = compiler.compile(p, {2, spork::promotion_by::stack_map});
  gives(R"(
declare run_inner() -> (i64)
fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one {
    t = run_inner()
    call look(3) -> found
  }
  block found(u: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t * 100 + u) }
}
)",
        "213");
}

TEST_CASE("arguments on the stack, and many") {
  gives(R"(
fun wide(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, x: f64, i: i64) -> (i64) {
  block entry {
    half = f64(i) + 0.5
    spork body || other(i, half)
  }
  block body { if a == 0 then last else further }
  block last { call look(9) -> found }
  block further { call wide(a - 1, c, b, e, d, g, f, h + 1, x + 1.0, i + 1) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(i, half) -> done }
  block done { return (t + (b - c) + (d - e) + (f - g)) }
}
fun main() -> (i64) {
  block entry { call wide(4, 1, 1, 2, 2, 3, 3, 4, 5.0, 1) -> done }
  block done(t: i64) { return (t) }
}
)",
        "123459");
}

TEST_CASE("a fork that has a record already is not found again") {
  gives(R"(
fun main() -> (i64) {
  block entry { spork one || other(1, 1.5) }
  block one { call look(2) -> first }
  block first(t: i64) { call look(3) -> second }
  block second(u: i64) { spoin alone, done }
  block alone { call other(1, 1.5) -> done }
  block done { return (t * 100 + u) }
}
)",
        "1213");
}

TEST_CASE("after a join the next poll finds what is open then") {
  gives(R"(
fun main() -> (i64) {
  block entry { call look(1) -> first }
  block first(t: i64) { spork one || other(2, 2.5) }
  block one { call look(3) -> second }
  block second(u: i64) { spoin alone, done }
  block alone { call other(2, 2.5) -> done }
  block done { return (t * 100 + u) }
}
)",
        "123");
}

constexpr const char* five_forks = R"(
fun down(tag: i64) -> (i64) {
  block entry {
    half = f64(tag) + 0.5
    spork body || other(tag, half)
  }
  block body { if tag == 5 then last else further }
  block last { goto found(pending_tags()) }
  block further { call down(tag + 1) -> found }
  block found(t: i64) { spoin alone, done }
  block alone { call other(tag, half) -> done }
  block done { return (t) }
}
fun main() -> (i64) { block entry { call down(1) -> done } block done(t: i64) { return (t) } }
)";

TEST_CASE("with records each open fork has one at any time") {
  gives(five_forks, "12345", spork::promotion_by::record);
}

// Outside every pool there is space for one record only.
TEST_CASE("outside every pool no fork leaves a record, however many are open") {
  gives(five_forks, "0", spork::promotion_by::record, [](spork::jit::entry code, void* results) { code(results); });
}

}  // namespace
