// Checks that LLVM vectorises the chunks of compiled loops, for the processor that is asked for.
#include "ir/codegen/jit.hpp"
#include "ir/pipeline.hpp"
#include "load_good.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace tine;

constexpr const char* adds_one = R"(
fun one(i: i64, x: ptr) {
  block entry {
    store x[i], (load i64 x[i]) + 1
    return
  }
}

fun main() -> (i64) {
  block entry {
    n = load i64 alloc(1)
    x = alloc(n)
    parfor 0, n, one(x) -> out
  }
  block out { return (n) }
}
)";

constexpr const char* takes_roots = R"(
declare sqrt(f64) -> (f64)
declare pure heat(f64) -> (f64)
declare cool(f64) -> (f64)

fun one(i: i64, x: ptr) {
  block entry {
    store x[i], sqrt(load f64 x[i])
    return
  }
}
fun two(i: i64, x: ptr) {
  block entry {
    unused = heat(load f64 x[i])
    store x[i], cool(1.0)
    return
  }
}
export fun all(n: i64, x: ptr) {
  block entry { parfor 0, n, one(x) -> next }
  block next { parfor 0, n, two(x) -> out }
  block out { return }
}
)";

std::string llvm_for(const char* processor, spork::promotion_by promotes, const char* text = adds_one) {
  spork::program p = load_good(text, "vector", spork::loop_form::chunked);
  spork::optimise(p);
  return spork::show_llvm(p, {.level = 3, .promotes = promotes, .processor = processor});
}

const bool is_arm = spork::processor_levels()[1].starts_with("armv");

bool adds_vectors(const std::string& text, const std::string& type) {
  return text.find("= add <" + type + ">") != std::string::npos;
}

TEST_CASE("chunks are vectorised, in vectors of the processor that is asked for") {
  for (const auto promotes : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
    const std::string narrow = llvm_for(is_arm ? "armv8-a" : "x86-64", promotes);
    CHECK(adds_vectors(narrow, "2 x i64"));
    CHECK(!adds_vectors(narrow, "4 x i64"));
    if (!is_arm) CHECK(adds_vectors(llvm_for("x86-64-v3", promotes), "4 x i64"));
  }
}

TEST_CASE("calls of known functions of C are vectorised, and LLVM knows which functions are pure") {
  const std::string text = llvm_for(is_arm ? "armv8-a" : "x86-64-v3", spork::promotion_by::record, takes_roots);
  CHECK(text.find(is_arm ? "@llvm.sqrt.v2f64(" : "@llvm.sqrt.v4f64(") != std::string::npos);
  CHECK(text.find("@sqrt(") == std::string::npos);
  CHECK(text.find("@cool(") != std::string::npos);
  CHECK(text.find("@heat(") == std::string::npos);

  const spork::program p = load_good(takes_roots, "pure");  // without our passes, which remove the call, too
  CHECK(spork::show_llvm(p, {.level = 0}).find("call double @heat(") != std::string::npos);
  CHECK(spork::show_llvm(p, {.level = 1}).find("call double @heat(") == std::string::npos);
}

}  // namespace
