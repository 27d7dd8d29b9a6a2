(*** an empty file ***)

(*** precedence of the basis ***)
val x = 1 + 2 * 3 - 4 div 5 :: f x y @ nil before (a := b o c)
(*> val x = 1 + 2 * 3 - 4 div 5 :: f x y @ nil before a := b o c *)

(*** redundant parentheses vanish ***)
val x = ((1 + (2 * 3)) - ((4))) :: (a :: (b :: c)) and y = (1 - (2 - 3)) and z = (f x) (y)
(*> val x = 1 + 2 * 3 - 4 :: a :: b :: c and y = 1 - (2 - 3) and z = f x y *)

(*** infix is scoped by let ***)
val x = let infix 5 ++ in a ++ b end val y = ++ a b
(*> val x = let *)
(*>   infix 5 ++ *)
(*> in *)
(*>   a ++ b *)
(*> end *)
(*> val y = ++ a b *)

(*** infix of local leaves it only from its second part ***)
local infix 5 ++ in infixr 6 ** val x = a ++ b ** c end
val y = ++ a ** b

(*** infix is scoped by struct ***)
structure S = struct infix 5 ++ val x = a ++ b end val y = ++ a b

(*** nonfix ***)
nonfix + val x = + (1, 2) infix 6 + val y = 1 + 2

(*** nonfix star in parentheses ***)
nonfix * val x = ( * 3) val y = [( * )]

(*** infix names that are words ***)
infix 3 to infixr 3 upto
val x = 1 to 2 to 3 val y = 1 upto 2 upto 3 val z = op to (op upto)

(*** handle, orelse, andalso, types ***)
val x = a orelse b andalso c : bool handle E => d orelse e | F (x, y) => raise G handle H => 1
(*> val x = a orelse b andalso c : bool handle E => d orelse e *)
(*> | F (x, y) => raise G handle H => 1 *)

(*** if, while, raise, fn extend to the right ***)
val x = if a then b else c : int handle E => d val y = while a do b orelse c val z = raise e : int val w = fn x => fn y => x : int
(*> val x = if a then b else c : int handle E => d *)
(*> val y = while a do b orelse c *)
(*> val z = raise e : int *)
(*> val w = fn x => fn y => x : int *)

(*** constants ***)
val x = [0, ~0, ~1, 007, 0xFF, ~0xfF, 99999999999999999999999] val w = [0w0, 0w255, 0wxfF, 0wxFFFFFFFFFFFFFFFFFF]
val r = [0.0, ~0.0, 1.5, 1E5, 1e~5, ~1.5E~300, 1E999, ~1E999, 1E~999, 3.14159265358979]
(*> val x = [0, ~0, ~1, 7, 255, ~255, 18446744073709551616] *)
(*> val w = [0wx0, 0wxff, 0wxff, 0wx10000000000000000] *)
(*> val r = [0.0, ~0.0, 1.5, 1E05, 1E~05, ~1.5E~300, 1E999, ~1E999, 0.0, 3.14159265358979] *)

(*** unicode escapes (not Poly/ML) ***)
val s = "\u0041\u00e9"
(*> val s = "A\233" *)

(*** UTF-8 in strings (not Poly/ML) ***)
val s = "é 日本 𝔸"

(*** infix functions ***)
infix 5 ++ fun a ++ b = a fun (x, y) ++ z = x | _ ++ [] = 1 | (a ++ b) = 2 fun (a ++ b) c d : int = a | (_ ++ _) (e, f) g = e
fun op ++ (x, y) = x | (a :: b) ++ c = d fun SOME a x = 1
(*> infix 5 ++ *)
(*> fun a ++ b = a *)
(*> fun (x, y) ++ z = x *)
(*>   | _ ++ [] = 1 *)
(*>   | a ++ b = 2 *)
(*> fun (a ++ b) c d : int = a *)
(*>   | (_ ++ _) (e, f) g = e *)
(*> fun x ++ y = x *)
(*>   | (a :: b) ++ c = d *)
(*> fun SOME a x = 1 *)

(*** fixity of equality ***)
infix 4 = val x = a = b

(*** expressions, constants, patterns, types and declarations ***)
(* a (* b *) "(* c *)" ** *) val x = 1 (**) (* é *)
val x = op + (1, 2) val op - = op* and f = op :: val y = op List.map val z = op = (1, 2)
val x = ((), (1, 2), [], [1], [1, 2], (a; b; c), {}, {a = 1}, {1 = a, 2 = b})
val x = #1 (1, 2) + # name r + #a' s val f = map #2
val x = case a of 1 => (case b of 2 => 3 | _ => 4) | _ => case c of z => z
val x = a andalso if b then c else d val y = a orelse case b of c => d val z = a orelse raise b
val x = let in 3 end val y = let in f x; g x end
val x = 1 and rec f = fn x => g x and g = (fn x => f x) : int -> int val rec rec h = fn _ => 1
val 'a x : 'a list = nil fun ('a, ''b) f (x : 'a, y : ''b) = x fun 'a g (x : 'a) = x val ('a) y = 3
val x=1handle _=>2 val y=f~1 val z=g 12abc val w=0xg val v=(1,2)val u= #1(v)
val c = [#"a", #"\n", #"\\", #"\"", #"\127", #"\^@", #" "] val s = ["", "\a\b\t\n\v\f\r\"\\\^A\^_\065", "a\   \b", "(* no comment *)"]
val s = "abc\
   \def\
\"
val (x, _, [a, b], {c, d = e, f : int, g as h, i : int as j, ...}, k :: l :: nil, SOME (m, n), A.B o', ~1, 0w3, #"c", "s", ()) = y
val x as y : int = 3 val x : int as y as z = 3 val op + as (a, b) = 1 val {...} = r val ref x = y val (x : int) : int = 3
fun f (all as x :: xs) = all | f ((a as SOME _) :: _) = a
type t = int type 'a u = 'a list and ('a, 'b) v = ('a -> 'b) * 'a -> 'b list list -> (int, string) A.B.map
type r = {} type s = {a : int, 1 : string * int, b : {c : 'a}} type w = (int * int) * int type x = (int -> int) list
fun f x = x fun g (x, y) z : int = x and h 0 = 1 | h n = n * h (n - 1) fun op k x = x fun f' _ [] {a, ...} "s" = 3
datatype t = A | B of int * int | op C and 'a u = U of 'a u list | V withtype w = int and 'a x = 'a list
datatype 'a list' = nil' | ::: of 'a * 'a list' datatype copy = datatype A.t
exception E exception F of int * int and G = E and H = A.B
local val x = 1; val y = 2; in val z = x; end open A B.C D local in end local open A in open B end
fun f {-, + : int, * as a, ...} = op -
val x = 1; x + 1; f x; val y = 2;
g y
;;;
