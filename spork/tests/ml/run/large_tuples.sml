(*** large_tuples 1 ***)
(* case a record of thirty fields in all places *)
type row = {f0 : int, f1 : int, f2 : int, f3 : int, f4 : int, f5 : int, f6 : int, f7 : int, f8 : int, f9 : int, f10 : int, f11 : int, f12 : int, f13 : int, f14 : int, f15 : int, f16 : int, f17 : int, f18 : int, f19 : int, f20 : int, f21 : int, f22 : int, f23 : int, f24 : int, f25 : int, f26 : int, f27 : int, f28 : int, f29 : int}
fun row n : row =
  {f0 = n + 0, f1 = n + 1, f2 = n + 2, f3 = n + 3, f4 = n + 4, f5 = n + 5, f6 = n + 6, f7 = n + 7, f8 = n + 8, f9 = n + 9, f10 = n + 10, f11 = n + 11, f12 = n + 12, f13 = n + 13, f14 = n + 14, f15 = n + 15, f16 = n + 16, f17 = n + 17, f18 = n + 18, f19 = n + 19, f20 = n + 20, f21 = n + 21, f22 = n + 22, f23 = n + 23, f24 = n + 24, f25 = n + 25, f26 = n + 26, f27 = n + 27, f28 = n + 28, f29 = n + 29}
fun total ({f0, f7, f29, ...} : row) = f0 + f7 + f29
val () = print (Int.toString (total (row 1)) ^ "\n")
val l = List.map row [1, 2, 3]
val () = print (Int.toString (List.foldl (fn (r, n) => total r + n) 0 l) ^ "\n")
val a = Array.tabulate (5, row)
val () = Array.update (a, 3, row 100)
val () = print (Int.toString (Array.foldl (fn (r, n) => #f29 r + n) 0 a) ^ "\n")
val v = Vector.fromList l
val () = print (Int.toString (#f3 (Vector.sub (v, 2))) ^ "\n")
val r = ref (row 5)
val () = r := row (#f1 (!r))
val () = print (Int.toString (#f0 (!r)) ^ "\n")
exception Row of row
val () = (raise Row (row 8)) handle Row {f2, ...} => print (Int.toString f2 ^ "\n")
datatype shape = Nothing | One of row | Two of row * row
fun area Nothing = 0 | area (One r) = total r | area (Two (p as {f4, ...}, q)) = f4 + total p + total q
val () = print (Int.toString (area Nothing + area (One (row 1)) + area (Two (row 2, row 3))) ^ "\n")
datatype wrapped = Wrapped of row
fun open_up (Wrapped r) = total r
val () = print (Int.toString (open_up (Wrapped (row 9))) ^ "\n")
val () = print (Bool.toString (row 1 = row 1) ^ " " ^ Bool.toString (row 1 = row 2) ^ " " ^ Bool.toString (One (row 1) = One (row 1)) ^ " "
                ^ Bool.toString (Wrapped (row 3) = Wrapped (row 4)) ^ " " ^ Bool.toString ([row 1] = [row 1]) ^ "\n")
val SOME s = if total (row 0) > 3 then SOME (row 4) else NONE
val () = print (Int.toString (#f28 s) ^ "\n")
(* case a large tuple in matches, loops and closures *)
fun wide n = (n + 0, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15, n + 16, n + 17, n + 18, n + 19, n + 20, n + 21, n + 22, n + 23, n + 24, n + 25)
fun sum (a, b, c, d, e, f, g, h, i, j, k, l, m, n, k2, p, q, r, s, t, u, v, w, x, y, z) = a + z
fun pick (0, _) = 0
  | pick (_, (a, b, c, d, e, f, g, h, i, j, k, l, m, n, k2, p, q, r, s, t, u, v, w, x, y, z)) = if m > 15 then pick (0, wide a) + b else c + z
val () = print (Int.toString (sum (wide 3)) ^ " " ^ Int.toString (pick (1, wide 2)) ^ " " ^ Int.toString (pick (2, wide 40)) ^ "\n")
fun iterate (0, t) = sum t | iterate (n, t) = iterate (n - 1, if n mod 2 = 0 then wide (#1 t + 1) else t)
val () = print (Int.toString (iterate (100, wide 0)) ^ "\n")
fun later (t : int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int) = fn k => #26 t + k
val () = print (Int.toString (List.foldl (op +) 0 (List.map (later (wide 1)) [1, 2, 3])) ^ "\n")
fun same x = x
fun twice f x = f (f x)
val () = print (Int.toString (sum (twice same (wide 6))) ^ "\n")
val fs = [wide, fn n => wide (n * 2)]
val () = print (String.concatWith " " (List.map (fn f => Int.toString (sum (f 5))) fs) ^ "\n")
fun fails n = if n > 3 then raise Fail "wide" else wide n
val () = print (Int.toString (sum (fails 9 handle Fail _ => wide 1)) ^ "\n")
val t as (first, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _) = wide 12
val () = print (Int.toString (first + #2 t) ^ "\n")
(* case functions in a large record *)
fun fields k = {f0 = fn x => x + k + 0, f1 = fn x => x + k + 1, f2 = fn x => x + k + 2, f3 = fn x => x + k + 3, f4 = fn x => x + k + 4, f5 = fn x => x + k + 5, f6 = fn x => x + k + 6, f7 = fn x => x + k + 7, f8 = fn x => x + k + 8, f9 = fn x => x + k + 9, f10 = fn x => x + k + 10, f11 = fn x => x + k + 11, f12 = fn x => x + k + 12, f13 = fn x => x + k + 13, f14 = fn x => x + k + 14, f15 = fn x => x + k + 15, f16 = fn x => x + k + 16, f17 = fn x => x + k + 17, f18 = fn x => x + k + 18, f19 = fn x => x + k + 19, f20 = fn x => x + k + 20, f21 = fn x => x + k + 21, f22 = fn x => x + k + 22, f23 = fn x => x + k + 23, f24 = fn x => x + k + 24, f25 = fn x => x + k + 25}
val r = fields 100
val () = print (Int.toString (#f3 r 1 + #f25 r 2) ^ "\n")
val rs = [fields 1, fields 2]
val () = print (Int.toString (List.foldl (fn (r, n) => #f9 r n) 0 rs) ^ "\n")
fun choose b = if b then fields 5 else fields 6
val () = print (Int.toString (#f0 (choose true) 0 * #f0 (choose false) 0) ^ "\n")
(*> 39 | 126 | 252 | 6 | 6 | 10 | 132 | 63 | true false true false true | 32 | 31 31 41 | 125 | 84 | 37 | 35 45 | 27 *)
(*> 25 | 231 | 21 | 30 *)

(*** large_tuples 2 ***)
(* case a pair of pairs of pairs *)
fun pair x = (x, x)
val p = pair (pair (pair (pair (pair (pair (pair (pair (pair (pair (pair (pair 3)))))))))))
val ((((((((((((a, _), _), _), _), _), _), _), _), _), _), _), _) = p
val () = print (Int.toString a ^ "\n")
val q = pair (pair (pair (pair (pair (pair 4)))))
val () = print (Bool.toString (q = pair (pair (pair (pair (pair (pair 4)))))) ^ " " ^ Bool.toString (q = pair (pair (pair (pair (pair (4, 5)))))) ^ "\n")
(* case large tuples in parallel *)
fun wide n = (n + 0, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11, n + 12, n + 13, n + 14, n + 15, n + 16, n + 17, n + 18, n + 19, n + 20, n + 21, n + 22, n + 23, n + 24, n + 25)
fun sum (a, b, c, d, e, f, g, h, i, j, k, l, m, n, k2, p, q, r, s, t, u, v, w, x, y, z) = a + b + z
fun both n = if n < 2 then wide n else
  let val (l, r) = ForkJoin.par (fn () => both (n - 1), fn () => both (n - 2)) in wide ((#1 l + #1 r) mod 1000003) end
val () = print (Int.toString (sum (both 18)) ^ "\n")
val added = ForkJoin.reduce (0, 1000, wide, fn (x, y) => wide ((#1 x + #1 y) mod 1000003), wide 0)
val () = print (Int.toString (sum added) ^ "\n")
val a = ForkJoin.alloc 500 : (int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int * int) array
val () = ForkJoin.parfor (0, 500, fn i => Array.update (a, i, wide i))
val () = print (Int.toString (Array.foldl (fn (t, n) => sum t + n) 0 a) ^ "\n")
(*> 3 | true false | 7778 | 1498526 | 387250 *)
