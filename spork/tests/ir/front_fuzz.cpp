// A libFuzzer target for the front end of the compiler. Every text is parsed, encoded and verified without a crash. A
// well-formed program can be printed, read again, run for a while, and sent through the passes. See `./dev fuzz`.
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace tine::spork;

void require(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void run_for_a_while(const program& p) {
  if (p.find("main") == none) return;  // it only exports functions
  try {
    interpret(semantics{p, {std::size_t{1} << 16}}, *make_schedule("seed:1"), 10'000);
  } catch (const trap&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  diagnostics wrong;
  program p = load({reinterpret_cast<const char*>(data), size}, "input", wrong);
  render(wrong, "input");
  if (!wrong.empty()) return 0;
  const std::string printed = print(p);
  const program again = load(printed, "again", wrong);
  require(wrong.empty(), "what is printed is ill-formed:\n" + render(wrong, "again") + printed);
  require(print(again) == printed, "what is printed is another program:\n" + printed);
  run_for_a_while(p);
  optimise(p);
  run_for_a_while(p);
  return 0;
}
