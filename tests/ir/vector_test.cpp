// Checks that LLVM vectorises the chunks of compiled loops, for the processor that is asked for.
#include "spork/codegen/jit.hpp"
#include "spork/load.hpp"
#include "spork/pipeline.hpp"

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

std::string llvm_for(const char* processor, spork::promotion_by promotes) {
  spork::diagnostics wrong;
  spork::program p = spork::load(adds_one, "vector", wrong, spork::loop_form::chunked);
  REQUIRE_MESSAGE(wrong.empty(), spork::render(wrong, p.name));
  spork::optimise(p);
  return spork::show_llvm(p, {.level = 3, .promotes = promotes, .processor = processor});
}

bool adds_vectors(const std::string& text, const std::string& type) {
  return text.find("= add <" + type + ">") != std::string::npos;
}

TEST_CASE("chunks are vectorised, in vectors of the processor that is asked for") {
  for (const auto promotes : {spork::promotion_by::record, spork::promotion_by::stack_map}) {
    const std::string narrow = llvm_for("x86-64", promotes), wide = llvm_for("x86-64-v3", promotes);
    CHECK(adds_vectors(narrow, "2 x i64"));
    CHECK(!adds_vectors(narrow, "4 x i64"));
    CHECK(adds_vectors(wide, "4 x i64"));
  }
}

}  // namespace
