(*** datatypes ***)
(* equality types *)
fun member (x, []) = false | member (x, y :: rest) = x = y orelse member (x, rest)
val a = member ((1, "x"), [(2, "y")])
datatype t = A of int | B of t list
val b = B [A 1] = A 2
val c = ref 1 = ref 1
val d = Array.fromList [1.0] = Array.fromList []
datatype 'a f = F of ('a -> int) ref
val e = fn (F x, F y) => x = y
fun g (x : ''a, y) = x <> y
val h = {a = 1, b = [SOME "x"]} = {b = [], a = 3}
(* exception with type variable of function *)
fun f (x : 'a) = let exception E of 'a in (raise E x) handle E y => y end
val a : int = f 3
(* type abbreviations *)
type 'a pair = 'a * 'a
type point = real pair
type ('k, 'v) map = ('k * 'v) list
fun norm ((x, y) : point) = Math.sqrt (x * x + y * y)
fun find (k, m : (''k, 'v) map) = case m of [] => NONE | (k', v) :: rest => if k = k' then SOME v else find (k, rest)
