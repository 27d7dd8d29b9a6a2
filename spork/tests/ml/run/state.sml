(*** state 1 ***)
(* references *)
val a = ref 1
val b = a
val () = (a := 5; b := !b + 1; print (Int.toString (!a) ^ "\n"))
val s = ref "x"
val p = ref (1, "y", 2.5)
val u = ref ()
val () = (s := !s ^ "z"; p := (2, !s, 3.5); u := (); print (#2 (!p) ^ Int.toString (#1 (!p)) ^ Real.toString (#3 (!p)) ^ "\n"))
val rr = ref (ref 1)
val () = (!rr := 7; print (Int.toString (!(!rr)) ^ "\n"); rr := ref 8; print (Int.toString (!(!rr)) ^ "\n"))
(* a list of references *)
val l = List.tabulate (5, fn i => ref i)
val () = app (fn r => r := !r * !r) l
val () = print (Int.toString (foldl (fn (r, s) => s + !r) 0 l) ^ "\n")
(* while *)
val i = ref 0
val s = ref 0
val () = while !i < 10 do (s := !s + !i; i := !i + 1)
val () = print (Int.toString (!s) ^ "\n")
val () = while false do print "never"
val n = ref 27
val steps = ref 0
val () = while !n <> 1 do (n := (if !n mod 2 = 0 then !n div 2 else 3 * !n + 1); steps := !steps + 1)
val () = print (Int.toString (!steps) ^ "\n")
(* loops inside of loops *)
fun table n =
  let
    val i = ref 1
    val text = ref ""
  in
    while !i <= n do
      let val j = ref 1
      in
        while !j <= !i do (text := !text ^ Int.toString (!i * !j) ^ " "; j := !j + 1);
        text := !text ^ "\n";
        i := !i + 1
      end;
    !text
  end
val () = print (table 5)
(* sequences *)
val x = (print "a"; print "b"; 3)
val y = let val z = x in print "c"; print "d\n"; z + 1 end
val () = print (Int.toString y ^ "\n")
(* a linked list that is changed *)
datatype node = Nil | Node of int * node ref
fun make (i, n) = if i = n then Nil else Node (i, ref (make (i + 1, n)))
fun sum Nil = 0 | sum (Node (x, next)) = x + sum (!next)
fun drop_second (Node (_, next)) = (case !next of Node (_, after) => next := !after | Nil => ()) | drop_second Nil = ()
val l = make (0, 5)
val () = (drop_second l; print (Int.toString (sum l) ^ "\n"))
(* a cycle *)
datatype node = Node of int * node option ref
val r = ref NONE
val a = Node (1, r)
val b = Node (2, ref (SOME a))
val () = r := SOME b
fun walk (_, 0) = [] | walk (Node (x, next), n) = x :: (case !next of SOME m => walk (m, n - 1) | NONE => [])
val () = print (concat (map Int.toString (walk (a, 7))) ^ "\n")
(*> 6 | xz23.5 | 7 | 8 | 30 | 45 | 111 | 1  | 2 4  | 3 6 9  | 4 8 12 16  | 5 10 15 20 25  | abcd | 4 | 9 | 1212121 *)

(*** state 2 ***)
(* a queue of two lists in a reference *)
val q = ref ([], [])
fun push x = let val (a, b) = !q in q := (a, x :: b) end
fun pop () = case !q of ([], []) => NONE | ([], b) => (q := (rev b, []); pop ()) | (x :: a, b) => (q := (a, b); SOME x)
val () = app push [1, 2, 3]
val a = pop ()
val () = push 4
fun rest () = case pop () of NONE => "\n" | SOME x => Int.toString x ^ rest ()
val () = print (Int.toString (valOf a) ^ rest ())
(* references in a structure *)
structure Counter = struct val n = ref 0 fun next () = (n := !n + 1; !n) end
val () = print (Int.toString (Counter.next () + Counter.next ()) ^ Int.toString (!Counter.n) ^ "\n")
(* a million updates *)
val a = Array.array (1000, 0)
fun go (0, _) = () | go (n, s) = (Array.update (a, s mod 1000, Array.sub (a, s mod 1000) + 1); go (n - 1, (s * 1103515245 + 12345) mod 2147483648))
val () = go (1000000, 1)
val () = print (Int.toString (Array.foldl (op +) 0 a) ^ " " ^ Int.toString (Array.foldli (fn (i, x, h) => (h * 31 + i * x) mod 1000003) 0 a) ^ "\n")
(*> 1234 | 32 | 1000000 717081 *)
