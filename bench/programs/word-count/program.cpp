// The program word-count: parameters, variants, check.
#include "programs/word-count/problem.hpp"

#include "harness/loop_variants.hpp"

namespace bench {

program describe_program() {
  using namespace word_count;
  static problem p;
  return {
      .name = "word-count",
      .description = "Counts the words of a text by a reduction over its characters.",
      .add_options = [](options& o) { o.size("--n", p.n, {1, std::size_t{1} << 32}, large_n, "Characters"); },
      .params = [] { return parameters{{"n", p.n}}; },
      .reset = [] { p.reset(); },
      .variants = loop_variants<problem>(p, {serial, managed, tuned, dac, tbb, openmp}),
      .examine = []() -> finding { return {p.answer, p.mistake()}; },
  };
}

}  // namespace bench
