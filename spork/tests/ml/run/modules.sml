(*** modules 1 ***)
(* structures within structures *)
structure A = struct
  val x = 1
  structure B = struct val y = x + 1 structure C = struct val z = y + 1 fun f n = n * z end end
  val w = B.C.f 10
end
structure D = A.B
val () = print (Int.toString (A.x + A.B.y + D.C.z + A.w) ^ "\n")
(* an opaque signature hides *)
signature STACK = sig
  type 'a stack
  exception Empty
  val empty : 'a stack
  val push : 'a * 'a stack -> 'a stack
  val pop : 'a stack -> 'a * 'a stack
  val size : 'a stack -> int
end
structure Stack :> STACK = struct
  type 'a stack = 'a list * int
  exception Empty
  val empty = ([], 0)
  fun hidden n = n + 1
  fun push (x, (l, n)) = (x :: l, hidden n)
  fun pop ([], _) = raise Empty | pop (x :: l, n) = (x, (l, n - 1))
  fun size (_, n) = n
end
val s = Stack.push (1, Stack.push (2, Stack.empty))
val (x, s) = Stack.pop s
val t = Stack.push ("a", Stack.empty)
val () = print (Int.toString (x + Stack.size s * 10) ^ #1 (Stack.pop t) ^ "\n")
val () = print ((ignore (Stack.pop Stack.empty : int * int Stack.stack); "none\n") handle Stack.Empty => "Empty\n")
(* two structures of one signature *)
signature ORDERED = sig type t val less : t * t -> bool val show : t -> string end
structure I : ORDERED = struct type t = int val less = op < : int * int -> bool val show = Int.toString end
structure S : ORDERED = struct type t = string val less = op < : string * string -> bool fun show s = "\"" ^ s ^ "\"" end
fun max (less, a, b) = if less (a, b) then b else a
val () = print (I.show (max (I.less, 3, 5)) ^ S.show (max (S.less, "x", "abc")) ^ "\n")
(* a transparent signature shows its types and hides its values *)
signature T = sig type t val make : int -> t end
structure A : T = struct type t = int list val secret = 5 fun make n = [n, secret] end
val () = print (Int.toString (foldl (op +) 0 (A.make 3)) ^ "\n")
(* an instance of a polymorphic function in a signature *)
structure A : sig val id : int -> int val pair : 'a -> 'a * 'a val n : string list end = struct fun id x = x fun pair x = (x, x) val n = [] end
val () = print (Int.toString (A.id 4) ^ #1 (A.pair "p") ^ Int.toString (length A.n) ^ "\n")
(* include and where type *)
signature BASE = sig type t val zero : t end
signature NUMBER = sig include BASE val add : t * t -> t val show : t -> string end
structure N :> NUMBER where type t = int = struct type t = int val zero = 0 fun add (a, b) = a + b : int val show = Int.toString end
structure W :> NUMBER where type t = word = struct type t = word val zero = 0w0 fun add (a, b) = a + b : word val show = Word.toString end
val () = print (N.show (N.add (5, N.zero)) ^ W.show (W.add (0wxFF, W.zero)) ^ "\n")
(* an opaque equality type *)
structure Key :> sig eqtype key val make : string -> key end = struct type key = int * string fun make s = (size s, s) end
val () = print (Bool.toString (Key.make "a" = Key.make "a") ^ Bool.toString (Key.make "a" = Key.make "b") ^ "\n")
(*> 36 | 11a | Empty | 5"x" | 8 | 4p0 | 5FF | truefalse *)

(*** modules 2 ***)
(* a datatype in a signature *)
signature SHAPE = sig
  datatype shape = Circle of real | Square of real | Point
  val area : shape -> real
  datatype order = datatype order
end
structure Shape :> SHAPE = struct
  datatype shape = Circle of real | Square of real | Point
  fun area (Circle r) = 3.0 * r * r | area (Square a) = a * a | area Point = 0.0
  datatype order = datatype order
end
fun name (Shape.Circle _) = "circle" | name (Shape.Square _) = "square" | name Shape.Point = "point"
val () = app (fn s => print (name s ^ Real.toString (Shape.area s) ^ "\n")) [Shape.Circle 2.0, Shape.Square 3.0, Shape.Point]
(* open *)
structure A = struct val x = 1 val y = 2 datatype t = P | Q fun f P = "P" | f Q = "Q" infix 6 ++ fun a ++ b = a * 10 + b end
val x = 100
open A
val () = print (Int.toString (x + y) ^ f P ^ f Q ^ Int.toString (A.++ (1, 2)) ^ "\n")
structure B = struct val x = 7 end
structure C = struct val x = 8 val z = 9 end
open B C
val () = print (Int.toString (x + z + y) ^ "\n")
fun g () = let open Int List in toString (length [1, 2] + max (3, 4)) end
val () = print (g () ^ "\n")
(* local *)
local
  val hidden = 5
  fun helper n = n + hidden
in
  fun f n = helper n * 2
  val y = hidden
end
val hidden = 1
val () = print (Int.toString (f 1 + y + hidden) ^ "\n")
structure S = struct local val a = 1 in val b = a + 1 end local structure T = struct val c = 9 end in val d = T.c end end
val () = print (Int.toString (S.b + S.d) ^ "\n")
(* shadowing *)
val x = 1
val f = fn () => x
val x = "two"
val () = print (Int.toString (f ()) ^ x ^ "\n")
fun f x = let val x = x + 1 val x = x * 2 in let val x = Int.toString x in x ^ x end end
val () = print (f 3 ^ "\n")
fun g x = case x of SOME x => (case x of [] => 0 | x :: _ => x) | NONE => 1
val () = print (Int.toString (g (SOME [5]) + g NONE) ^ "\n")
fun size x = x + 1
val () = print (Int.toString (size 3) ^ Int.toString (String.size "abc") ^ "\n")
datatype t = A | B
val a = A
datatype u = B | A of int
val () = print (case A 3 of A n => Int.toString n ^ "\n" | B => "B\n")
val x = 5 val x = x + 1 val x = x * x
val () = print (Int.toString x ^ "\n")
(* shadowing of basis functions does not change the basis *)
fun rev _ = raise Fail "mine"
fun op @ (a, b) = raise Fail "mine"
val not = fn b : bool => b
val () = print (concat (List.map (fn s => s) ["a", "b"]) ^ Int.toString (List.foldr (op +) 0 [1, 2]) ^ Bool.toString (Char.isPunct #"a") ^ "\n")
(*> circle12.0 | square9.0 | point0.0 | 3PQ12 | 19 | 6 | 18 | 11 | 1two | 88 | 6 | 43 | 3 | 36 | ab3false *)

(*** modules 3 ***)
(* and binds at once *)
val x = 1
val y = 2
val x = y and y = x
val () = print (Int.toString x ^ Int.toString y ^ "\n")
datatype a = A of b | E and b = B of a
fun depth E = 0 | depth (A (B a)) = 1 + depth a
val () = print (Int.toString (depth (A (B (A (B E))))) ^ "\n")
structure P = struct val v = 1 end and Q = struct val v = 2 end
val () = print (Int.toString (P.v + Q.v * 10) ^ "\n")
(* types and abbreviations *)
type point = real * real
type 'a pair = 'a * 'a
type ('a, 'b) arrow = 'a -> 'b
type person = {name : string, age : int}
fun norm ((x, y) : point) = x * x + y * y
val p : int pair = (3, 4)
val f : (int, string) arrow = Int.toString
val q : person = {age = 40, name = "Ada"}
val () = print (Real.toString (norm (1.0, 2.0)) ^ f (#1 p + #2 p) ^ #name q ^ Int.toString (#age q) ^ "\n")
(* datatypes that are copied keep their constructors *)
datatype t = A | B of int
datatype u = datatype t
structure S = struct datatype v = datatype t end
fun f (S.B n) = n | f S.A = 0
val x : u = B 4
val () = print (Int.toString (f x + f A) ^ "\n")
(* withtype *)
datatype tree = Node of int * forest withtype forest = tree list
fun sum (Node (x, f)) = x + sums f
and sums f = foldl (fn (t, s) => s + sum t) 0 f
val () = print (Int.toString (sum (Node (1, [Node (2, []), Node (3, [Node (4, [])])]))) ^ "\n")
(* records *)
val r = {b = 2, a = "a", c = (1.5, #"x"), d = {e = [1]}}
val () = print (#a r ^ Int.toString (#b r) ^ Real.toString (#1 (#c r)) ^ Int.toString (hd (#e (#d r))) ^ "\n")
fun with_b ({a, b = _, c, d}, n) = {a = a, b = n, c = c, d = d}
val () = print (Int.toString (#b (with_b (r, 9))) ^ "\n")
val names = map #name [{name = "x", n = 1}, {n = 2, name = "y"}]
val () = print (concat names ^ "\n")
val t = {1 = "one", 2 = "two"}
val () = print (#1 t ^ #2 t ^ Bool.toString (t = ("one", "two")) ^ "\n")
val big = {l = 1, k = 2, j = 3, i = 4, h = 5, g = 6, f = 7, e = 8, d = 9, c = 10, b = 11, a = 12}
val () = print (Int.toString (#a big * #l big + #f big) ^ "\n")
(* enumerations and one constructor *)
datatype day = Mon | Tue | Wed | Thu | Fri | Sat | Sun
fun next Mon = Tue | next Tue = Wed | next Wed = Thu | next Thu = Fri | next Fri = Sat | next Sat = Sun | next Sun = Mon
fun weekend d = d = Sat orelse d = Sun
fun count (_, 0) = 0 | count (d, n) = (if weekend d then 1 else 0) + count (next d, n - 1)
val () = print (Int.toString (count (Mon, 100)) ^ "\n")
datatype box = Box of int
datatype wrap = Wrap of real * string
val Box n = Box 5
fun f (Wrap (x, s)) = s ^ Real.toString x
val () = print (Int.toString n ^ f (Wrap (2.5, "w")) ^ "\n")
datatype one = One
val () = print (Bool.toString (One = One) ^ "\n")
(*> 21 | 2 | 21 | 5.07Ada40 | 4 | 10 | a21.51 | 9 | xy | onetwotrue | 19 | 28 | 5w2.5 | true *)
