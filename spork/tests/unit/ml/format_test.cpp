// The formatter keeps tokens and comments of random programs, and formatting again changes nothing. Examples fix its
// style.
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

// Formats with 80 columns.
void check_style(const std::string& written, const std::string& expected) {
  CHECK(formatted(written, 80) == expected);
  CHECK(formatted(expected, 80) == expected);
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
      result.comments.push_back(below(3) == 0 ? "(* " + number + "\n     (* é *)\n\n   last *)"
                                              : "(* " + number + " *)");
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

TEST_CASE("comments_stay_where_they_are") {
  check_style(R"ml((* header *)

val x=0xFF  and y= ~1E3 (* trailing *)
val s = "a\065"   (* aligned *)


(* doc of f
   with two lines *)
fun f(x,y)=(x+y)   (* why *)
  | f (x, y) (* in *) = case x of SOME(y)=>((y)) (* one *)
     (* before the (* nested *) rule *)
     | NONE => if a then b (* yes *) else (* no *) c
  (* after f *)
fun g x = let val a=1 (* one *)
 (* own line *)
 val b = 2
 (* before in *)
 in (* begin *) a + b; (* step *)
   !x
   (* before end *)
 end
(* the end *)
)ml",
              R"ml((* header *)

val x = 0xFF and y = ~1E3 (* trailing *)
val s = "a\065"   (* aligned *)

(* doc of f
   with two lines *)
fun f (x, y) = (x + y)   (* why *)
  | f (x, y) (* in *) =
      case x of
        SOME (y) => ((y)) (* one *)
      (* before the (* nested *) rule *)
      | NONE => if a then b (* yes *) else (* no *) c
(* after f *)
fun g x =
  let
    val a = 1 (* one *)
    (* own line *)
    val b = 2
    (* before in *)
  in (* begin *)
    a + b; (* step *)
    !x
    (* before end *)
  end
(* the end *)
)ml");
}

TEST_CASE("modules") {
  check_style(R"ml(signature S = sig type t (* a type *) val f : int*int->int end
structure A :> S where type t = int and type u = string = struct datatype t = A of int | B
  withtype u = t list
  exception E of int and F = E
end
structure B =
struct
    infix 4 ===
    fun a === b = !a = !b handle Fail s => (print s; false) | Subscript => raise Subscript

end
local open A in val q = #1 (a, b) : int end;
q + 1; print "x"
)ml",
              R"ml(signature S = sig type t (* a type *) val f : int * int -> int end
structure A :> S where type t = int and type u = string = struct
  datatype t = A of int | B
  withtype u = t list
  exception E of int and F = E
end
structure B =
struct
  infix 4 ===
  fun a === b =
    !a = !b handle Fail s => (print s; false) | Subscript => raise Subscript
end
local open A in val q = #1 (a, b) : int end;
q + 1;
print "x"
)ml");
}

TEST_CASE("long_lines_break") {
  check_style(
      R"ml(val () = Array.app (fn x => print (Int.toString x ^ "aaaaaaaaaaaaaa" ^ "bbbbbbbbbbbbbbbbbbbbbb" ^ "\n")) a
val h = fn 0 => 1 | n => n * fact (n - 1) + aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbb + ccc
val c = aaaaaaaaaaaaaaaaaaaaaaaaaaaaa andalso bbbbbbbbbbbbbbbbbbbbbbbbbbb orelse ccccccccccccccc andalso ddddd
datatype color = Red of int * int | Green of aaaaaaaaaaaaaaaaaaaaaaaaaaa | Blue of bbbbbbbbbbbbbbbbbbbbbb
fun f x = if x then (print "aaaaaaaaaaaaaaaaaaaaaaaa"; print "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb"; f y) else let val z = 1 in z end
)ml",
      R"ml(val () =
  Array.app (fn x =>
    print (Int.toString x ^ "aaaaaaaaaaaaaa" ^ "bbbbbbbbbbbbbbbbbbbbbb" ^ "\n"))
    a
val h =
  fn 0 => 1
   | n =>
       n * fact (n - 1) + aaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbb + ccc
val c =
  aaaaaaaaaaaaaaaaaaaaaaaaaaaaa andalso bbbbbbbbbbbbbbbbbbbbbbbbbbb orelse
  ccccccccccccccc andalso ddddd
datatype color =
    Red of int * int
  | Green of aaaaaaaaaaaaaaaaaaaaaaaaaaa
  | Blue of bbbbbbbbbbbbbbbbbbbbbb
fun f x =
  if x then
    (print "aaaaaaaaaaaaaaaaaaaaaaaa";
     print "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
     f y)
  else let val z = 1 in z end
)ml");
}

TEST_CASE("the_writer's_line_breaks_stay_where_the_style_allows_them") {
  check_style(R"ml(fun f x =
    let val y = x
    in y end
fun g 0 = 1 | g n =
      n
val r = {a = 1,
    b = 2}
val () = (print "a";
  print "b"); val t =
 (f
 1) +
 2
val u = if a
  then b else c
)ml",
              R"ml(fun f x =
  let val y = x
  in y end
fun g 0 = 1
  | g n =
      n
val r = {a = 1,
         b = 2}
val () = (print "a";
          print "b");
val t =
  (f
     1) +
  2
val u = if a then b else c
)ml");
}

TEST_CASE("odd_files") {
  CHECK(formatted("") == "");
  CHECK(formatted(" \n\n") == "");
  CHECK(formatted("\n\n(* a *)\n\n\n") == "(* a *)\n");
  CHECK(formatted("\xEF\xBB\xBFval x = 1\r\n\r\nval y =\r\n 2") == "val x = 1\n\nval y =\n  2\n");
  CHECK(formatted("val s = \"a\\ \r\n  \\b\"") == "val s = \"a\\ \n  \\b\"\n");
  CHECK(formatted(";;val x=(op*)(1,2);") == ";;\nval x = (op * ) (1, 2);\n");
}

TEST_CASE("large_and_deep_files") {
  std::string deep = "val x = ", lets = deep, line;
  for (int i = 0; i < 900; ++i) deep += '(';
  deep += '1';
  for (int i = 0; i < 900; ++i) deep += ')';
  CHECK(formatted(formatted(deep)) == formatted(deep));
  for (int i = 0; i < 300; ++i) lets += "let val y = f (fn x => (* c *) x) in ";
  lets += 'y';
  for (int i = 0; i < 300; ++i) lets += " end";
  CHECK(formatted(formatted(lets)) == formatted(lets));
  for (int i = 0; i < 100000; ++i) line += "val x = [1, 2] (* c\n *) ";
  CHECK(formatted(formatted(line)) == formatted(line));
}
