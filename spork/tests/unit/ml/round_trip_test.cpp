// The printed texts of random trees parse to the same trees.
#include "ml/parse.hpp"
#include "ml/print.hpp"
#include "unit/ml/random_tree.hpp"
#include "unit/ml/tree_text.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace tine::ml;

TEST_CASE("what_is_printed_of_a_random_tree_parses_to_the_same_tree") {
  const unsigned first = std::random_device{}();
  MESSAGE("seed: " << first);
  for (unsigned seed = first; seed != first + 3000; ++seed) {
    const syntax_tree tree = random_tree{seed}.make();
    const std::string text = print(tree);
    source_files files;
    files.emplace_back(0, "printed", text);
    diagnostics wrong;
    const syntax_tree again = parse(files[0], wrong);
    CAPTURE(seed);
    CAPTURE(text);
    REQUIRE(render(wrong, files) == "");
    REQUIRE(tree_text::of(again) == tree_text::of(tree));
    REQUIRE(print(again) == text);
  }
}
