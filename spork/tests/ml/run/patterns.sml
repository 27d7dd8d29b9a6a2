(*** patterns 1 ***)
(* tuples, wildcards and layers *)
val (a, (b, _), c as (d, e)) = (1, (2, 3), (4, 5))
val () = print (concat (map Int.toString [a, b, d, e, #1 c, #2 c]) ^ "\n")
val x as (y as [z], _) = ([7], "s")
val () = print (Int.toString (z + hd y + hd (#1 x)) ^ "\n")
(* records in patterns *)
val r = {name = "n", size = 3, at = {x = 1, y = 2}}
val {name, size = s, at = {x, ...}} = r
val {at = whole as {y, ...}, ...} = r
val () = print (name ^ Int.toString (s + x * 10 + y * 100 + #x whole * 1000) ^ "\n")
fun f {a : int, b as (c, d)} = a + c + d + #1 b
val () = print (Int.toString (f {b = (2, 3), a = 1}) ^ "\n")
fun g {1 = a, 2 = b} = a - b
val () = print (Int.toString (g (5, 3)) ^ "\n")
(* constants in patterns *)
fun f 0 = "zero" | f 1 = "one" | f ~1 = "minus one" | f 0x10 = "sixteen" | f 9223372036854775807 = "greatest" | f _ = "other"
val () = app (fn i => print (f i ^ "\n")) [0, 1, ~1, 16, 17, 9223372036854775807]
fun g (0, _) = 1 | g (_, 0) = 2 | g (1, 1) = 3 | g (_, _) = 4
val () = app (fn p => print (Int.toString (g p))) [(0, 0), (0, 5), (5, 0), (1, 1), (1, 2), (2, 1)]
val () = print "\n"
(* constructors within constructors *)
datatype t = A | B of int | C of t * t | D of {left : t, right : t option}
fun f A = "A"
  | f (B 0) = "B0"
  | f (B n) = "B" ^ Int.toString n
  | f (C (A, A)) = "CAA"
  | f (C (B 1, x)) = "CB1" ^ f x
  | f (C (x as B _, C (y, _))) = "C" ^ f x ^ f y
  | f (C (x, y)) = "(" ^ f x ^ f y ^ ")"
  | f (D {left = A, right = NONE}) = "DA"
  | f (D {left, right = SOME (B 2)}) = "D2" ^ f left
  | f (D {right = SOME r, ...}) = "D" ^ f r
  | f (D {left = l, right = NONE}) = "d" ^ f l
val () = app (fn x => print (f x ^ "\n"))
  [A, B 0, B 5, C (A, A), C (B 1, B 7), C (B 2, C (A, B 3)), C (B 2, A), C (A, B 1), D {left = A, right = NONE}, D {left = B 9, right = SOME (B 2)},
   D {left = A, right = SOME (C (A, A))}, D {left = B 3, right = NONE}]
(* lists in patterns *)
fun f [] = "none" | f [_] = "one" | f [a, b] = "two" | f (1 :: 2 :: _) = "from 1, 2" | f (_ :: [_, x]) = "three, " ^ Int.toString x | f (x :: _ :: rest) = Int.toString (x + length rest)
val () = app (fn l => print (f l ^ "\n")) [[], [5], [1, 2], [1, 2, 3], [3, 4, 5], [7, 8, 9, 10], [1, 2, 3, 4]]
fun pairs ((a, b) :: rest) = a * b + pairs rest | pairs [] = 0
val () = print (Int.toString (pairs [(1, 2), (3, 4)]) ^ "\n")
(* options of options, lists of lists *)
fun f NONE = 0 | f (SOME NONE) = 1 | f (SOME (SOME [])) = 2 | f (SOME (SOME [[x]])) = x | f (SOME (SOME ([] :: _))) = 3 | f (SOME (SOME ((x :: _) :: _))) = x * 100
val () = app (fn x => print (Int.toString (f x) ^ "\n")) [NONE, SOME NONE, SOME (SOME []), SOME (SOME [[55]]), SOME (SOME [[], [1]]), SOME (SOME [[7, 8]]), SOME (SOME [[6], [7]])]
(* the first clause that matches counts *)
fun f (_, true) = 1 | f (true, _) = 2 | f _ = 3
val () = app (fn p => print (Int.toString (f p))) [(true, true), (false, true), (true, false), (false, false)]
val () = print "\n"
fun g (x, 0) = x | g (0, y) = y * 10 | g (x, y) = x + y
val () = app (fn p => print (Int.toString (g p) ^ " ")) [(0, 0), (3, 0), (0, 3), (3, 4)]
val () = print "\n"
(*> 124545 | 21 | n1213 | 8 | 2 | zero | one | minus one | sixteen | other | greatest | 112344 | A | B0 | B5 | CAA *)
(*> CB1B7 | CB2A | (B2A) | (AB1) | DA | D2B9 | DCAA | dB3 | none | one | two | from 1, 2 | three, 5 | 9 | from 1, 2 *)
(*> 14 | 0 | 1 | 2 | 55 | 3 | 700 | 600 | 1123 | 0 3 30 7  *)

(*** patterns 2 ***)
(* a match that fails raises Match *)
fun f 1 = "one" | f 2 = "two"
val () = print (f 2 ^ (f 3 handle Match => " Match") ^ "\n")
val g = fn [x] => x
val () = print (Int.toString (g [5]) ^ (Int.toString (g []) handle Match => " Match") ^ "\n")
val () = print ((case SOME 3 of NONE => "none") handle Match => "Match\n")
(* a binding that fails raises Bind *)
fun f l = let val x :: _ = l in x end
val () = print (Int.toString (f [4]) ^ (Int.toString (f []) handle Bind => " Bind") ^ "\n")
fun g x = let val SOME (1, y) = x in y end
val () = print (g (SOME (1, "a")) ^ (g (SOME (2, "b")) handle Bind => "Bind") ^ (g NONE handle Bind => "Bind") ^ "\n")
val () = print ((let val true = false in "same" end) handle Bind => "Bind\n")
(* types in patterns *)
fun f (x : int, (y : string) :: _) = Int.toString x ^ y | f (_ : int, [] : string list) = "none"
val () = print (f (1, ["a"]) ^ f (2, []) ^ "\n")
val (g : int -> int) = fn (x : int) => x + 1
val () = print (Int.toString (g 3) ^ "\n")
(* references in patterns *)
val r = ref (1, ref [2, 3])
fun f (ref (a, ref (b :: _))) = a + b | f (ref (a, ref [])) = a
val () = print (Int.toString (f r) ^ "\n")
val (ref (_, inner)) = r
val () = inner := []
val () = print (Int.toString (f r) ^ "\n")
(* exceptions in patterns *)
exception A of int and B of string * int and C
fun f (A 0) = "A zero" | f (A n) = "A " ^ Int.toString n | f (B ("x", n)) = "Bx " ^ Int.toString n | f (B (s, _)) = "B " ^ s | f C = "C" | f (Fail s) = "Fail " ^ s | f e = exnName e
val () = app (fn e => print (f e ^ "\n")) [A 0, A 5, B ("x", 3), B ("y", 4), C, Fail "f", Div, Subscript]
(* infix constructors in patterns *)
datatype 'a tree = Leaf | <> of 'a tree * 'a
infix 4 <>
infixr 5 ++
datatype e = ++ of e * e | N of int
fun sum (N n) = n | sum (N 1 ++ e) = 1000 + sum e | sum (a ++ b) = sum a + sum b
val () = print (Int.toString (sum (N 1 ++ N 2 ++ N 3)) ^ " " ^ Int.toString (sum ((N 4 ++ N 5) ++ N 1)) ^ "\n")
fun count Leaf = 0 | count (t <> x) = count t + x
val () = print (Int.toString (count (Leaf <> 3 <> 4)) ^ "\n")
(* many constructors and columns *)
datatype c = R | G | B | Y | K | W
fun n R = 0 | n G = 1 | n B = 2 | n Y = 3 | n K = 4 | n W = 5
fun f (R, R, x) = 1 + n x | f (R, G, R) = 100 | f (_, G, G) = 200 | f (W, x, W) = 300 + n x | f (B, _, R) = 400 | f (x, K, y) = 500 + n x * 10 + n y | f _ = 0
val all = [R, G, B, Y, K, W]
val h = foldl (fn (a, s) => foldl (fn (b, s) => foldl (fn (c, s) => (s * 31 + f (a, b, c)) mod 1000000007) s all) s all) 7 all
val () = print (Int.toString h ^ "\n")
(*> two Match | 5 Match | Match | 4 Bind | aBindBind | Bind | 1anone | 4 | 3 | 1 | A zero | A 5 | Bx 3 | B y | C *)
(*> Fail f | Div | Subscript | 1005 10 | 7 | 939798279 *)

(*** a red-black tree ***)
datatype color = Red | Black
datatype tree = E | T of color * tree * int * tree
fun balance (Black, T (Red, T (Red, a, x, b), y, c), z, d) = T (Red, T (Black, a, x, b), y, T (Black, c, z, d))
  | balance (Black, T (Red, a, x, T (Red, b, y, c)), z, d) = T (Red, T (Black, a, x, b), y, T (Black, c, z, d))
  | balance (Black, a, x, T (Red, T (Red, b, y, c), z, d)) = T (Red, T (Black, a, x, b), y, T (Black, c, z, d))
  | balance (Black, a, x, T (Red, b, y, T (Red, c, z, d))) = T (Red, T (Black, a, x, b), y, T (Black, c, z, d))
  | balance (c, a, x, b) = T (c, a, x, b)
fun insert (x, t) =
  let
    fun go E = T (Red, E, x, E)
      | go (t as T (c, a, y, b)) = if x < y then balance (c, go a, y, b) else if y < x then balance (c, a, y, go b) else t
  in
    case go t of T (_, a, y, b) => T (Black, a, y, b) | E => E
  end
fun depth E = 0 | depth (T (_, a, _, b)) = 1 + Int.max (depth a, depth b)
fun size E = 0 | size (T (_, a, _, b)) = size a + 1 + size b
fun elements (E, l) = l | elements (T (_, a, x, b), l) = elements (a, x :: elements (b, l))
fun fill (0, _, t) = t | fill (n, s, t) = fill (n - 1, (s * 75 + 74) mod 65537, insert (s, t))
val t = fill (2000, 1, E)
val l = elements (t, [])
fun sorted (a :: (rest as b :: _)) = (a : int) < b andalso sorted rest | sorted _ = true
val () = print (concat [Int.toString (size t), " ", Bool.toString (depth t < 23), " ", Bool.toString (sorted l), " ", Int.toString (List.nth (l, 1000)), "\n"])
(*> 2000 true true 32932 *)
