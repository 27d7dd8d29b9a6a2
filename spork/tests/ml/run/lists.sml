(*** lists 1 ***)
(* the functions of List *)
fun show l = print ("[" ^ String.concatWith ", " (map Int.toString l) ^ "]\n")
fun b x = print (Bool.toString x ^ "\n")
val l = [3, 1, 4, 1, 5, 9, 2, 6]
val () = (b (List.null []); b (null l); b (List.null l))
val () = print (Int.toString (List.length l) ^ Int.toString (length ([] : int list)) ^ "\n")
val () = app show [List.rev l, rev [], List.@ ([1], [2, 3]), [1] @ [] @ [2], List.revAppend ([1, 2, 3], [4]), List.take (l, 3), List.drop (l, 3), List.take (l, 0), List.drop (l, 8)]
val () = app (fn i => print (Int.toString i ^ "\n")) [List.hd l, hd l, List.last l, List.nth (l, 2)]
val () = app show [List.tl l, tl [1], List.concat [[1], [], [2, 3]], List.tabulate (5, fn i => i * i), List.tabulate (0, fn i => i)]
val () = app show [List.map (fn x => x + 1) l, List.mapPartial (fn x => if x > 3 then SOME (x * 10) else NONE) l, List.filter (fn x => x mod 2 = 0) l]
val (yes, no) = List.partition (fn x => x < 4) l
val () = (show yes; show no)
val () = (b (List.exists (fn x => x = 9) l); b (List.exists (fn x => x = 7) l); b (List.all (fn x => x > 0) l); b (List.all (fn x => x > 1) l); b (List.all (fn _ => false) []))
val () = print (case List.find (fn x => x > 3) l of SOME x => Int.toString x ^ "\n" | NONE => "none\n")
val () = print (case List.find (fn x => x > 30) l of SOME x => Int.toString x ^ "\n" | NONE => "none\n")
val () = print (case List.getItem l of SOME (x, r) => Int.toString x ^ Int.toString (length r) ^ "\n" | NONE => "none\n")
val () = print (case List.getItem ([] : int list) of SOME _ => "some\n" | NONE => "none\n")
val () = (List.app (fn x => print (Int.toString x)) l; print "\n")
(* folds *)
val l = ["a", "b", "c"]
val () = print (List.foldl (fn (x, s) => s ^ x) "<" l ^ List.foldr (fn (x, s) => s ^ x) ">" l ^ "\n")
val () = print (foldl (op ^) "" l ^ foldr (op ^) "" l ^ "\n")
val () = print (Int.toString (foldl (op +) 0 [1, 2, 3, 4]) ^ Int.toString (foldr (op -) 0 [1, 2, 3, 4]) ^ Int.toString (foldl (op -) 0 [1, 2, 3, 4]) ^ "\n")
(* exceptions of List *)
fun try f = (ignore (f ()); print "no exception\n") handle e => print (exnName e ^ "\n")
val l = [1, 2, 3]
val none : int list = []
val () = app try [fn () => hd none, fn () => List.last none, fn () => List.nth (l, 3), fn () => List.nth (l, ~1), fn () => length (tl none),
                  fn () => length (List.take (l, 4)), fn () => length (List.take (l, ~1)), fn () => length (List.drop (l, 4)),
                  fn () => length (List.drop (l, ~1)), fn () => length (List.tabulate (~1, fn i => i))]
val () = (ignore (hd none)) handle List.Empty => print "Empty\n"
(* lists are compared from the left *)
fun o2s LESS = "LESS\n" | o2s EQUAL = "EQUAL\n" | o2s GREATER = "GREATER\n"
val c = List.collate Int.compare
val () = app (print o o2s o c) [([], []), ([], [1]), ([1], []), ([1, 2], [1, 3]), ([2], [1, 9]), ([1, 2], [1, 2])]
(* pairs of lists *)
val a = [1, 2, 3]
val b = ["x", "y", "z", "more"]
fun s (i, t) = Int.toString i ^ t
val () = print (String.concatWith "," (map s (ListPair.zip (a, b))) ^ "\n")
val (c, d) = ListPair.unzip [(1, "p"), (2, "q")]
val () = print (s (foldl (op +) 0 c, concat d) ^ "\n")
val () = print (concat (ListPair.map s (a, b)) ^ "\n")
val () = (ListPair.app (fn p => print (s p)) (a, b); print "\n")
val () = print (Bool.toString (ListPair.all (fn (i, t) => i > 0 andalso size t = 1) (a, b)) ^ Bool.toString (ListPair.exists (fn (i, _) => i = 4) (a, b)) ^ "\n")
val () = print (ListPair.foldl (fn (i, t, z) => z ^ s (i, t)) "" (a, b) ^ ListPair.foldr (fn (i, t, z) => z ^ s (i, t)) "" (a, b) ^ "\n")
val () = (raise ListPair.UnequalLengths) handle ListPair.UnequalLengths => print "UnequalLengths\n"
(* the functions of Option *)
fun show NONE = print "none\n" | show (SOME i) = print (Int.toString i ^ "\n")
val () = app show [Option.map (fn x => x + 1) (SOME 1), Option.map (fn x => x + 1) NONE, Option.mapPartial (fn x => if x > 0 then SOME x else NONE) (SOME ~1),
                   Option.mapPartial (fn x => SOME x) (SOME 5), Option.mapPartial (fn x => SOME x) NONE, Option.filter (fn x => x > 2) 3, Option.filter (fn x => x > 2) 1,
                   Option.join (SOME (SOME 8)), Option.join (SOME NONE), Option.join NONE, Option.compose (fn x => x * 2, fn x => SOME (x + 1)) 4,
                   Option.composePartial (fn x => if x > 5 then SOME x else NONE, fn x => SOME (x + 1)) 4]
val () = Option.app (fn x => print (Int.toString x ^ "\n")) (SOME 6)
val () = Option.app (fn x => print (Int.toString x ^ "\n")) NONE
val () = print (Int.toString (valOf (SOME 1) + Option.valOf (SOME 2) + getOpt (NONE, 3) + getOpt (SOME 4, 5) + Option.getOpt (NONE, 6)) ^ "\n")
val () = print (Bool.toString (isSome (SOME 1)) ^ Bool.toString (Option.isSome (NONE : int option)) ^ "\n")
val () = show (SOME (valOf NONE)) handle Option => print "Option\n"
val () = show (SOME (valOf NONE)) handle Option.Option => print "Option.Option\n"
(*> true | false | false | 80 | [6, 2, 9, 5, 1, 4, 1, 3] | [] | [1, 2, 3] | [1, 2] | [3, 2, 1, 4] | [3, 1, 4] *)
(*> [1, 5, 9, 2, 6] | [] | [] | 3 | 3 | 6 | 4 | [1, 4, 1, 5, 9, 2, 6] | [] | [1, 2, 3] | [0, 1, 4, 9, 16] | [] *)
(*> [4, 2, 5, 2, 6, 10, 3, 7] | [40, 50, 90, 60] | [4, 2, 6] | [3, 1, 1, 2] | [4, 5, 9, 6] | true | false | true *)
(*> false | true | 4 | none | 37 | none | 31415926 | <abc>cba | cbaabc | 10~22 | Empty | Empty | Subscript | Subscript *)
(*> Empty | Subscript | Subscript | Subscript | Subscript | Size | Empty | EQUAL | LESS | GREATER | LESS | GREATER *)
(*> EQUAL | 1x,2y,3z | 3pq | 1x2y3z | 1x2y3z | truefalse | 1x2y3z3z2y1x | UnequalLengths | 2 | none | none | 5 | none *)
(*> 3 | none | 8 | none | none | 10 | none | 6 | 16 | truefalse | Option | Option.Option *)

(*** lists 2 ***)
(* a list of a million elements *)
val l = List.tabulate (1000000, fn i => i)
val () = print (Int.toString (length l) ^ "\n")
val () = print (Int.toString (foldl (op +) 0 l) ^ "\n")
val () = print (Int.toString (foldr (op +) 0 l) ^ "\n")
val () = print (Int.toString (length (map (fn i => i + 1) l)) ^ "\n")
val () = print (Int.toString (hd (rev l)) ^ "\n")
val () = print (Int.toString (length (l @ l)) ^ "\n")
val () = print (Int.toString (length (List.filter (fn i => i mod 3 = 0) l)) ^ "\n")
val () = print (Bool.toString (l = List.tabulate (1000000, fn i => i)) ^ "\n")
(* a recursion a million deep *)
fun sum [] = 0 | sum (x :: rest) = x + sum rest
fun from (i, n) = if i = n then [] else i :: from (i + 1, n)
val () = print (Int.toString (sum (from (0, 1000000))) ^ "\n")
fun depth 0 = 0 | depth n = 1 + depth (n - 1)
val () = print (Int.toString (depth 1000000) ^ "\n")
(*> 1000000 | 499999500000 | 499999500000 | 1000000 | 999999 | 2000000 | 333334 | true | 499999500000 | 1000000 *)
