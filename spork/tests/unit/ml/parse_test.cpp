// Trees of small programs, written by hand.
#include "ml/parse.hpp"
#include "unit/ml/tree_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace tine::ml;

namespace {

// Returns the tree of the declarations in `text`, or its errors.
std::string tree_of(std::string text) {
  source_files files;
  files.emplace_back(0, "test", std::move(text));
  diagnostics wrong;
  const syntax_tree tree = parse(files[0], wrong);
  return wrong.has_errors() ? render(wrong, files) : tree_text::of(tree);
}

// Returns the tree of an expression with parentheses around each phrase, from a text whose parentheses show the
// expected grouping.
bool group_equally(const std::string& plain, const std::string& grouped) {
  CAPTURE(plain);
  CAPTURE(grouped);
  CHECK(tree_of("val x = " + plain).starts_with("[(val"));
  return tree_of("val x = " + plain) == tree_of("val x = " + grouped);
}

}  // namespace

TEST_CASE("an_infix_phrase_is_an_application_to_a_pair") {
  CHECK(tree_of("a + b;") ==
        "[(expression_declaration (apply_expression (name_expression + no) (tuple_expression [(name_expression a no) "
        "(name_expression b no) ]) yes)) ]");
  CHECK(tree_of("op + (a, b);") ==
        "[(expression_declaration (apply_expression (name_expression + yes) (tuple_expression [(name_expression a no) "
        "(name_expression b no) ]) no)) ]");
  CHECK(tree_of("val a :: b = c") ==
        "[(value_declaration [] [(value_binding (constructed_pattern :: (tuple_pattern [(name_pattern a no) "
        "(name_pattern b no) ]) yes) (name_expression c no) no) ]) ]");
}

TEST_CASE("phrases_group_as_in_the_definition") {
  CHECK(group_equally("a + b * c - d", "((a + (b * c)) - d)"));
  CHECK(group_equally("a :: b @ c", "(a :: (b @ c))"));
  CHECK(group_equally("f x y + g z", "(((f x) y) + (g z))"));
  CHECK(group_equally("a = b andalso c orelse d andalso e", "(((a = b) andalso c) orelse (d andalso e))"));
  CHECK(group_equally("a orelse b orelse c", "((a orelse b) orelse c)"));
  CHECK(group_equally("a andalso b : t", "(a andalso (b : t))"));
  CHECK(group_equally("a : t : u", "((a : t) : u)"));
  CHECK(group_equally("a orelse b handle p => c", "((a orelse b) handle p => c)"));
  CHECK(group_equally("raise a handle p => b", "raise (a handle p => b)"));
  CHECK(group_equally("if a then b else c handle p => d", "if a then b else (c handle p => d)"));
  CHECK(group_equally("fn p => a handle q => b | r => c", "fn p => (a handle q => b | r => c)"));
  CHECK(group_equally("case a of p => case b of q => c | r => d", "case a of p => (case b of q => c | r => d)"));
  CHECK(group_equally("while a do b handle p => c", "while a do (b handle p => c)"));
  CHECK(group_equally("~1 - ~2", "((~1) - (~2))"));
}

TEST_CASE("types_group_as_in_the_definition") {
  const auto of_type = [](const std::string& t) { return tree_of("type t = " + t); };
  CHECK(of_type("a -> b -> c") == of_type("(a -> (b -> c))"));
  CHECK(of_type("a * b -> c * d") == of_type("((a * b) -> (c * d))"));
  CHECK(of_type("a list list * b") == of_type("(((a list) list) * b)"));
  CHECK(of_type("a * b * c") != of_type("(a * b) * c"));
}

TEST_CASE("constants_have_their_values") {
  const auto literal_of = [](const std::string& constant) {
    const std::string text = tree_of(constant + ";"), before = "[(expression_declaration (literal_expression (literal ";
    return text.starts_with(before) ? text.substr(before.size()) : text;
  };
  CHECK(literal_of("~0x1F") == "0 yes 31 no 0x0p+0 ))) ]");
  CHECK(literal_of("18446744073709551615") == "0 no 18446744073709551615 no 0x0p+0 ))) ]");
  CHECK(literal_of("18446744073709551616") == "0 no 0 yes 0x0p+0 ))) ]");
  CHECK(literal_of("0wxff") == "1 no 255 no 0x0p+0 ))) ]");
  CHECK(literal_of("~1.5e1") == "2 yes 0 no -0x1.ep+3 ))) ]");
  CHECK(literal_of("#\"\\^Z\"") == "3 no 26 no 0x0p+0 ))) ]");
  CHECK(literal_of("\"a\\065\\  \\\\u00e9é\"") == "4 no 0 no 0x0p+0 97,65,233,195,169,))) ]");
}

TEST_CASE("a_source_finds_lines_and_columns") {
  const source s{0, "test", "ab\r\n\nc\n"};
  CHECK(s.lines() == 4);
  CHECK(s.line(1) == "ab");
  CHECK(s.line(2).empty());
  CHECK(s.line(4).empty());
  CHECK(s.line(5).empty());
  const auto at = [&](std::uint32_t offset) { return s.position_of(offset).line * 100 + s.position_of(offset).column; };
  CHECK(at(0) == 101);
  CHECK(at(3) == 104);
  CHECK(at(4) == 201);
  CHECK(at(5) == 301);
  CHECK(at(7) == 401);
  CHECK(at(1000) == 401);
}

TEST_CASE("a_message_marks_its_place") {
  source_files files;
  files.emplace_back(0, "a\x1b.sml", "x\té\x01 = \xFF;\n");
  diagnostics all{2};
  all.warn({0, 2, 4}, "second");
  all.error({0, 8, 9}, "third", {{{0, 0, 1}, "first"}});
  all.error({0, 8, 9}, "not shown because it is at the same place");
  all.error({0, 9, 10}, "not kept");
  all.sort();
  CHECK(all.errors() == 2);
  CHECK(all.is_full());
  CHECK(render(all, files) ==
        "a?.sml:1:3: warning: second\n  1 | x é? = ?;\n    |   ^\n"
        "a?.sml:1:9: error: third\n  1 | x é? = ?;\n    |        ^\n"
        "a?.sml:1:1: note: first\n  1 | x é? = ?;\n    | ^\n… and 1 more\n");
}
