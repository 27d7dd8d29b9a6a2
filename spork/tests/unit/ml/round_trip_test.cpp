// The printed texts of the trees of random programs parse to the same trees.
#include "ml/parse.hpp"
#include "ml/print.hpp"
#include "unit/ml/random_text.hpp"
#include "unit/ml/tree_text.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

using namespace tine::ml;

TEST_CASE("what_is_printed_of_a_random_tree_parses_to_the_same_tree") {
  const unsigned first = std::random_device{}();
  MESSAGE("seed: " << first);
  std::size_t nodes = 0;
  for (unsigned seed = first; seed != first + 3000; ++seed) {
    source_files files;
    diagnostics wrong;
    const auto parsed = [&](const std::string& text) {
      files.emplace_back(static_cast<unsigned>(files.size()), "program", text);
      syntax_tree tree = parse(files.back(), wrong);
      CAPTURE(seed);
      CAPTURE(text);
      REQUIRE(render(wrong, files) == "");
      return tree;
    };
    const syntax_tree tree = parsed(random_text{seed}.program());
    const std::string text = print(tree);
    const syntax_tree again = parsed(text);
    CAPTURE(seed);
    CAPTURE(text);
    REQUIRE(tree_text::of(again) == tree_text::of(tree));
    REQUIRE(print(again) == text);
    nodes += tree_text::of(tree).size() / 8;
  }
  CHECK(nodes > 100'000);
}
