(*** parallel 1 ***)
(* par *)
val (a, b) = ForkJoin.par (fn () => 1 + 2, fn () => "b")
val () = print (Int.toString a ^ b ^ "\n")
val ((c, d), (e, f)) = ForkJoin.par (fn () => (1, 2.5), fn () => ((), [3]))
val () = print (Int.toString c ^ Real.toString d ^ Int.toString (hd f) ^ "\n")
(* fib with par *)
fun fib n = if n < 2 then n else let val (a, b) = ForkJoin.par (fn () => fib (n - 1), fn () => fib (n - 2)) in a + b end
val () = print (Int.toString (fib 24) ^ "\n")
(* parfor writes an array *)
val n = 100000
val a = Array.array (n, 0)
val () = ForkJoin.parfor (0, n, fn i => Array.update (a, i, i * i mod 1000))
val () = print (Int.toString (Array.foldl (op +) 0 a) ^ "\n")
(* empty and reversed ranges *)
val () = ForkJoin.parfor (0, 0, fn _ => print "never")
val () = ForkJoin.parfor (5, 3, fn _ => print "never")
val () = print (Int.toString (ForkJoin.reduce (7, 7, fn i => i, op +, 5)) ^ Int.toString (ForkJoin.reduce (7, 2, fn i => i, op +, 6)) ^ "\n")
(* reduce *)
val () = print (Int.toString (ForkJoin.reduce (0, 100001, fn i => i, op +, 0)) ^ "\n")
val () = print (Int.toString (ForkJoin.reducem (0, 1000, fn i => i * 7919 mod 1009, Int.max, ~1)) ^ "\n")
val () = print (Real.toString (ForkJoin.reduce (0, 1024, fn i => real i / 2.0, op +, 0.0)) ^ "\n")
(* a reduction that does not commute *)
val s = ForkJoin.reduce (0, 200, fn i => str (chr (97 + i mod 26)), op ^, "")
val () = print (s ^ "\n")
val l = ForkJoin.reduce (0, 50, fn i => [i], op @, [])
val () = print (Bool.toString (l = List.tabulate (50, fn i => i)) ^ "\n")
(* a reduction of pairs, records and options *)
fun min_max ((a, b), (c, d)) = (Int.min (a, c), Int.max (b, d))
val (lo, hi) = ForkJoin.reduce (0, 10000, fn i => let val x = i * 7919 mod 10007 in (x, x) end, min_max, (10007, ~1))
val () = print (Int.toString lo ^ " " ^ Int.toString hi ^ "\n")
fun first (SOME i, _) = SOME i | first (NONE, j) = j
val () = print (Int.toString (valOf (ForkJoin.reduce (0, 1000, fn i => if i * i > 5000 then SOME i else NONE, first, NONE))) ^ "\n")
val r = ForkJoin.reduce (0, 100, fn i => {count = 1, sum = real i}, fn (a : {count : int, sum : real}, b) => {count = #count a + #count b, sum = #sum a + #sum b}, {count = 0, sum = 0.0})
val () = print (Int.toString (#count r) ^ Real.toString (#sum r) ^ "\n")
(*> 3b | 12.53 | 46368 | 46150000 | 56 | 5000050000 | 1008 | 261888.0 *)
(*> abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr *)
(*> true | 0 10006 | 71 | 1004950.0 *)

(*** parallel 2 ***)
(* loops within loops *)
val n = 100
val a = Array.array (n * n, 0)
val () = ForkJoin.parfor (0, n, fn i => ForkJoin.parfor (0, n, fn j => Array.update (a, i * n + j, i * j)))
val () = print (Int.toString (ForkJoin.reduce (0, n, fn i => ForkJoin.reduce (0, n, fn j => Array.sub (a, i * n + j), op +, 0), op +, 0)) ^ "\n")
(* alloc *)
val a = ForkJoin.alloc 1000
val () = ForkJoin.parfor (0, 1000, fn i => Array.update (a, i, real i))
val () = print (Real.toString (Array.foldl (op +) 0.0 a) ^ "\n")
val b : (int * string) array = ForkJoin.alloc 10
val () = ForkJoin.parfor (0, 10, fn i => Array.update (b, i, (i, Int.toString i)))
val () = print (concat (map #2 (Array.toList b)) ^ Int.toString (Array.length (ForkJoin.alloc 0 : int array)) ^ "\n")
val () = (ignore (ForkJoin.alloc ~1 : int array); print "none\n") handle Size => print "Size\n"
(* spork by hand, with each share *)
val () = app (fn share => print (Int.toString (ForkJoin.spork (share, fn () => 1, fn () => 2, fn a => a + 2, fn (a, b) => a + b, fn a => a + 2)) ^ "\n"))
  [ForkJoin.ShareNone, ForkJoin.ShareHalf, ForkJoin.ShareAll]
fun sum (share, i, j) =
  if j - i < 2 then (if i = j then 0 else i)
  else
    let
      val m = i + (j - i) div 2
      fun alone a = a + sum (share, m, j)
    in
      ForkJoin.spork (share, fn () => sum (share, i, m), fn () => sum (share, m, j), alone, op +, alone)
    end
val () = app (fn share => print (Int.toString (sum (share, 0, 10000)) ^ "\n")) [ForkJoin.ShareNone, ForkJoin.ShareHalf, ForkJoin.ShareAll]
(* an exception of the left branch *)
exception E of int
val () = print ((ignore (ForkJoin.par (fn () => raise E 1, fn () => 2)); "none") handle E n => Int.toString n ^ "\n")
(* an exception of the right branch *)
exception E of int
val () = print ((ignore (ForkJoin.par (fn () => 1, fn () => raise E 2)); "none") handle E n => Int.toString n ^ "\n")
(* of two exceptions the left one counts *)
exception E of int
fun slow n = if n = 0 then 0 else 1 + slow (n - 1)
val () = print ((ignore (ForkJoin.par (fn () => raise E (slow 100000), fn () => raise E 2)); "none") handle E n => Int.toString n ^ "\n")
val () = print ((ignore (ForkJoin.par (fn () => raise E 3, fn () => raise E (slow 100000))); "none") handle E n => Int.toString n ^ "\n")
(* the first exception of a loop counts *)
exception E of int
val () = ForkJoin.parfor (0, 100000, fn i => if i mod 1000 = 999 then raise E i else ()) handle E n => print (Int.toString n ^ "\n")
val () = print (Int.toString (ForkJoin.reduce (0, 100000, fn i => if i > 50000 andalso i mod 7 = 0 then raise E i else i, op +, 0)) handle E n => Int.toString n ^ "\n")
(*> 24502500 | 499500.0 | 01234567890 | Size | 3 | 3 | 3 | 49995000 | 49995000 | 49995000 | 1 | 2 | 100000 | 3 | 999 *)
(*> 50001 *)

(*** parallel 3 ***)
(* an exception of the combining function *)
val () = print (Int.toString (ForkJoin.reduce (0, 1000, fn i => 1000000000000000000, op +, 0)) handle Overflow => "Overflow\n")
(* handlers inside of branches *)
exception E of int
fun f n = ForkJoin.par (fn () => (if n mod 2 = 0 then raise E n else n) handle E k => k * 10, fn () => (if n mod 3 = 0 then raise E n else n) handle E k => k * 100)
val () = print (Int.toString (ForkJoin.reduce (0, 1000, fn i => let val (a, b) = f i in a + b end, op +, 0)) ^ "\n")
(* exceptions through nested forks *)
exception Depth of int
fun tree n = if n = 0 then raise Depth 0 else ignore (ForkJoin.par (fn () => tree (n - 1), fn () => tree (n - 1))) handle Depth k => raise Depth (k + 1)
val () = tree 10 handle Depth k => print (Int.toString k ^ "\n")
fun first (i, j) = if j - i = 1 then (if i mod 97 = 96 then raise Fail (Int.toString i) else i) else let val m = (i + j) div 2 val (a, b) = ForkJoin.par (fn () => first (i, m), fn () => first (m, j)) in a + b end
val () = print (Int.toString (first (0, 1000)) handle Fail s => s ^ "\n")
val () = print (Int.toString (first (0, 96)) ^ "\n" handle Fail s => s ^ "\n")
(* branches that allocate *)
fun build n = if n = 0 then [] else n :: build (n - 1)
fun tree 0 = [build 10] | tree n = let val (a, b) = ForkJoin.par (fn () => tree (n - 1), fn () => tree (n - 1)) in a @ b end
val t = tree 12
val () = print (Int.toString (length t) ^ " " ^ Int.toString (foldl (fn (l, s) => foldl (op +) s l) 0 t) ^ "\n")
(* a tree that is built and folded in parallel *)
datatype 'a tree = Leaf of 'a | Node of 'a tree * 'a tree
fun build (i, j) = if j - i = 1 then Leaf i else let val m = (i + j) div 2 in Node (ForkJoin.par (fn () => build (i, m), fn () => build (m, j))) end
fun fold f g (Leaf x) = f x | fold f g (Node (a, b)) = g (ForkJoin.par (fn () => fold f g a, fn () => fold f g b))
val t = build (0, 4096)
val () = print (Int.toString (fold (fn x => x) (op +) t) ^ " " ^ fold Int.toString (fn (a, b) => if size a < size b then b else a) t ^ "\n")
(*> Overflow | 19760967 | 10 | 96 | 4560 | 4096 225280 | 8386560 1000 *)

(*** parallel 4 ***)
(* par of functions that capture *)
fun both (f, x, y) = ForkJoin.par (fn () => f x, fn () => f y)
val (a, b) = both (fn s => s ^ "!", "a", "b")
val (c, d) = both (fn (i, j) => i * j, (2, 3), (4, 5))
val (e, f) = both (fn x => x / 2.0, 1.0, 3.0)
val (g, h) = both (fn f => f 10, fn x => x + 1, fn x => x * 2)
val () = print (concat [a, b, Int.toString c, Int.toString d, Real.toString e, Real.toString f, Int.toString g, Int.toString h, "\n"])
(* par stored as a value *)
val p : (unit -> int) * (unit -> int) -> int * int = ForkJoin.par
val fs = [p, fn (f, g) => (g (), f ())]
val () = print (concat (map (fn q => let val (a, b) = q (fn () => 1, fn () => 2) in Int.toString a ^ Int.toString b end) fs) ^ "\n")
(*> a!b!6200.51.51120 | 1221 *)

(*** an exception out of a loop that is not handled ***)
exception At of int
val () = print "begin\n"
val () = ForkJoin.parfor (0, 1000, fn i => if i >= 500 then raise At i else ())
val () = print "never\n"
(*> begin *)
(*? exception At *)
