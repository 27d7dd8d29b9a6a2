(*** exceptions 1 ***)
(* handlers *)
exception A
exception B of int
fun f 0 = raise A | f 1 = raise B 7 | f 2 = raise Fail "two" | f 3 = 1 div (size "") | f n = n
fun try n = f n handle A => 100 | B k => 200 + k | Fail s => 300 + size s
val () = app (fn n => print (Int.toString (try n) ^ "\n")) [0, 1, 2, 4]
val () = print ((Int.toString (try 3)) handle Div => "Div\n")
(* a handler that does not match passes the exception on *)
exception A and B and C
fun f e = ((raise e) handle A => "inner A") handle B => "outer B"
val () = print (f A ^ f B ^ (f C handle C => "outermost C") ^ "\n")
(* a handler may raise *)
exception A and B
val () = print (((raise A) handle A => raise B) handle B => "B\n")
val () = print ((((raise A) handle A => raise B) handle A => "A\n") handle B => "B after A\n")
(* a handler covers its expression only *)
exception A
fun f x = (x handle A => "handled")
val () = print (f (raise A) handle A => "outside\n")
fun g () = (fn () => raise A) handle A => (fn () => "no")
val () = print (g () () handle A => "later\n")
(* exceptions carry values of all types *)
exception T of int * string and R of {x : real, y : char} and F of int -> int and L of int list and E of exn and U of unit
fun show e =
  case e of
    T (i, s) => Int.toString i ^ s
  | R {x, y} => Real.toString x ^ str y
  | F f => Int.toString (f 5)
  | L l => Int.toString (length l)
  | E e => "E " ^ show e
  | U () => "U"
  | _ => "other"
val () = app (fn e => print ((raise e) handle x => show x ^ "\n")) [T (1, "t"), R {x = 1.5, y = #"c"}, F (fn x => x * 2), L [1, 2], E (E (T (2, "u"))), U (), Div]
(* names of exceptions *)
exception Mine and Other of int
val () = app (fn e => print (exnName e ^ "\n")) [Mine, Other 3, Bind, Match, Div, Overflow, Subscript, Size, Chr, Domain, Empty, Option, Span, Fail "x"]
val () = print (General.exnName Mine ^ "\n")
(* exceptions that are made anew by each call *)
fun make () = let exception Local of int in (fn n => Local n, fn Local n => SOME n | _ => NONE) end
val (into, from) = make ()
val (into', from') = make ()
fun show NONE = print "none\n" | show (SOME n) = print (Int.toString n ^ "\n")
val () = app show [from (into 1), from' (into 2), from (into' 3), from' (into' 4)]
(*> 100 | 207 | 303 | 4 | Div | inner Aouter Boutermost C | B | B after A | outside | later | 1t | 1.5c | 10 | 2 *)
(*> E E 2u | U | other | Mine | Other | Bind | Match | Div | Overflow | Subscript | Size | Chr | Domain | Empty *)
(*> Option | Span | Fail | Mine | 1 | none | none | 4 *)

(*** exceptions 2 ***)
(* a universal type of exceptions *)
fun 'a universal () = let exception U of 'a in (U, fn U x => SOME x | _ => NONE) end : ('a -> exn) * (exn -> 'a option)
val (wrap, unwrap) : (int -> exn) * (exn -> int option) = universal ()
val (of_string, to_string) : (string -> exn) * (exn -> string option) = universal ()
val () = print (Bool.toString (isSome (unwrap (of_string "s"))) ^ valOf (to_string (of_string "s")) ^ "\n")
val l = [wrap 1, Fail "x", wrap 2]
val () = print (Int.toString (foldl (op +) 0 (List.mapPartial unwrap l)) ^ "\n")
(* exception abbreviations *)
exception A of int
exception B = A
exception D = Div
val () = print ((raise B 3) handle A n => Int.toString n ^ "\n")
val () = print (Int.toString (1 div (size "")) handle D => "D\n")
(* exceptions of structures *)
structure S = struct exception E of string fun f s = raise E s end
structure T = struct exception E = S.E end
val () = print (S.f "x" handle T.E s => s ^ "\n")
(* the first of several exceptions counts *)
exception E of int
fun f n = raise E n
val () = print ((f 1 + f 2; "none") handle E n => Int.toString n ^ "\n")
val () = print (((f 3, f 4, f 5); "none") handle E n => Int.toString n ^ "\n")
val () = print (((print "before "; f 6; print "after "; f 7); "none") handle E n => Int.toString n ^ "\n")
val () = print (([f 8, f 9]; "none") handle E n => Int.toString n ^ "\n")
val () = print ((raise (raise E 10)) handle E n => Int.toString n ^ "\n")
(* exceptions leave effects as they are *)
val r = ref 0
fun f n = (r := !r + n; if n = 3 then raise Fail "three" else f (n + 1))
val () = f 1 handle Fail s => print (s ^ Int.toString (!r) ^ "\n")
(* exceptions out of higher-order functions *)
exception Found of int
fun find p l = (app (fn x => if p x then raise Found x else ()) l; NONE) handle Found x => SOME x
val () = print (Int.toString (valOf (find (fn x => x > 3) [1, 5, 9])) ^ Bool.toString (isSome (find (fn x => x > 10) [1])) ^ "\n")
val () = print ((map (fn 0 => raise Fail "zero" | n => n) [1, 0, 2]; "none") handle Fail s => s ^ "\n")
val () = print ((ignore (Array.tabulate (5, fn 3 => raise Fail "at 3" | n => n)); "none") handle Fail s => s ^ "\n")
val () = print ((foldl (fn (x, s) => if x = 2 then raise Fail (Int.toString s) else s + x) 0 [1, 2, 3]; "none") handle Fail s => s ^ "\n")
(* an exception from a deep recursion *)
exception Deep of int
fun f 0 = raise Deep 7 | f n = 1 + f (n - 1)
val () = print (Int.toString (f 1000000) handle Deep n => Int.toString n ^ "\n")
(*> falses | 3 | 3 | D | x | 1 | 3 | before 6 | 8 | 10 | three6 | 5false | zero | at 3 | 1 | 7 *)

(*** exceptions 3 ***)
(* a handler in a deep recursion *)
fun f 0 = 0 | f n = (1 + f (n - 1)) handle Div => 0
val () = print (Int.toString (f 100000) ^ "\n")
fun g 0 = raise Div | g n = (g (n - 1)) handle Div => if n < 5 then raise Div else n
val () = print (Int.toString (g 10) ^ "\n")
(* handlers in a loop *)
fun loop (0, s) = s | loop (n, s) = loop (n - 1, s + ((if n mod 3 = 0 then raise Fail "x" else n) handle Fail _ => 1))
val () = print (Int.toString (loop (10000, 0)) ^ "\n")
(* an exception is a value *)
val e = Fail "kept"
val l = [e, Div, e]
fun f (Fail s) = s | f _ = "other"
val () = print (concat (map f l) ^ "\n")
val r = ref e
val () = r := Div
val () = print ((raise !r) handle Div => "Div\n")
(* a raise has every type *)
fun f n = if n > 0 then n else raise Fail "not positive"
fun g n : string = case n of 0 => raise Fail "zero" | _ => "n"
val x = (fn () => raise Fail "f") : unit -> int * string
val () = print (Int.toString (f 1) ^ g 1 ^ (g 0 handle Fail s => s) ^ (#2 (x ()) handle Fail s => s) ^ "\n")
(* an exception with nested handlers in order *)
exception A of int
fun f n =
  (if n = 0 then raise A 0 else if n = 1 then raise Fail "one" else n) handle
    A 1 => 10
  | A _ => 20
  | Fail "two" => 30
  | Fail _ => 40
val () = print (concat (map (Int.toString o f) [0, 1, 2]) ^ "\n")
val () = print (Int.toString ((raise A 1) handle A 0 => 1 | A 1 => 2 | _ => 3) ^ "\n")
(* messages of exceptions *)
val () = app (fn e => print (exnMessage e ^ "\n")) [Div, Subscript, Overflow]
val () = print (Bool.toString (String.isSubstring "what" (General.exnMessage (Fail "what"))) ^ "\n")
(*> 100000 | 5 | 33340000 | keptotherkept | Div | 1nzerof | 20402 | 2 | Div | Subscript | Overflow | true *)

(*** an exception that is not handled ***)
exception Mine of int
val () = print "before\n"
val () = raise Mine 3
val () = print "never\n"
(*> before *)
(*? exception Mine *)

(*** Fail that is not handled ***)
val () = print "before\n"
val () = raise Fail "the message"
(*> before *)
(*? exception Fail *)

(*** an overflow that is not handled ***)
fun f n = f (n * 2) + 1
val () = print "doubling\n"
val _ = f 1
(*> doubling *)
(*? exception Overflow *)

(*** a binding that is not handled ***)
val () = print "binding\n"
val [x] = [1, 2]
val () = print "never\n"
(*> binding *)
(*? exception Bind *)
