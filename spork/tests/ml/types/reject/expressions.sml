(*** operand mismatch ***)
val a = 1 + "x"
(*! 1:13: error: the right operand of '+' has type string, but must have int *)

(*** argument mismatch ***)
fun f (x : int) = x
val a = f "s"
(*! 2:11: error: the argument of 'f' has type string, but it takes int *)

(*** argument part ***)
fun f (x : int, y : string) = x
val a = f (1, 2)
(*! 2:15: error: part 2 of the argument of 'f' has type int, but it takes string; convert it with 'Int.toString' *)

(*** wrong number of parts ***)
fun f (x, y) = x + y
val a = f (1, 2, 3)
(*! 2:11: error: the argument of 'f' has type int * int * int, but it takes int * int *)

(*** too many arguments ***)
fun f x = x + 1
val a = f 1 2
(*! 2:9: error: this is no function, its type is int; is this one argument too many? *)

(*** not a function ***)
val x = 3
val y = x 4
(*! 2:9: error: 'x' is no function, its type is int; remove the argument, or write an operator between the two *)

(*** condition is not bool ***)
val a = if 1 then 2 else 3
(*! 1:12: error: the condition has type int, but must have bool *)

(*** branches differ ***)
val a = if true then 1 else "x"
(*! 1:29: error: the 'else' branch has type string, but the 'then' branch has int *)

(*** rules differ ***)
fun f x = case x of 0 => "a" | _ => 1
(*! 1:37: error: this rule's result has type int, but the context or the rules before have string; convert it with 'Int.toString' *)

(*** clauses differ ***)
fun f 0 = "a" | f n = n
(*! 1:23: error: this clause's result has type int, but the function's other uses and clauses have string; convert it with 'Int.toString' *)

(*** list elements differ ***)
val a = [1, 2, "x"]
(*! 1:16: error: this element has type string, but the elements before have int *)

(*** annotation ***)
val a = "x" : int
val b : string = 3
(*! 1:9: error: this has type string, but its annotation says int *)
(*! 2:18: error: this has type int, but its annotation says string; convert it with 'Int.toString' *)

(*** result annotation ***)
fun f x : string = x + 1
(*! 1:20: error: this has type int, but its annotation says string; convert it with 'Int.toString' *)

(*** unbound value ***)
fun length_of l = lenght l
(*! 1:19: error: there is no function 'lenght'; did you mean 'length'? *)

(*** unbound member ***)
val a = List.fodl
(*! 1:9: error: the structure 'List' has no value 'fodl'; did you mean 'foldl'? *)

(*** function twice ***)
fun f x = 1 and f y = 2
(*! 1:17: error: the variable 'f' is bound twice in one pattern or declaration; rename one *)

(*** division of ints ***)
val a = 3 / 2
(*! 1:9: error: the left operand of '/' has type int, but must have real; convert it with 'real', or write a real such as 1.0 *)

(*** div of reals ***)
val a = 3.0 div 2.0
(*! 1:9: error: the left operand of 'div' has type real, but must have int, word or Word8.word *)

(*** operator of bool ***)
val a = true < false
(*! 1:9: error: the left operand of '<' has type bool, but must have int, word, Word8.word, real, char or string *)

(*** mixed numbers ***)
val a = 1 + 2.0
(*! 1:13: error: the right operand of '+' has type real, but must have int; convert it with 'round', 'floor' or 'trunc' *)

(*** raise of string ***)
fun f () = raise "x"
(*! 1:18: error: the operand of 'raise' has type string, but must have exn *)

(*** handler result ***)
val a = 1 handle _ => "x"
(*! 1:23: error: this handler's result has type string, but the handled expression has int *)

(*** val rec needs function ***)
val rec x = 1
(*! 1:13: error: the value of 'val rec' is no function; it must be 'fn … => …' *)

(*** deref of int ***)
val a = !3
(*! 1:10: error: the argument of '!' has type int, but it takes 'a ref *)

(*** assign ***)
val r = ref 0
val () = r := "x"
(*! 2:15: error: the right operand of ':=' has type string, but must have int *)

(*** two errors ***)
val a = 1 + "x"
val b = a + 1
val c = nothing
val d = c + 1
val e = [c, "x"]
val f = not 3
(*! 1:13: error: the right operand of '+' has type string, but must have int *)
(*! 3:9: error: there is no value 'nothing' *)
(*! 6:13: error: the argument of 'not' has type int, but it takes bool *)

(*** word and int ***)
val a = 0w1 + 1
(*! 1:15: error: the right operand of '+' has type int, but must have word or Word8.word *)

(*** char and string ***)
val a = #"a" ^ "b"
(*! 1:9: error: the left operand of '^' has type char, but must have string; convert it with 'str' *)

(*** curried and tupled ***)
val a = foldl (fn x => fn y => x + y) 0 [1]
(*! 1:32: error: the left operand of '+' has type 'a * ('b -> 'c), but must have int, word, Word8.word or real *)
(*! 1:39: error: the argument of this function has type int, but it takes 'a -> int *)

(*** unit argument ***)
fun f () = 1
val a = f 3
(*! 2:11: error: the argument of 'f' has type int, but it takes unit *)

(*** while condition ***)
val () = while 1 do ()
(*! 1:16: error: the condition has type int, but must have bool *)

(*** andalso operand ***)
val a = true andalso 1
(*! 1:22: error: the right operand of 'andalso' has type int, but must have bool *)

(*** fork join argument (not Poly/ML) ***)
val (a, b) = ForkJoin.par (fn () => 1, 2)
(*! 1:40: error: part 2 of the argument of 'par' has type int, but it takes unit -> 'a *)
