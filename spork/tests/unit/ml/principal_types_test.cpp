// Principal types of small definitions. Poly/ML infers the same types, up to the names of the variables.
#include "unit/ml/elaborated.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

struct definition {
  const char* text;
  const char* type;
};

// clang-format off
const definition definitions[] = {
    {R"~(fun v x = x)~", "'a -> 'a"},
    {R"~(fun v f g x = f (g x))~", "('a -> 'b) -> ('c -> 'a) -> 'c -> 'b"},
    {R"~(fun v (x, y) = (y, x))~", "'a * 'b -> 'b * 'a"},
    {R"~(fun v f [] = [] | v f (x :: r) = f x :: v f r)~", "('a -> 'b) -> 'a list -> 'b list"},
    {R"~(fun v f z [] = z | v f z (x :: r) = f (x, v f z r))~", "('a * 'b -> 'b) -> 'b -> 'a list -> 'b"},
    {R"~(fun v x = x + 1)~", "int -> int"},
    {R"~(fun v (x, y) = x = y)~", "''a * ''a -> bool"},
    {R"~(fun v x [] = false | v x (y :: r) = x = y orelse v x r)~", "''a -> ''a list -> bool"},
    {R"~(fun v x y z = x z (y z))~", "('a -> 'b -> 'c) -> ('a -> 'b) -> 'a -> 'c"},
    {R"~(fun v {10 = a, 2 = b, x = c} = ((a, b), (), c))~", "{2: 'a, 10: 'b, x: 'c} -> ('b * 'a) * unit * 'c"},
    {R"~(fun v {a, b} = a b)~", "{a: 'a -> 'b, b: 'a} -> 'b"},
    {R"~(fun v f = let val g = fn x => f x in (g, g) end)~", "('a -> 'b) -> ('a -> 'b) * ('a -> 'b)"},
    {R"~(fun v x = let fun k y = x in (k 1, k "a") end)~", "'a -> 'a * 'a"},
    {R"~(val v = [])~", "'a list"},
    {R"~(fun v r = !r + 1)~", "int ref -> int"},
    {R"~(fun v r x = r := x :: !r)~", "'a list ref -> 'a -> unit"},
    {R"~(fun v x = raise x)~", "exn -> 'a"},
    {R"~(fun v f x = f x handle Fail s => s)~", "('a -> string) -> 'a -> string"},
    {R"~(fun v (f : int -> 'a) = f 3)~", "(int -> 'a) -> 'a"},
    {R"~(fun v n = if n = 0 then [] else n :: v (n - 1))~", "int -> int list"},
    {R"~(fun v (a, b) (c, d) = (a = c, b < d, b + 1.0))~", "''a * real -> ''a * real -> bool * bool * real"},
    {R"~(fun v x = case x of (SOME a, NONE) => a | (_, SOME b) => b | _ => raise Empty)~", "'a option * 'a option -> 'a"},
    {R"~(val v = map)~", "('a -> 'b) -> 'a list -> 'b list"},
    {R"~(val v = fn x => foldl (op ^) x)~", "string -> string list -> string"},
    {R"~(fun v x = #1 x + size (#2 (x : int * string)))~", "int * string -> int"},
    {R"~(fun v (x as (a, b)) = (x, a, b))~", "'a * 'b -> ('a * 'b) * 'a * 'b"},
    {R"~(fun v l = List.map #1 (l : (int * 'a) list))~", "(int * 'a) list -> int list"},
    {R"~(fun v f x = (f : ''a -> 'b) x)~", "(''a -> 'b) -> ''a -> 'b"},
    {R"~(fun v x = let val r = ref x in r := x; !r end)~", "'a -> 'a"},
    {R"~(fun v x y = if x < y then x else y)~", "int -> int -> int"},
    {R"~(fun v x = (#"a" < x, ord x))~", "char -> bool * int"},
    {R"~(fun v f g h = fn (x, y) => h (f x, g y))~", "('a -> 'b) -> ('c -> 'd) -> ('b * 'd -> 'e) -> 'a * 'c -> 'e"},
    {R"~(fun v f = fn x => fn y => f (fn z => z) x y)~", "(('a -> 'a) -> 'b -> 'c -> 'd) -> 'b -> 'c -> 'd"},
    {R"~(fun v (x, y, {z, w}) = (x y, z w))~", "('a -> 'b) * 'a * {w: 'c, z: 'c -> 'd} -> 'b * 'd"},
    {R"~(fun v k = k (fn x => x))~", "(('a -> 'a) -> 'b) -> 'b"},
};
// clang-format on

TEST_CASE("definitions have their principal types") {
  for (const definition& d : definitions) {
    const tine::test::elaborated p{d.text};
    CAPTURE(d.text);
    CHECK(!p.wrong.has_errors());
    CHECK(p.type_of("v") == d.type);
  }
}

}  // namespace
