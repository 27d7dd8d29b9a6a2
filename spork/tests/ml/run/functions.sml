(*** functions 1 ***)
(* curried functions and partial application *)
fun add a b = a + b : int
val inc = add 1
fun three a b c = a * 100 + b * 10 + c : int
val f = three 1
val g = f 2
val () = print (concat (map (fn i => Int.toString i ^ " ") [inc 5, g 3, f 7 8, three 4 5 6]) ^ "\n")
val () = print (Int.toString (foldl (fn (h, x) => h x) 0 (map add [1, 2, 3])) ^ "\n")
(* effects of partial application come once *)
fun f a = (print "a"; fn b => (print "b"; a + b))
val g = f 1
val () = print (Int.toString (g 2 + g 3) ^ "\n")
(* functions as arguments and results *)
fun twice f x = f (f x)
fun compose (f, g) x = f (g x)
val () = print (Int.toString (twice (fn x => x * 3) 2) ^ twice (fn s => s ^ "!") "hi" ^ Int.toString (twice twice (fn x => x + 1) 0) ^ "\n")
val () = print (Int.toString (compose (fn x => x + 1, fn x => x * 2) 5) ^ Int.toString (((fn x => x + 1) o (fn x => x * 2) o size) "abc") ^ "\n")
fun iterate 0 _ x = x | iterate n f x = iterate (n - 1) f (f x)
val () = print (Int.toString (iterate 10 (fn x => x * 2) 1) ^ "\n")
(* functions in lists, tuples, records, references and datatypes *)
val l = [fn x => x + 1, fn x => x * 2, abs, fn _ => 7, Int.min o (fn x => (x, 3))]
val () = print (concat (map (fn f => Int.toString (f ~5) ^ " ") l) ^ "\n")
val r = {f = fn (x, y) => x - y, name = "minus"}
val () = print (#name r ^ Int.toString (#f r (5, 3)) ^ "\n")
val cell = ref (fn x => x + 0)
val () = cell := (fn x => x * x)
val () = print (Int.toString (!cell 9) ^ "\n")
datatype 'a op' = Unary of 'a -> 'a | Binary of 'a * 'a -> 'a | Nullary of unit -> 'a
fun apply (Unary f) x = f x | apply (Binary f) x = f (x, x) | apply (Nullary f) _ = f ()
val () = print (concat (map (fn f => Int.toString (apply f 6) ^ " ") [Unary ~, Binary (op *), Nullary (fn () => 42)]) ^ "\n")
(* local functions capture *)
fun f (a, b, s) =
  let
    fun g x = x + a
    fun h (x, y) = g x * b + y
    val k = fn z => s ^ Int.toString (h (z, a))
  in
    k
  end
val k = f (1, 2, "r")
val () = print (k 3 ^ k 4 ^ f (5, 6, "q") 7 ^ "\n")
(* captured variables of all kinds *)
fun make (i : int, x : real, c : char, s : string, p : int * string, l : int list, w : word) () =
  concat [Int.toString i, Real.toString x, str c, s, Int.toString (#1 p), #2 p, Int.toString (length l), Word.toString w]
val fs = [make (1, 1.5, #"c", "s", (2, "t"), [1, 2], 0w7), make (~1, ~1.5, #"d", "", (3, "u"), [], 0wxff)]
val () = app (fn f => print (f () ^ "\n")) fs
(* a counter is a closure over a reference *)
fun counter () = let val n = ref 0 in fn () => (n := !n + 1; !n) end
val a = counter ()
val b = counter ()
val () = print (concat (map Int.toString [a (), a (), b (), a (), b ()]) ^ "\n")
(*> 6 123 178 456  | 6 | abb7 | 18hi!!4 | 117 | 1024 | ~4 ~10 5 7 ~5  | minus2 | 81 | ~6 36 42  | r9r11q77 *)
(*> 11.5cs2t27 | ~1~1.5d3u0FF | 12132 *)

(*** functions 2 ***)
(* mutual recursion *)
fun even 0 = true | even n = odd (n - 1)
and odd 0 = false | odd n = even (n - 1)
val () = print (Bool.toString (even 1000001) ^ Bool.toString (odd 77) ^ "\n")
fun hofstadter_f 0 = 1 | hofstadter_f n = n - hofstadter_m (hofstadter_f (n - 1))
and hofstadter_m 0 = 0 | hofstadter_m n = n - hofstadter_f (hofstadter_m (n - 1))
val () = print (concat (List.tabulate (15, fn i => Int.toString (hofstadter_f i) ^ Int.toString (hofstadter_m i) ^ " ")) ^ "\n")
(* mutual recursion that captures, with functions that escape *)
fun run k =
  let
    fun even 0 = k | even n = odd (n - 1)
    and odd 0 = ~k | odd n = even (n - 1)
    val fs = [even, odd]
  in
    map (fn f => f 10) fs
  end
val () = print (concat (map Int.toString (run 5)) ^ "\n")
(* val rec *)
val rec fact = fn 0 => 1 | n => n * fact (n - 1)
val rec even = fn 0 => true | n => odd (n - 1) and odd = fn 0 => false | n => even (n - 1)
val () = print (Int.toString (fact 10) ^ Bool.toString (even 10) ^ Bool.toString (odd 10) ^ "\n")
(* functions over tuples of tuples *)
fun f ((a, b), (c, (d, e))) = ((e, d), (c, (b, a)))
val ((p, q), (r, (s, t))) = f ((1, "b"), (#"c", (4.5, [5])))
val () = print (Int.toString (hd p) ^ Real.toString q ^ str r ^ s ^ Int.toString t ^ "\n")
val swap = fn (a, b) => (b, a)
val () = print (#1 (swap (1, "one")) ^ Int.toString (#2 (swap (1, "one"))) ^ "\n")
val pair = (3, 4)
fun sum (a, b) = a + b : int
val () = print (Int.toString (sum pair) ^ "\n")
(* operators as functions *)
val () = print (Int.toString (op + (1, 2) + op * (3, 4)) ^ Bool.toString (op < (1, 2)) ^ concat (op :: ("a", ["b"])) ^ op ^ ("x", "y") ^ "\n")
infix 6 plus
infixr 5 cons
infix 3 then'
fun a plus b = a + b * 10
fun a cons b = a ^ "(" ^ b ^ ")"
fun f then' g = fn x => g (f x)
val () = print (Int.toString (1 plus 2 plus 3) ^ "a" cons "b" cons "c" ^ Int.toString ((size then' (fn n => n + 1)) "abc") ^ "\n")
nonfix plus
val () = print (Int.toString (plus (1, 2)) ^ "\n")
(* before, ignore and o *)
val () = print (Int.toString (5 before print "first ") ^ "\n")
val () = ignore (print "ignored\n"; 3)
val () = General.ignore (General.before (1, General.:= (ref 1, 2)))
val () = print (Int.toString ((General.o (fn x => x + 1, fn x => x * 2)) 4 + General.! (ref 5)) ^ "\n")
(* many arguments and results *)
fun f (a, b, c, d, e, f, g, h, i, j) = (j, i, h, g, f, e, d, c, b, a : int)
fun sum (a, b, c, d, e, f, g, h, i, j) = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j
val x = f (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
val () = print (Int.toString (sum x) ^ " " ^ Int.toString (sum (f x)) ^ "\n")
(*> falsetrue | 10 10 21 22 32 33 44 54 55 66 66 77 87 88 99  | 5~5 | 3628800truefalse | 54.5cb1 | one1 | 7 *)
(*> 15trueabxy | 51a(b(c4 | ))21 | first 5 | ignored | 14 | 220 385 *)

(*** functions 3 ***)
(* the order of evaluation *)
fun say s x = (print s; x)
val t = (say "1" 1, say "2" 2, say "3" 3)
val r = {b = say "b" 1, a = say "a" 2, c = say "c" 3}
val () = print "\n"
val n = (say "f" (fn x => fn y => x + y)) (say "x" 1) (say "y" 2)
val m = say "l" 1 + say "m" 2 * say "r" 3
val l = [say "p" 1, say "q" 2]
val l = say "h" 1 :: say "t" []
val () = print "\n"
val b = say "A" true andalso say "B" false andalso say "C" true
val b = say "D" false orelse say "E" true orelse say "F" true
val () = (say "s" (); say "t" (); say "u" ())
val c = let val x = say "v" 1 val y = say "w" 2 in say "z" (x + y) end
val () = print "\n"
val a = ref 0
val () = (say "left" a) := (say "right" 5)
val () = print (Int.toString (!a) ^ "\n")
(* the Ackermann and Takeuchi functions *)
fun ack (0, n) = n + 1 | ack (m, 0) = ack (m - 1, 1) | ack (m, n) = ack (m - 1, ack (m, n - 1))
fun tak (x, y, z) = if y < x then tak (tak (x - 1, y, z), tak (y - 1, z, x), tak (z - 1, x, y)) else z : int
val () = print (Int.toString (ack (2, 9)) ^ " " ^ Int.toString (tak (18, 12, 6)) ^ "\n")
(* continuations *)
fun fact_k (0, k) = k 1 | fact_k (n, k) = fact_k (n - 1, fn r => k (n * r))
val () = print (Int.toString (fact_k (10, fn r => r)) ^ "\n")
fun sum_k [] k = k 0 | sum_k (x :: rest) k = sum_k rest (fn s => k (s + x))
val () = print (Int.toString (sum_k (List.tabulate (100000, fn i => i)) (fn s => s)) ^ "\n")
(* Church numerals *)
fun zero f x = x
fun succ n f x = f (n f x)
fun plus m n f x = m f (n f x)
fun times m n f = m (n f)
val three = fn f => fn x => f (f (f x))
fun int n = n (fn x => x + 1) 0
val () = print (Int.toString (int (plus three (times three three))) ^ Int.toString (int (succ zero)) ^ "\n")
(* lazy streams *)
datatype 'a stream = Cons of 'a * (unit -> 'a stream)
fun from n = Cons (n, fn () => from (n + 1))
fun take (0, _) = [] | take (n, Cons (x, rest)) = x :: take (n - 1, rest ())
fun filter f (Cons (x, rest)) = if f x then Cons (x, fn () => filter f (rest ())) else filter f (rest ())
fun sieve (Cons (p, rest)) = Cons (p, fn () => sieve (filter (fn n => n mod p <> 0) (rest ())))
val () = print (String.concatWith " " (map Int.toString (take (20, sieve (from 2)))) ^ "\n")
(* a function that is stored in itself *)
val f = ref (fn (n : int) => n)
val () = f := (fn 0 => 0 | n => n + !f (n - 1))
val () = print (Int.toString (!f 100) ^ "\n")
(*> 123bac | fxylmrpqht | ABDEstuvwz | leftright5 | 21 7 | 3628800 | 4999950000 | 121 *)
(*> 2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 | 5050 *)
