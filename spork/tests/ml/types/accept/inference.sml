(*** inference ***)
(* let polymorphism *)
fun f x = let fun pair y = (x, y) val p = pair 1 val q = pair "s" in (p, q) end
val ((a : bool, b : int), (c : bool, d : string)) = f true
(* value restriction values *)
val a = [] val b = (nil, fn x => x) val c = {x = NONE, y = []}
val d : int list = a val e : string list = a
val f : int = #2 b 3 val g : string = #2 b "x"
val (h, _) = (fn x => x, 1)
val i = (h 1, h "x")
(* value restriction weak is determined *)
fun test () =
  let
    val r = ref []
    val _ = r := [1]
  in
    hd (!r) + 1
  end
(* overloading follows annotations *)
fun add (x : real, y) = x + y
fun addw (x, y) : word = x + y
fun less (a : string, b) = a < b
fun lessc (a, b) = a < #"c" orelse b > a
val w : Word8.word = 0w200 + 0w100
fun default x = x * x + 1
val r = ~ 1.5 / 2.0
val i = ~ (abs ~3) mod 2
(* overloading default is int *)
fun square x = x * x
val a : int = square 3
fun max (a, b) = if a < b then b else a
val b : int = max (1, 2)
(* overloading decided later *)
fun f g = let fun double x = x + x in (double (g : real), 1) end
val (a : real, _) = f 1.0
(* type variable scopes outwards *)
fun f (x : 'a) = let val y : 'a = x fun g (z : 'a) = [y, z] in g x end
val a : int list = f 3
(* nested functions generalise partly *)
fun f x = let fun g y = (x, y) fun h z = g (z, z) in (h 1, h "a") end
val a = f true
