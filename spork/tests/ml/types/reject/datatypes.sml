(*** pattern constructor of other type ***)
datatype t = A | B
fun f A = 1 | f NONE = 2
(*! 2:17: error: parameter 1 of this clause has type 'a option, but the function's other uses and clauses have t *)

(*** unbound type ***)
val a : intt = 3
(*! 1:9: error: there is no type 'intt'; did you mean 'int'? *)

(*** unbound constructor ***)
fun f (Some x) = x
(*! 1:8: error: there is no constructor 'Some'; did you mean 'SOME'? *)

(*** unbound type variable ***)
datatype t = A of 'a
(*! 1:19: error: the type variable 'a is not bound here; add it to the parameters of the type *)

(*** type arity ***)
val a : int list list = []
type t = (int, int) list
(*! 2:10: error: the type 'list' takes 1 argument, but has 2 here *)

(*** equality of functions ***)
val a = (fn x => x) = (fn x => x)
(*! 1:10: error: the left operand of '=' has type 'a -> 'b, but must have ''c; 'a -> 'b has no equality, which '=' and ''-variables need *)

(*** equality of reals ***)
val a = 1.0 = 2.0
(*! 1:9: error: the left operand of '=' has type real, but must have ''a; real has no equality, which '=' and ''-variables need *)

(*** equality of datatype with function ***)
datatype t = A of int -> int | B
val a = B = B
(*! 2:9: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)

(*** equality variable ***)
fun f (x : ''a) = x
val a = f (fn y => y)
(*! 2:12: error: the argument of 'f' has type 'a -> 'b, but it takes ''c; 'a -> 'b has no equality, which '=' and ''-variables need *)

(*** equality of plain variable ***)
fun f (x : 'a, y : 'a) = x = y
(*! 1:26: error: the left operand of '=' has type 'a, but must have ''a; 'a has no equality, which '=' and ''-variables need *)

(*** equality of abstract type ***)
structure S :> sig type t val a : t end = struct type t = int val a = 3 end
val b = S.a = S.a
(*! 2:9: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)

(*** constructor twice ***)
datatype t = A | A
(*! 1:18: error: the constructor 'A' occurs twice; rename one *)

(*** type twice ***)
datatype t = A and t = B
(*! 1:10: error: the type 't' is declared twice here; rename one *)
(*! 1:20: error: the type 't' is declared twice here; rename one *)

(*** constructor needs argument ***)
fun f SOME = 1 | f NONE = 2
(*! 1:7: error: the constructor 'SOME' takes an argument; write a pattern for it, such as _ *)

(*** constructor takes no argument ***)
fun f (NONE x) = 1
(*! 1:8: error: the constructor 'NONE' takes no argument; remove it from the pattern *)

(*** exception argument ***)
exception E of int
val a = E "x"
(*! 2:11: error: the argument of 'E' has type string, but it takes int *)

(*** exception copy of value ***)
val x = 1
exception E = x
(*! 2:15: error: 'x' is no exception, so it cannot be copied *)

(*** same name different types ***)
datatype t = A
val x = A
datatype t = A
val y = [x, A]
(*! 4:13: error: this element has type t, but the elements before have t; these are two types with the name t *)

(*** constructor rebound ***)
datatype t = true | nil
(*! 1:14: error: 'true' cannot be bound again; choose another name *)
(*! 1:21: error: 'nil' cannot be bound again; choose another name *)

(*** equality of a datatype with a function deep inside ***)
datatype t = A of int * (string * (int -> int)) list
fun same (x : t, y : t) = x = y
(*! 2:27: error: the left operand of '=' has type t, but must have ''a; t has no equality, which '=' and ''-variables need *)
