(*** datatypes parametric ***)
datatype ('a, 'b) either = Left of 'a | Right of 'b
fun either f g (Left x) = f x | either f g (Right y) = g y
val a : int = either size (fn x => x + 1) (Left "a")
datatype 'a rose = Rose of 'a * 'a rose list
fun total (Rose (x, rest)) = x + foldl (fn (r, n) => total r + n) 0 rest

(*** datatypes mutual and withtype ***)
datatype exp = Num of int | Let of dec * exp | Pair of pair
and dec = Val of string * exp
withtype pair = exp * exp
fun value (Num n) = n | value (Let (Val (_, e), b)) = value e + value b | value (Pair (a, b)) = value a + value b

(*** datatype replication ***)
datatype colour = Red | Green
datatype color = datatype colour
val a : colour = Red
structure S = struct datatype t = A of int | B end
datatype u = datatype S.t
fun f (A n) = n | f B = 0
val b = f (S.A 3)

(*** datatype hides constructor ***)
datatype t = A | B
datatype u = A of int
fun f (A n) = n
val x = f (A 3)

(*** equality types ***)
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

(*** equality of abstract eqtype ***)
structure S :> sig eqtype t val a : t end = struct type t = int val a = 3 end
val b = S.a = S.a

(*** exceptions ***)
exception Bad of string and Worse
exception Same = Bad
fun f 0 = raise Bad "zero" | f 1 = raise Worse | f n = n
val a = f 0 handle Same s => size s | Worse => 1 | _ => 2
val b : exn list = [Bad "x", Worse, Fail "y", Div]
val c = fn e => raise e
fun g e = case e of Bad s => s | Fail s => s | _ => "other"

(*** exception with type variable of function ***)
fun f (x : 'a) = let exception E of 'a in (raise E x) handle E y => y end
val a : int = f 3

(*** phantom types ***)
datatype 'a tagged = Tag of int
fun make n : 'a tagged = Tag n
val a : string tagged = make 3
val b : int tagged = make 3

(*** type abbreviations ***)
type 'a pair = 'a * 'a
type point = real pair
type ('k, 'v) map = ('k * 'v) list
fun norm ((x, y) : point) = Math.sqrt (x * x + y * y)
fun find (k, m : (''k, 'v) map) = case m of [] => NONE | (k', v) :: rest => if k = k' then SOME v else find (k, rest)
