// The formatter keeps tokens and comments of random programs, and formatting again changes nothing. Examples fix its style.
#include "ml/format.hpp"
#include "ml/lex.hpp"
#include "ml/parse.hpp"
#include "ml/print.hpp"
#include "unit/ml/random_tree.hpp"
#include "unit/ml/tree_text.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace tine::ml;

namespace {

std::string formatted(const std::string& text, std::size_t columns = format_columns) {
  const source file{0, "program", text};
  diagnostics wrong;
  parse(file, wrong);
  source_files files;
  files.push_back(file);
  CAPTURE(text);
  REQUIRE(render(wrong, files) == "");
  return format(file, columns);
}

[[maybe_unused]] void check_style(const std::string& written, const std::string& expected, std::size_t columns = format_columns) {
  CHECK(formatted(written, columns) == expected);
  CHECK(formatted(expected, columns) == expected);
}

struct disturbed {
  std::string text;
  std::vector<std::string> comments;
};

// Puts line breaks and comments, which are numbered, between the tokens of a program.
disturbed disturb(const std::string& program, std::mt19937_64& random) {
  const source file{0, "program", program};
  diagnostics wrong;
  disturbed result;
  std::size_t end = 0;
  const auto below = [&](unsigned n) { return random() % n; };
  const unsigned rarity = 2 + static_cast<unsigned>(below(20));
  const auto breaks = [&] { return std::string(below(3), '\n') + std::string(below(6), ' '); };
  for (const token& t : lex(file, wrong).tokens) {
    result.text += program.substr(end, t.begin - end);
    if (below(rarity) == 0) result.text += breaks();
    for (unsigned n = below(rarity) == 0 ? 1 + static_cast<unsigned>(below(2)) : 0; n != 0; --n) {
      const std::string number = std::to_string(result.comments.size());
      result.comments.push_back(below(3) == 0 ? "(* " + number + "\n     (* é *)\n\n   last *)" : "(* " + number + " *)");
      result.text += breaks() + result.comments.back() + breaks();
    }
    result.text += program.substr(t.begin, t.end - t.begin);
    end = t.end;
  }
  return result;
}

std::string without_indentation(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c != ' ') all += c;
  }
  return all;
}

}  // namespace

TEST_CASE("formatting_random_programs_keeps_their_comments_and_trees_and_formatting_again_changes_nothing") {
  const unsigned first = std::random_device{}();
  MESSAGE("seed: " << first);
  for (unsigned seed = first; seed != first + 1500; ++seed) {
    std::mt19937_64 random{seed};
    const disturbed program = disturb(print(random_tree{seed}.make()), random);
    const std::size_t columns = random() % 2 == 0 ? 40 : 120;
    CAPTURE(seed);
    CAPTURE(columns);
    CAPTURE(program.text);
    const std::string text = formatted(program.text, columns);
    CAPTURE(text);
    const std::string plain = without_indentation(text);
    std::size_t at = 0;
    for (const std::string& c : program.comments) {
      const std::size_t found = plain.find(without_indentation(c), at);
      REQUIRE(found != std::string::npos);
      at = found + 1;
    }
    source_files files;
    files.emplace_back(0, "given", program.text);
    files.emplace_back(1, "formatted", text);
    diagnostics wrong;
    REQUIRE(tree_text::of(parse(files[0], wrong)) == tree_text::of(parse(files[1], wrong)));
    REQUIRE(formatted(text, columns) == text);
    REQUIRE(text.find(" \n") == std::string::npos);
  }
}
