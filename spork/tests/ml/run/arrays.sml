(*** arrays 1 ***)
(* the functions of Array *)
fun show a = print ("[" ^ String.concatWith ", " (map Int.toString (Array.toList a)) ^ "]\n")
val a = Array.array (3, 7)
val () = show a
val b = Array.fromList [5, 6, 7]
val c = Array.tabulate (4, fn i => i * 10)
val () = (show b; show c; show (Array.fromList []); show (Array.tabulate (0, fn i => i)); show (Array.array (0, 1)))
val () = print (Int.toString (Array.length c) ^ Int.toString (Array.sub (c, 2)) ^ "\n")
val () = (Array.update (c, 1, 99); show c)
val () = (Array.copy {src = b, dst = c, di = 1}; show c)
val () = (Array.modify (fn x => x + 1) c; show c; Array.modifyi (fn (i, x) => i * 100 + x) c; show c)
val () = (Array.app (fn x => print (Int.toString x ^ ";")) c; Array.appi (fn (i, x) => print (Int.toString (i + x) ^ ";")) c; print "\n")
val () = print (Int.toString (Array.foldl (op -) 0 b) ^ Int.toString (Array.foldr (op -) 0 b) ^ "\n")
val () = print (Array.foldli (fn (i, x, s) => s ^ Int.toString i ^ Int.toString x) "" b ^ Array.foldri (fn (i, x, s) => s ^ Int.toString i ^ Int.toString x) "" b ^ "\n")
val () = print (case Array.find (fn x => x > 5) b of SOME x => Int.toString x ^ "\n" | NONE => "none\n")
val () = print (case Array.findi (fn (i, x) => i + x > 100) b of SOME (i, x) => Int.toString (i + x) ^ "\n" | NONE => "none\n")
val () = print (case Array.findi (fn (i, x) => i = 1) b of SOME (i, x) => Int.toString (i + x) ^ "\n" | NONE => "none\n")
val () = print (Bool.toString (Array.exists (fn x => x = 6) b) ^ Bool.toString (Array.all (fn x => x = 6) b) ^ "\n")
val v = Array.vector b
val () = (Array.update (b, 0, 1); print (Int.toString (Vector.sub (v, 0)) ^ "\n"))
(* an array is equal to itself only *)
val a = Array.fromList [1, 2]
val b = Array.fromList [1, 2]
val c = a
val () = print (Bool.toString (a = b) ^ Bool.toString (a = c) ^ Bool.toString (a <> b) ^ "\n")
(* vectors are equal by their elements *)
val a = Vector.fromList [1, 2]
val b = Vector.tabulate (2, fn i => i + 1)
val c = vector [1, 3]
val () = print (Bool.toString (a = b) ^ Bool.toString (a = c) ^ Bool.toString (a = Vector.fromList [1]) ^ "\n")
val () = print (Bool.toString (Vector.fromList ["a", "b"] = vector ["a", "b"]) ^ "\n")
(* exceptions of Array, Vector and ArraySlice *)
fun try f = (ignore (f ()); print "no exception\n") handle e => print (exnName e ^ "\n")
val minus = ~ (size "x")  (* Poly/ML cannot compile constants here *)
val most = valOf Int.maxInt - size ""
val a = Array.fromList [1, 2, 3]
val v = Vector.fromList [1, 2, 3]
val s = ArraySlice.slice (a, 1, SOME 1)
val () = app try [fn () => Array.sub (a, 3), fn () => Array.sub (a, minus), fn () => Vector.sub (v, 3), fn () => Vector.sub (v, minus), fn () => ArraySlice.sub (s, 1),
                  fn () => ArraySlice.sub (s, minus), fn () => Array.length (Array.array (minus, 0)), fn () => Array.length (Array.tabulate (minus, fn i => i)),
                  fn () => Vector.length (Vector.tabulate (minus, fn i => i)), fn () => Vector.length (Vector.update (v, 3, 0)), fn () => Array.sub (a, most)]
val () = app try [fn () => Array.update (a, 3, 0), fn () => Array.update (a, minus, 0), fn () => ArraySlice.update (s, 1, 0), fn () => ArraySlice.update (s, minus, 0),
                  fn () => Array.copy {src = a, dst = a, di = 1}, fn () => Array.copy {src = a, dst = a, di = minus}]
val () = app try [fn () => ArraySlice.length (ArraySlice.slice (a, 4, NONE)), fn () => ArraySlice.length (ArraySlice.slice (a, 1, SOME 3)),
                  fn () => ArraySlice.length (ArraySlice.slice (a, minus, NONE)), fn () => ArraySlice.length (ArraySlice.slice (a, 1, SOME minus)),
                  fn () => ArraySlice.length (ArraySlice.subslice (s, 0, SOME 2)), fn () => ArraySlice.length (ArraySlice.slice (a, 3, NONE))]
(* the functions of Vector *)
fun show v = print ("[" ^ String.concatWith ", " (map Int.toString (Vector.toList v)) ^ "]\n")
val v = Vector.fromList [3, 1, 2]
val () = app show [v, Vector.tabulate (3, fn i => i), Vector.map (fn x => x * 2) v, Vector.mapi (fn (i, x) => i * x) v, Vector.concat [v, v], Vector.update (v, 1, 50), Vector.fromList []]
val () = print (Int.toString (Vector.length v) ^ Int.toString (Vector.sub (v, 1)) ^ "\n")
val () = print (Int.toString (Vector.foldl (op -) 0 v) ^ Int.toString (Vector.foldr (op -) 0 v) ^ "\n")
val () = print (Vector.foldli (fn (i, x, s) => s ^ Int.toString i ^ Int.toString x) "" v ^ Vector.foldri (fn (i, x, s) => s ^ Int.toString i ^ Int.toString x) "" v ^ "\n")
val () = (Vector.app (fn x => print (Int.toString x)) v; Vector.appi (fn (i, x) => print (Int.toString (i + x))) v; print "\n")
val () = print (case Vector.find (fn x => x < 3) v of SOME x => Int.toString x ^ "\n" | NONE => "none\n")
val () = print (Bool.toString (Vector.exists (fn x => x = 2) v) ^ Bool.toString (Vector.all (fn x => x = 2) v) ^ "\n")
(* the lengths that are allowed *)
val () = print (Bool.toString (Array.maxLen > 1000000) ^ Bool.toString (Vector.maxLen > 1000000) ^ Bool.toString (String.maxSize > 1000000) ^ "\n")
(*> [7, 7, 7] | [5, 6, 7] | [0, 10, 20, 30] | [] | [] | [] | 420 | [0, 99, 20, 30] | [0, 5, 6, 7] | [1, 6, 7, 8] *)
(*> [1, 106, 207, 308] | 1;106;207;308;1;107;209;311; | 66 | 051627271605 | 6 | none | 7 | truefalse | 5 *)
(*> falsetruetrue | truefalsefalse | true | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript *)
(*> Size | Size | Size | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript *)
(*> Subscript | Subscript | Subscript | Subscript | Subscript | no exception | [3, 1, 2] | [0, 1, 2] | [6, 2, 4] *)
(*> [0, 1, 4] | [3, 1, 2, 3, 1, 2] | [3, 50, 2] | [] | 31 | 44 | 031122221103 | 312324 | 1 | truefalse | truetruetrue *)

(*** arrays 2 ***)
(* the functions of ArraySlice *)
fun show s = print ("[" ^ String.concatWith ", " (rev (ArraySlice.foldl (fn (x, l) => Int.toString x :: l) [] s)) ^ "]\n")
val a = Array.tabulate (10, fn i => i)
val s = ArraySlice.slice (a, 2, SOME 5)
val () = app show [ArraySlice.full a, s, ArraySlice.slice (a, 7, NONE), ArraySlice.subslice (s, 1, SOME 2), ArraySlice.subslice (s, 3, NONE), ArraySlice.slice (a, 10, NONE)]
val () = print (Int.toString (ArraySlice.length s) ^ Int.toString (ArraySlice.sub (s, 1)) ^ Bool.toString (ArraySlice.isEmpty s) ^ "\n")
val (base, i, n) = ArraySlice.base s
val () = print (Bool.toString (base = a) ^ Int.toString i ^ Int.toString n ^ "\n")
val () = (ArraySlice.update (s, 0, 42); print (Int.toString (Array.sub (a, 2)) ^ "\n"))
val () = print (Int.toString (ArraySlice.foldr (op -) 0 s) ^ ArraySlice.foldli (fn (i, x, t) => t ^ Int.toString (i * x) ^ ".") "" s ^ "\n")
val () = (ArraySlice.app (fn x => print (Int.toString x)) s; ArraySlice.appi (fn (i, x) => print (Int.toString i)) s; print "\n")
val () = (ArraySlice.modify (fn x => x * 2) s; show s)
val () = print (Int.toString (Vector.length (ArraySlice.vector s)) ^ "\n")
val () = print (case ArraySlice.getItem s of SOME (x, t) => Int.toString x ^ Int.toString (ArraySlice.length t) ^ "\n" | NONE => "none\n")
val () = print (case ArraySlice.getItem (ArraySlice.slice (a, 0, SOME 0)) of SOME (x, t) => "some\n" | NONE => "none\n")
(* copies that overlap *)
fun show a = print (String.concatWith " " (map Int.toString (Array.toList a)) ^ "\n")
fun fresh () = Array.tabulate (8, fn i => i)
val a = fresh ()
val () = (ArraySlice.copy {src = ArraySlice.slice (a, 0, SOME 5), dst = a, di = 2}; show a)
val a = fresh ()
val () = (ArraySlice.copy {src = ArraySlice.slice (a, 3, SOME 5), dst = a, di = 1}; show a)
val a = fresh ()
val () = (ArraySlice.copy {src = ArraySlice.slice (a, 3, SOME 2), dst = a, di = 3}; show a)
val a = fresh ()
val () = (Array.copy {src = a, dst = a, di = 0}; show a)
(* arrays of tuples, reals, strings, functions, arrays and units *)
val pairs = Array.tabulate (4, fn i => (i, real i / 2.0))
val () = Array.update (pairs, 2, (7, 7.5))
val () = Array.app (fn (i, x) => print (Int.toString i ^ Real.toString x ^ "\n")) pairs
val strings = Array.array (2, "x")
val () = (Array.update (strings, 1, "yy"); Array.app print strings; print "\n")
val functions = Array.tabulate (3, fn i => fn x => x * i)
val () = print (Int.toString (foldl (fn (f, x) => x + f 10) 0 (Array.toList functions)) ^ "\n")
val rows = Array.tabulate (3, fn i => Array.tabulate (3, fn j => i * j))
val () = Array.update (Array.sub (rows, 1), 2, 100)
val () = print (Int.toString (Array.foldl (fn (r, s) => s + Array.foldl (op +) 0 r) 0 rows) ^ "\n")
val units = Array.array (5, ())
val () = (Array.update (units, 3, ()); print (Int.toString (Array.length units) ^ "\n"))
val records = Array.tabulate (3, fn i => {name = str (chr (65 + i)), at = (i, i + 1)})
val () = print (concat (map #name (Array.toList records)) ^ Int.toString (#2 (#at (Array.sub (records, 2)))) ^ "\n")
val words = Array.array (2, 0w5 : word)
val bytes = Array.array (3, 0w255 : Word8.word)
val () = print (Word.toString (Array.sub (words, 1)) ^ Word8.toString (Array.sub (bytes, 2)) ^ "\n")
val bools = Array.tabulate (5, fn i => i mod 2 = 0)
val () = print (Int.toString (Array.foldl (fn (b, n) => if b then n + 1 else n) 0 bools) ^ "\n")
val options = Array.array (2, NONE : int option)
val () = (Array.update (options, 0, SOME 3); print (Int.toString (valOf (Array.sub (options, 0))) ^ Bool.toString (isSome (Array.sub (options, 1))) ^ "\n"))
(*> [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] | [2, 3, 4, 5, 6] | [7, 8, 9] | [3, 4] | [5, 6] | [] | 53false | true25 | 42 *)
(*> 440.3.8.15.24. | 42345601234 | [84, 6, 8, 10, 12] | 5 | 844 | none | 0 1 0 1 2 3 4 7 | 0 3 4 5 6 7 6 7 *)
(*> 0 1 2 3 4 5 6 7 | 0 1 2 3 4 5 6 7 | 00.0 | 10.5 | 77.5 | 31.5 | xyy | 30 | 107 | 5 | ABC3 | 5FF | 3 | 3false *)
