// The study of algorithms: times each case, and prints a line of JSON for each.
#include "harness/options.hpp"
#include "harness/peak_memory.hpp"
#include "studies/algorithms/cases.hpp"
#include "studies/status_of.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace bench::algorithms;

constexpr std::size_t items_of_a_case = 4'000'000;  ///< in all of its inputs, of which there is at least one

struct wishes {
  std::size_t n = 1000;
  unsigned workers = 1;
  std::string program;
};

/// Times `calls` calls, after one that is not timed, and prints a line. Each call has an input of its own: the branches
/// of a call with an input that was seen before would be known to the processor. Every library gets the same inputs,
/// and must have the same answer for the first one once more.
void measure(const test_case& c, const wishes& w) {
  const std::size_t calls = std::max<std::size_t>(1, items_of_a_case / w.n);
  std::vector<data> inputs(calls + 1);
  for (std::size_t i = 0; i < inputs.size(); ++i) c.prepare(inputs[i], w.n, 1 + i);
  bench::forget_peak_memory();
  const auto before = bench::peak_memory_kib();
  double seconds = 0;
  run_in(w.workers, [&] {
    c.run(inputs.back());
    seconds = bench::seconds_of([&] {
      for (std::size_t i = 0; i < calls; ++i) c.run(inputs[i]);
    });
  });
  const auto more_kib = bench::peak_memory_kib() - before;
  std::uint64_t check = 0;
  for (const data& d : inputs) check = check * 31 + c.check(d);
  data again;
  c.prepare(again, w.n, 1);
  run_in(w.workers, [&] { c.run(again); });
  std::printf("%s\n", nlohmann::json{{"program", w.program},
                                     {"case", c.name},
                                     {"n", w.n},
                                     {"workers", w.workers},
                                     {"ns", seconds * 1e9 / static_cast<double>(calls)},
                                     {"check", check},
                                     {"more_kib", more_kib},
                                     {"verified", c.check(again) == c.check(inputs.front())}}
                          .dump()
                          .c_str());
}

}  // namespace

int main(int argc, char** argv) {
  wishes w;
  bench::options given{"algorithms", "Times algorithms over integers."};
  given.number("--n", w.n, {2, 1'000'000'000}, "Items of each input");
  given.number("--workers", w.workers, {1, 512}, "Workers");
  given.parse(argc, argv);
  w.program = std::filesystem::path{argv[0]}.filename();
  for (const test_case& c : cases()) measure(c, w);
  return 0;
}
