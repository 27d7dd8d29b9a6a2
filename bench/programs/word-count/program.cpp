// The program word-count: parameters, variants, check.
#include "programs/word-count/problem.hpp"

#include "harness/loop_variants.hpp"
#include "harness/size_options.hpp"

namespace bench {

program describe_program() {
  using namespace word_count;
  static problem p;
  return {
      .name = "word-count",
      .description = "Counts the words of a text by a reduction over its characters.",
      .add_options =
          [](CLI::App& app) { add_size_options(app, p.n, large_n, {1, std::size_t{1} << 32}, "Characters"); },
      .params = [] { return nlohmann::json{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer, p.mistake()}; },
  };
}

}  // namespace bench
