(*** operands, arguments and conditions ***)
val a = 1 + "x"
fun f (x : int) = x
val a = f "s"
fun f (x : int, y : string) = x
val a = f (1, 2)
fun f (x, y) = x + y
val a = f (1, 2, 3)
fun f x = x + 1
val a = f 1 2
val x = 3
val y = x 4
val a = if 1 then 2 else 3
(*! 1:13: error: the right operand of '+' has type string, but must have int *)
(*! 3:11: error: the argument of 'f' has type string, but it takes int *)
(*! 5:15: error: part 2 of the argument of 'f' has type int, but it takes string; convert it with 'Int.toString' *)
(*! 7:11: error: the argument of 'f' has type int * int * int, but it takes int * int *)
(*! 9:9: error: this is no function, its type is int; is this one argument too many? *)
(*! 11:9: error: 'x' is no function, its type is int; remove the argument, or write an operator between the two *)
(*! 12:12: error: the condition has type int, but must have bool *)

(*** branches, rules, annotations and unbound names ***)
val a = if true then 1 else "x"
fun f x = case x of 0 => "a" | _ => 1
fun f 0 = "a" | f n = n
val a = [1, 2, "x"]
val a = "x" : int
val b : string = 3
fun f x : string = x + 1
fun length_of l = lenght l
val a = List.fodl
fun f x = 1 and f y = 2
val a = 3 / 2
val a = 3.0 div 2.0
(*! 1:29: error: the 'else' branch has type string, but the 'then' branch has int *)
(*! 2:37: error: this rule's result has type int, but the context or the rules before have string; convert it with 'Int.toString' *)
(*! 3:23: error: this clause's result has type int, but the function's other uses and clauses have string; convert it with 'Int.toString' *)
(*! 4:16: error: this element has type string, but the elements before have int *)
(*! 5:9: error: this has type string, but its annotation says int *)
(*! 6:18: error: this has type int, but its annotation says string; convert it with 'Int.toString' *)
(*! 7:20: error: this has type int, but its annotation says string; convert it with 'Int.toString' *)
(*! 8:19: error: there is no function 'lenght'; did you mean 'length'? *)
(*! 9:9: error: the structure 'List' has no value 'fodl'; did you mean 'foldl'? *)
(*! 10:17: error: the variable 'f' is bound twice in one pattern or declaration; rename one *)
(*! 11:9: error: the left operand of '/' has type int, but must have real; convert it with 'real', or write a real such as 1.0 *)
(*! 12:9: error: the left operand of 'div' has type real, but must have int, word or Word8.word *)

(*** operators, exceptions, references and arguments ***)
val a = true < false
val a = 1 + 2.0
fun f () = raise "x"
val a = 1 handle _ => "x"
val a = !3
val r = ref 0
val () = r := "x"
val a = 0w1 + 1
val a = #"a" ^ "b"
val a = foldl (fn x => fn y => x + y) 0 [1]
fun f () = 1
val a = f 3
fun f x = (abs x; x = x; x + 1.0)
(*! 1:9: error: the left operand of '<' has type bool, but must have int, word, Word8.word, real, char or string *)
(*! 2:13: error: the right operand of '+' has type real, but must have int; convert it with 'round', 'floor' or 'trunc' *)
(*! 3:18: error: the operand of 'raise' has type string, but must have exn *)
(*! 4:23: error: this handler's result has type string, but the handled expression has int *)
(*! 5:10: error: the argument of '!' has type int, but it takes 'a ref *)
(*! 7:15: error: the right operand of ':=' has type string, but must have int *)
(*! 8:15: error: the right operand of '+' has type int, but must have word or Word8.word *)
(*! 9:9: error: the left operand of '^' has type char, but must have string; convert it with 'str' *)
(*! 10:32: error: the left operand of '+' has type 'a * ('b -> 'c), but must have int, word, Word8.word or real *)
(*! 10:39: error: the argument of this function has type int, but it takes 'a -> int *)
(*! 12:11: error: the argument of 'f' has type int, but it takes unit *)
(*! 13:30: error: the right operand of '+' has type real, but must have int; convert it with 'round', 'floor' or 'trunc' *)

(*** val rec needs a function ***)
val rec x = 1
(*! 1:13: error: the value of 'val rec' is no function; it must be 'fn … => …' *)

(*** two errors, and conditions ***)
val a = 1 + "x"
val b = a + 1
val c = nothing
val d = c + 1
val e = [c, "x"]
val f = not 3
val () = while 1 do ()
val a = true andalso 1
(*! 1:13: error: the right operand of '+' has type string, but must have int *)
(*! 3:9: error: there is no value 'nothing' *)
(*! 6:13: error: the argument of 'not' has type int, but it takes bool *)
(*! 7:16: error: the condition has type int, but must have bool *)
(*! 8:22: error: the right operand of 'andalso' has type int, but must have bool *)

(*** fork join argument (not Poly/ML) ***)
val (a, b) = ForkJoin.par (fn () => 1, 2)
(*! 1:40: error: part 2 of the argument of 'par' has type int, but it takes unit -> 'a *)

(*** operators of other languages, and references ***)
val a = 1 == 2
val b = if a != 3 then true && false else false
val r = ref 0
val c = (r + 1, r = 5, 3 := 4, 2 - r)
val d = (1.0 = 2.0, 1.0 <> 2.0)
val e = Int.toString -1
val f = List.filter == [1]
val g = 1 === undefined + 2 ** 3
(*! 1:11: error: there is no operator '=='; write '=' *)
(*! 2:14: error: there is no operator '!='; write '<>' *)
(*! 2:29: error: there is no operator '&&'; write 'andalso' *)
(*! 4:10: error: the left operand of '+' has type int ref, but must have int, word, Word8.word or real; '!' gives what a reference contains *)
(*! 4:21: error: the right operand of '=' has type int, but must have int ref; ':=' assigns to a reference *)
(*! 4:24: error: the left operand of ':=' has type int, but must have 'a ref; only a reference can be assigned to; make one with 'ref' *)
(*! 4:36: error: the right operand of '-' has type int ref, but must have int; '!' gives what a reference contains *)
(*! 5:10: error: the left operand of '=' has type real, but must have ''a; real has no equality, which '=' and ''-variables need; Real.== compares reals *)
(*! 5:21: error: the left operand of '<>' has type real, but must have ''a; real has no equality, which '=' and ''-variables need; Real.== compares reals *)
(*! 6:9: error: the left operand of '-' has type int -> string, but must have int, word, Word8.word or real; a negative number begins with '~', as '~1' does *)
(*! 7:21: error: there is no operator '=='; write '=' *)
(*! 8:11: error: there is no operator '==='; write '=' *)
(*! 8:15: error: there is no value 'undefined' *)
(*! 8:29: error: there is no operator '**'; write 'Math.pow (x, y)' *)
