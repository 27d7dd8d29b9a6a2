(*** unbound names, arity, and types without equality ***)
datatype t = A | B
fun f A = 1 | f NONE = 2
val a : intt = 3
fun f (Some x) = x
datatype t = A of 'a
val a : int list list = []
type t = (int, int) list
val a = (fn x => x) = (fn x => x)
val a = 1.0 = 2.0
datatype t = A of int -> int | B
val a = B = B
fun f (x : 'a, y : 'a) = x = y
val c = Vector.fromList [1.0] = Vector.fromList []
(*! 2:17: error: parameter 1 of this clause has type 'a option, but the function's other uses and clauses have t *)
(*! 3:9: error: there is no type 'intt'; did you mean 'int'? *)
(*! 4:8: error: there is no constructor 'Some'; did you mean 'SOME'? *)
(*! 5:19: error: the type variable 'a is not bound here; add it to the parameters of the type *)
(*! 7:10: error: the type 'list' takes 1 argument, but has 2 here *)
(*! 8:10: error: the left operand of '=' has type 'a -> 'b, but must have ''c; 'a -> 'b has no equality, which '=' and ''-variables need *)
(*! 9:9: error: the left operand of '=' has type real, but must have ''a; real has no equality, which '=' and ''-variables need; Real.== compares reals *)
(*! 11:9: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)
(*! 12:26: error: the left operand of '=' has type 'a, but must have ''a; 'a has no equality, which '=' and ''-variables need *)
(*! 13:9: error: the left operand of '=' has type real vector, but must have ''a; real has no equality, which '=' and ''-variables need; Real.== compares reals *)

(*** equality, and constructors with and without arguments ***)
fun f (x : ''a) = x
val a = f (fn y => y)
structure S :> sig type t val a : t end = struct type t = int val a = 3 end
val b = S.a = S.a
datatype t = A | A
datatype t = A and t = B
fun f SOME = 1 | f NONE = 2
fun f (NONE x) = 1
exception E of int
val a = E "x"
val x = 1
exception E = x
(*! 2:12: error: the argument of 'f' has type 'a -> 'b, but it takes ''c; 'a -> 'b has no equality, which '=' and ''-variables need *)
(*! 4:9: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)
(*! 5:18: error: the constructor 'A' occurs twice; rename one *)
(*! 6:10: error: the type 't' is declared twice here; rename one *)
(*! 6:20: error: the type 't' is declared twice here; rename one *)
(*! 7:7: error: the constructor 'SOME' takes an argument; write a pattern for it, such as _ *)
(*! 8:8: error: the constructor 'NONE' takes no argument; remove it from the pattern *)
(*! 10:11: error: the argument of 'E' has type string, but it takes int *)
(*! 12:15: error: 'x' is no exception, so it cannot be copied *)

(*** names that are declared again, and equality deep inside ***)
datatype t = A
val x = A
datatype t = A
val y = [x, A]
datatype t = true | nil
datatype t = A of int * (string * (int -> int)) list
fun same (x : t, y : t) = x = y
(*! 4:13: error: this element has type t, but the elements before have t; these are two types with the name t *)
(*! 5:14: error: 'true' cannot be bound again; choose another name *)
(*! 5:21: error: 'nil' cannot be bound again; choose another name *)
(*! 7:27: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)
