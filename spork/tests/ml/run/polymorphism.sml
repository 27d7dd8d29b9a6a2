(*** polymorphism 1 ***)
(* one function at many types *)
fun id x = x
fun pair x = (x, x)
fun const a _ = a
val () = print (Int.toString (id 3) ^ id "s" ^ Real.toString (id 1.5) ^ str (id #"c") ^ Bool.toString (id true) ^ Int.toString (#1 (id (1, "x"))) ^ Int.toString (id (fn x => x + 1) 4) ^ "\n")
val () = print (Int.toString (#1 (pair 1) + #2 (pair 2)) ^ #1 (pair "p") ^ Real.toString (#2 (pair 2.5)) ^ Int.toString (#2 (#1 (pair (pair 7)))) ^ "\n")
val () = print (const "k" 1.5 ^ Int.toString (const 1 ()) ^ Real.toString (const 2.5 "x") ^ "\n")
(* a swap of all kinds of pairs *)
fun swap (a, b) = (b, a)
val (a, b) = swap (1, 2.5)
val (c, d) = swap ("s", (1, 2))
val ((e, f), g) = swap (#"x", ([1], fn x => x * 2))
val (h, ()) = swap ((), 5)
val () = print (concat [Real.toString a, Int.toString b, Int.toString (#2 c), d, Int.toString (f (hd e)), str g, Int.toString h, "\n"])
(* map, filter and fold of one's own at many types *)
fun map' f [] = [] | map' f (x :: r) = f x :: map' f r
fun fold f z [] = z | fold f z (x :: r) = fold f (f (x, z)) r
val () = print (concat (map' Int.toString (map' size ["a", "bb", "ccc"])) ^ "\n")
val () = print (Real.toString (fold (op +) 0.0 (map' real [1, 2, 3])) ^ "\n")
val () = print (Int.toString (fold (fn ((a, b), s) => a * b + s) 0 (map' (fn x => (x, x + 1)) [1, 2, 3])) ^ "\n")
val () = print (fold (op ^) "" (map' (fn (c, n) => implode (List.tabulate (n, fn _ => c))) [(#"a", 1), (#"b", 2)]) ^ "\n")
val () = print (Int.toString (length (map' (fn () => ()) [(), (), ()])) ^ "\n")
(* a polymorphic datatype at many types *)
datatype 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
fun insert less (x, Leaf) = Node (Leaf, x, Leaf)
  | insert less (x, t as Node (l, y, r)) =
      if less (x, y) then Node (insert less (x, l), y, r) else if less (y, x) then Node (l, y, insert less (x, r)) else t
fun fold f z Leaf = z | fold f z (Node (l, x, r)) = fold f (f (x, fold f z l)) r
fun build less l = foldl (insert less) Leaf l
val () = print (fold (fn (x, s) => s ^ Int.toString x ^ " ") "" (build (op <) [5, 2, 8, 1, 9, 2]) ^ "\n")
val () = print (fold (fn (x, s) => s ^ x ^ " ") "" (build (op <) ["pear", "apple", "fig"]) ^ "\n")
val () = print (fold (fn (x, s) => s ^ Real.toString x ^ " ") "" (build (op <) [1.5, ~2.0, 0.25]) ^ "\n")
val () = print (fold (fn ((a, b), s) => s ^ Int.toString a ^ b) "" (build (fn ((a, _), (b, _)) => a < b) [(3, "c"), (1, "a"), (2, "b")]) ^ "\n")
val () = print (fold (fn (f, s) => s ^ Int.toString (f 1)) "" (build (fn (f, g) => f 0 < g 0) [fn x => x + 3, fn x => x * 5, fn x => x - 1]) ^ "\n")
(* a datatype with several parameters *)
datatype ('k, 'v) map = Empty | Bind of 'k * 'v * ('k, 'v) map
fun find (Empty, _) = NONE | find (Bind (k, v, rest), key) = if k = key then SOME v else find (rest, key)
val a = Bind ("one", 1, Bind ("two", 2, Empty))
val b = Bind (1, "one", Bind (2, "two", Empty))
val c = Bind ((1, true), 1.5, Bind ((2, false), 2.5, Empty))
val () = print (Int.toString (valOf (find (a, "two"))) ^ valOf (find (b, 1)) ^ Real.toString (valOf (find (c, (2, false)))) ^ Bool.toString (isSome (find (a, "x"))) ^ "\n")
datatype ('a, 'b) either = Left of 'a | Right of 'b
fun split [] = ([], []) | split (Left x :: r) = let val (a, b) = split r in (x :: a, b) end | split (Right y :: r) = let val (a, b) = split r in (a, y :: b) end
val (l, r) = split [Left 1, Right "a", Left 2, Right "b"]
val () = print (Int.toString (foldl (op +) 0 l) ^ concat r ^ "\n")
(* a datatype that is used at larger types within itself *)
datatype 'a nested = Flat of 'a | Nest of ('a * 'a) nested
fun depth (n : int nested) = case n of Flat _ => 0 | Nest (Flat _) => 1 | Nest (Nest (Flat _)) => 2 | Nest (Nest (Nest _)) => 3
val () = app (fn n => print (Int.toString (depth n) ^ "\n")) [Flat 1, Nest (Flat (1, 2)), Nest (Nest (Flat ((1, 2), (3, 4)))), Nest (Nest (Nest (Flat (((1, 2), (3, 4)), ((5, 6), (7, 8))))))]
val Nest (Nest (Flat ((a, b), (c, d)))) = Nest (Nest (Flat ((1, 2), (3, 4))))
val () = print (Int.toString (a + b * 10 + c * 100 + d * 1000) ^ "\n")
(* the empty list and NONE at many types *)
val e = []
val n = NONE
val () = print (Int.toString (length (1 :: e)) ^ hd ("a" :: e) ^ Int.toString (getOpt (n, 3)) ^ getOpt (n, "x") ^ "\n")
val () = print (Bool.toString (null e) ^ Int.toString (length (e @ [(1, 2)])) ^ "\n")
(*> 3s1.5ctrue15 | 3p2.57 | k12.5 | 2.512s2x5 | 123 | 6.0 | 20 | bba | 3 | 1 2 5 8 9  | apple fig pear  *)
(*> ~2.0 0.25 1.5  | 1a2b3c | 054 | 2one2.5false | 3ab | 0 | 1 | 2 | 3 | 4321 | 1a3x | true1 *)

(*** polymorphism 2 ***)
(* equality types *)
fun member (x, l) = List.exists (fn y => x = y) l
val () = print (Bool.toString (member (3, [1, 2, 3])) ^ Bool.toString (member ("x", ["y"])) ^ Bool.toString (member ((1, #"a"), [(1, #"b"), (1, #"a")])) ^ Bool.toString (member ([1], [[], [1]])) ^
                Bool.toString (member (SOME 1, [NONE, SOME 2])) ^ Bool.toString (member ((), [])) ^ "\n")
fun distinct [] = [] | distinct (x :: r) = x :: distinct (List.filter (fn y => y <> x) r)
val () = print (concat (distinct ["a", "b", "a", "c", "b"]) ^ Int.toString (length (distinct [1, 1, 1])) ^ "\n")
(* equality of all types *)
datatype t = A | B of int | C of t list | D of {x : string, y : t}
datatype 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
fun b x = print (if x then "t" else "f")
val r = ref 1
val () = (b (A = A); b (A = B 1); b (B 1 = B 1); b (B 1 = B 2); b (C [A, B 1] = C [A, B 1]); b (C [A] = C [A, A]); b (D {x = "x", y = A} = D {y = A, x = "x"}); b (D {x = "x", y = A} = D {x = "x", y = B 0}))
val () = (b (Node (Leaf, 1, Leaf) = Node (Leaf, 1, Leaf)); b (Node (Leaf, 1, Leaf) = Node (Leaf, 2, Leaf)); b (Leaf = Node (Leaf, "s", Leaf)); b (Node (Leaf, [1], Leaf) = Node (Leaf, [1], Leaf)))
val () = (b (r = r); b (r = ref 1); b (SOME r = SOME r); b ((1, "a", #"c", true) = (1, "a", #"c", true)); b ((1, ("a", 2)) <> (1, ("a", 3))); b ({p = 1, q = [2]} = {q = [2], p = 1}))
val () = (b ([SOME 1, NONE] = [SOME 1, NONE]); b ([[]] = [[1]]); b ("abc" = "abc"); b ("abc" = "abd"); b (LESS = LESS); b (LESS = GREATER); b (0w3 = 0w3); b (() = ()); print "\n")
(* equality of deep values *)
datatype nat = Z | S of nat
fun nat 0 = Z | nat n = S (nat (n - 1))
val () = print (Bool.toString (nat 1000 = nat 1000) ^ Bool.toString (nat 1000 = nat 1001) ^ "\n")
fun list (0, l) = l | list (n, l) = list (n - 1, n :: l)
val () = print (Bool.toString (list (1000000, []) = list (1000000, [])) ^ "\n")
(* equality of deep lists and datatypes is a loop *)
datatype t = End | Next of int * t
fun make (0, t) = t | make (n, t) = make (n - 1, Next (n, t))
val () = print (Bool.toString (make (100000, End) = make (100000, End)) ^ Bool.toString (make (100000, End) = make (100000, Next (0, End))) ^ "\n")
(* polymorphic functions that call each other *)
fun evens [] = [] | evens (x :: r) = x :: odds r
and odds [] = [] | odds (_ :: r) = evens r
val () = print (concat (evens ["a", "b", "c"]) ^ Int.toString (foldl (op +) 0 (odds [1, 2, 3, 4])) ^ "\n")
(* local polymorphism *)
fun f () =
  let
    fun wrap x = [x]
    val empty = []
    fun both (g, h) (x, y) = (g x, h y)
    val (a, b) = both (wrap, wrap) (1, "a")
  in
    Int.toString (hd (a @ empty)) ^ hd (b @ empty)
  end
val () = print (f () ^ "\n")
(* a local function that uses the type variable around it *)
fun reverse l =
  let
    fun go (done, []) = done | go (done, x :: r) = go (x :: done, r)
    fun pair x = (x, l)
  in
    map pair (go ([], l))
  end
val () = print (concat (map (fn (x, l) => x ^ concat l ^ " ") (reverse ["a", "b"])) ^ Int.toString (#1 (hd (reverse [1, 2]))) ^ "\n")
(*> truefalsetruetruefalsefalse | abc1 | tftftftftffttftttttftftftt | truefalse | true | truefalse | ac6 | 1a *)
(*> bab aab 2 *)

(*** polymorphism 3 ***)
(* explicit type variables *)
fun 'a first (x : 'a, _ : 'b) : 'a = x
fun ('a, 'b) flip (f : 'a * 'b -> int) (y : 'b, x : 'a) = f (x, y)
val 'a id : 'a -> 'a = fn x => x
val () = print (Int.toString (first (1, "x")) ^ first ("y", 2) ^ Int.toString (flip (fn (a, b) => a - size b) ("abc", 10)) ^ id "z" ^ "\n")
(* a pair of polymorphic functions in a structure *)
structure Stack = struct
  type 'a stack = 'a list
  val empty = []
  fun push (x, s) = x :: s
  fun pop [] = NONE | pop (x :: s) = SOME (x, s)
end
val s = Stack.push (1, Stack.push (2, Stack.empty))
val t = Stack.push ("a", Stack.empty)
val () = print (case (Stack.pop s, Stack.pop t) of (SOME (a, _), SOME (b, _)) => Int.toString a ^ b ^ "\n" | _ => "none\n")
(* polymorphic arrays and references *)
fun sum_by f a = Array.foldl (fn (x, s) => f x + s) 0 a
fun update_all (a, x) = Array.modify (fn _ => x) a
fun exchange (r, x) = let val old = !r in r := x; old end
val a = Array.fromList ["a", "bb"]
val b = Array.fromList [(1, 2), (3, 4)]
val () = print (Int.toString (sum_by size a) ^ Int.toString (sum_by (op *) b) ^ "\n")
val () = (update_all (a, "ccc"); update_all (b, (5, 6)))
val () = print (Int.toString (sum_by size a) ^ Int.toString (sum_by (op *) b) ^ "\n")
val r = ref 1.5
val s = ref [1]
val () = print (Real.toString (exchange (r, 2.5)) ^ Real.toString (!r) ^ Int.toString (length (exchange (s, []))) ^ Int.toString (length (!s)) ^ "\n")
(* values of phantom types *)
datatype 'a tagged = Tag of int
fun retag (Tag n) = Tag (n + 1)
val a : string tagged = Tag 1
val b : (int -> int) tagged = retag a
val Tag n = b
val () = print (Int.toString n ^ "\n")
(*> 1y7z | 1a | 314 | 660 | 1.52.510 | 2 *)
