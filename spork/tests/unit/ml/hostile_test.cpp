// Texts that try to crash the front end: deep, long, truncated, mangled. Each gives errors or a tree, in time that
// tests of this size show to be about linear: a quadratic stage would take minutes.
#include "ml/parse.hpp"
#include "ml/print.hpp"
#include "unit/ml/tree_text.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

using namespace tine::ml;

namespace {

struct result {
  source_files files;
  diagnostics wrong;
  syntax_tree tree;

  explicit result(std::string text) {
    files.emplace_back(0, "test", std::move(text));
    tree = parse(files[0], wrong);
  }
  std::size_t errors() const { return wrong.errors(); }
  std::string rendered() const { return render(wrong, files); }
};

std::string repeat(std::string_view part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

// Requires one error, of the depth.
void require_too_deep(const std::string& text) {
  const result r{text};
  CAPTURE(text.substr(0, 40));
  CAPTURE(r.rendered());
  CHECK(r.errors() == 1);
  CHECK(r.rendered().find("is nested more than 1000 deep") != std::string::npos);
}

// The program of the truncation test has every construct of the language.
constexpr std::string_view program = R"(infix 5 ++ infixr 6 ** nonfix before
val rec f = fn (x, _) => x + 1 * 2 | {a, b = [1, 2], ...} => raise E "s\n\065\ \" handle F (y as z : int) => #"c"
fun a ++ b = let local val x = 0wxFF in open A B.C end in if a then b else (c; d) end | (a ++ SOME {1 = u, 2 = (v, ())}) = 3.5e~3
datatype 'a t = A | B of 'a * int -> {l : int} and u = U withtype w = (int, 'a t) m exception E of int and G = H.I
structure S :> sig val x : int type t eqtype u structure T : V where type t = int include W sharing type a = b end = struct val x = 1 end
while a do (* comment (* nested *) *) case #1 op + of "é" => x andalso y orelse z : bool; f x;
)";

}  // namespace

TEST_CASE("each_bracket_is_limited_in_depth") {
  const std::size_t depth = 100'000;
  for (const auto& [open, inner, close] : {std::tuple{"(", "1", ")"},
                                           {"[", "1", "]"},
                                           {"{a=", "1", "}"},
                                           {"let val x = ", "1", " in x end"},
                                           {"let in ", "1", " end"},
                                           {"fn x => ", "1", ""},
                                           {"case ", "1", " of x => x"},
                                           {"case x of x => ", "1", ""},
                                           {"if a then b else ", "1", ""},
                                           {"if ", "a", " then b else c"},
                                           {"raise ", "e", ""},
                                           {"while ", "a", " do b"},
                                           {"f (", "1", ")"},
                                           {"f (1, ", "1", ")"}}) {
    require_too_deep("val x = " + repeat(open, depth) + inner + repeat(close, depth));
    require_too_deep("val x = " + repeat(open, depth));
  }
  for (const auto& [open, inner, close] : {std::tuple{"(", "x", ")"},
                                           {"[", "x", "]"},
                                           {"{a=", "x", "}"},
                                           {"(A ", "x", ")"},
                                           {"x as ", "x", ""},
                                           {"{b as ", "x", "}"}}) {
    require_too_deep("val " + repeat(open, depth) + inner + repeat(close, depth) + " = 1");
    if (std::string_view{open} != "x as ")
      require_too_deep("fun f " + repeat(open, depth) + inner + repeat(close, depth) + " = 1");
    require_too_deep("val " + repeat(open, depth));
  }
  for (const auto& [open, inner, close] :
       {std::tuple{"(", "t", ")"}, {"{a:", "t", "}"}, {"(t -> ", "t", ")"}, {"(t * ", "t", ") u"}}) {
    require_too_deep("type t = " + repeat(open, depth) + inner + repeat(close, depth));
    require_too_deep("type t = " + repeat(open, depth));
  }
  require_too_deep(repeat("structure A = struct ", depth) + repeat("end ", depth));
  require_too_deep(repeat("structure A = struct ", depth));
  require_too_deep("structure A = " + repeat("let in ", depth) + "B" + repeat(" end", depth));
  require_too_deep("signature A = " + repeat("sig structure A : ", depth) + "B" + repeat(" end", depth));
  require_too_deep(repeat("local ", depth) + repeat("in end ", depth));
  require_too_deep(repeat("local in ", depth) + repeat("end ", depth));
}

TEST_CASE("each_chain_is_limited_in_depth") {
  const std::size_t length = 100'000;
  for (const std::string_view op : {" + ", " :: ", " = ", " andalso ", " orelse ", " ", " : ", " handle x => "}) {
    require_too_deep("val x = a" + repeat(std::string{op} + "a", length));
  }
  for (const std::string_view op : {" :: ", " : ", " as "})
    require_too_deep("val a" + repeat(std::string{op} + "a", length) + " = 1");
  for (const std::string_view op : {" -> ", " "})
    require_too_deep("type t = a" + repeat(std::string{op} + "a", length));
  require_too_deep("structure A = B" + repeat(" : C", length));
  require_too_deep("signature A = B" + repeat(" where type t = int", length));
}

TEST_CASE("the_depth_of_every_accepted_tree_is_limited") {
  // Chains in chains: no recursion of the parser is deep, but the tree is.
  const std::string chain = repeat(" + a", 200);
  require_too_deep("val x = ((a" + chain + ")" + chain + ")" + chain);
  const result fits{"val x = (a" + repeat(" + a", 300) + ")" + repeat(" + a", 100)};
  CHECK(fits.rendered() == "");
  REQUIRE(fits.tree.declarations.size() == 1);
  CHECK(fits.tree.declarations[0]->depth < max_depth);
  CHECK(fits.tree.declarations[0]->depth > 700);
}

TEST_CASE("comments_nest_without_limit") {
  const std::size_t depth = 1'000'000;
  CHECK(result{repeat("(*", depth) + repeat("*)", depth)}.errors() == 0);
  CHECK(result{repeat("(*", depth)}.errors() == 1);
}

TEST_CASE("long_lists_are_accepted") {
  const std::size_t length = 1'000'000;
  for (const auto& [begin, element, end] : {std::tuple{"val x = [1", ",1", "]"},
                                            {"val x = (1", ",1", ")"},
                                            {"val x = (a", ";a", ")"},
                                            {"val x = let in a", ";a", " end"},
                                            {"val [a", ",a", "] = 1"},
                                            {"val (a", ",a", ") = 1"},
                                            {"type t = a", "*a", ""},
                                            {"val x = 1", " val x=1", ""},
                                            {"val x = let val x = 1", " val x=1", " in x end"},
                                            {"val x = 1", " and x=1", ""},
                                            {"fun f x = 1", "|f x=1", ""},
                                            {"val f = fn x => 1", "|x=>1", ""},
                                            {"datatype t = A", "|A", ""},
                                            {"infix a", " a", ""},
                                            {"open A", " A", ""},
                                            {"f x;", "f;", ""},
                                            {"signature A = sig", " type t", " end"},
                                            {"structure A = struct", " type t=a", " end"}}) {
    const result r{begin + repeat(element, length) + end};
    CAPTURE(begin);
    CHECK(r.rendered() == "");
  }
}

TEST_CASE("records_with_many_labels_are_accepted") {
  std::string text = "val x = {a = 1";
  for (int i = 0; i < 200'000; ++i) text += ", l" + std::to_string(i) + " = 1";
  CHECK(result{text + "}"}.errors() == 0);
  CHECK(result{text + ", l7 = 1}"}.errors() == 1);
}

TEST_CASE("long_lines_are_cut_in_messages") {
  const std::string blank(5'000'000, ' ');
  const result r{blank + ")" + blank};
  CHECK(r.errors() == 1);
  CHECK(r.rendered().size() < 1000);
  CHECK(r.rendered().starts_with("test:1:5000001: error: ')' is unexpected"));
  CHECK(result{std::string(10'000'000, 'x')}.errors() == 0);
  CHECK(result{"val x = \"" + std::string(10'000'000, 'x')}.errors() == 1);
  CHECK(result{"val x = " + std::string(10'000'000, '+')}.rendered().size() < 1000);
  CHECK(result{"val x = " + std::string(10'000'000, '9')}.errors() == 0);
  CHECK(result{"val x = " + std::string(10'000'000, '9') + ".5"}.errors() == 0);
}

TEST_CASE("a_file_of_errors_ends_soon") {
  for (const std::string_view part :
       {")", "val ", "fun f ", "( val ", "let val x = ) ", "\xFF ", "\"a\n", ".", "end ", "in ", "struct ", "if ",
        "local ", "signature S = sig val ", "datatype t = ", "functor F() = struct ", "abstype "}) {
    const result r{repeat(part, 200'000)};
    CAPTURE(part);
    CHECK(r.errors() >= 1);
    CHECK(r.errors() <= 200);
    CHECK(r.rendered().size() < 200'000);
  }
}

TEST_CASE("the_program_of_the_truncation_test_is_right") {
  const result r{std::string{program}};
  CHECK(r.rendered() == "");
  const result again{print(r.tree)};
  CHECK(again.rendered() == "");
  CHECK(tree_text::of(again.tree) == tree_text::of(r.tree));
}

TEST_CASE("a_truncated_program_is_an_error_or_a_program") {
  for (std::size_t length = 0; length < program.size(); ++length) {
    const result r{std::string{program.substr(0, length)}};
    // Only the place where it ends is wrong, so there is one error; or two, if a token is cut, too.
    CAPTURE(length);
    CAPTURE(r.rendered());
    CHECK(r.errors() <= 2);
  }
}

TEST_CASE("mangled_programs_do_not_crash") {
  const unsigned seed = std::random_device{}();
  MESSAGE("seed: " << seed);
  std::mt19937 random{seed};
  for (int round = 0; round < 3000; ++round) {
    std::string text{program};
    for (int i = 0; i < 1 + round % 8; ++i) {
      const std::size_t at = random() % text.size();
      const std::size_t length = random() % 20;
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, program.substr(random() % (program.size() - 20), length));
          break;
        default:
          text.insert(at, 1, static_cast<char>(random()));
      }
      if (text.empty()) text = "x";
    }
    result r{text};
    r.wrong.sort();
    CHECK(r.rendered().size() < 1'000'000);
    if (r.errors() != 0) continue;
    const result again{print(r.tree)};
    CAPTURE(text);
    CHECK(tree_text::of(again.tree) == tree_text::of(r.tree));
  }
}
