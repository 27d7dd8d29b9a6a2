(*** mutual recursion ***)
fun even 0 = true | even n = odd (n - 1)
and odd 0 = false | odd n = even (n - 1)
val rec f = fn 0 => 1 | n => n * g (n - 1) and g = fn n => f n
val b : bool = even (f 3)

(*** let and local ***)
local val hidden = 3 fun f x = x + hidden in fun g x = f x end
val a = g 1
val b = let val x = 1 val x = x + 1 in x * 2 end

(*** shadowing ***)
val x = 1
val x = "s"
val y = size x
fun f x = let val x = [x] in hd x end
fun List x = x
val z = List.map (fn x => x) [1]

(*** references and loops ***)
val r = ref 0
val () = while !r < 10 do (r := !r + 1; ())
fun count (ref n) = n
val a : int = count r
val s = (1; "x"; true)

(*** operators as values ***)
val a = foldl op + 0 [1, 2]
val b = map op ~ [1, 2]
infix 6 <+>
fun (a, b) <+> (c, d) = (a + c, b + d : int)
val c = (1, 2) <+> (3, 4)
val d = op <+> ((1, 1), (2, 2))
val e = List.foldr op :: [] [1]
val f = (op o) (size, Int.toString) 3

(*** currying and composition ***)
fun curry f x y = f (x, y)
fun uncurry f (x, y) = f x y
val add = curry op +
val inc = add 1
val a = (inc o inc o size) "abc"
fun flip f x y = f y x
val b = flip (fn x => fn y => x ^ y) "a" "b"

(*** fork join (not Poly/ML) ***)
fun fib n = if n < 2 then n else let val (a, b) = ForkJoin.par (fn () => fib (n - 1), fn () => fib (n - 2)) in a + b end
val n = ForkJoin.reducem (0, 10, fn i => i * i, op +, 0)
val a : real array = ForkJoin.alloc 10
val () = ForkJoin.parfor (0, 10, fn i => Array.update (a, i, real i))
val (x, y) = ForkJoin.par (fn () => "a", fn () => 1.0)

(*** basis ***)
val a = Array.tabulate (10, fn i => i)
val s = ArraySlice.slice (a, 2, SOME 3)
val n = ArraySlice.foldl (fn (x, y) => x + y) 0 s
val v = Vector.map Int.toString (Vector.fromList [1, 2])
val l = String.tokens Char.isSpace "a b c"
val w = Word8.toInt (Word8.fromInt 3)
val m = Math.sqrt 2.0 + Math.pi
val t = Time.toReal (Time.- (Time.now (), Time.zeroTime))
val i = case Int.fromString "12" of SOME n => n | NONE => 0
val c = List.filter (fn x => x > 3) (List.tabulate (5, fn x => x))
fun lines f = case TextIO.inputLine f of NONE => [] | SOME s => s :: lines f
val args = CommandLine.arguments ()
val e = getOpt (Option.map (fn x => x + 1) (SOME 3), 0)
val u = Word.andb (0w3, Word.<< (0w1, 0w2))
val p = print (String.concatWith ", " ["a", "b"] ^ "\n")

(*** unit and sequences ***)
fun f () = ()
val () = (f (); f ())
fun g (x, ()) = x
val a = g (1, f ())

(*** handle types ***)
fun safe f x = SOME (f x) handle _ => NONE
val a : int option = safe hd [1]
val b = (raise Fail "x") handle Fail s => s
val c = hd [] handle Empty => 3

(*** raise has every type ***)
fun f x = if x then raise Fail "a" else 3
fun g x = case x of 0 => raise Div | 1 => "a" | _ => raise Fail "b"
fun undefined () = raise Fail "undefined"
val a = fn () => undefined () + size (undefined ())
