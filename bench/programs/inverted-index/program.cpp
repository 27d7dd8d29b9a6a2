// The program inverted-index: parameters, variants, check.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

namespace bench {

program describe_program() {
  using namespace inverted_index;
  static problem p;
  const auto add_options = [](options& o) { o.size("--n", p.n, {1, largest_n}, large_n, "Characters"); };
  return program_of_algorithms(p, "inverted-index", "Finds for each word of a text the documents that contain it.",
                               add_options, [] { return parameters{{"n", p.n}}; });
}

}  // namespace bench
