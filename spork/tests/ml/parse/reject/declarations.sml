(*** missing right-hand sides ***)
val x = val y = 1 fun f x = fun g y = 2 type t = datatype u = exception E of val z = 3
(*! 1:9: error: 'val' is unexpected; expected an expression *)
(*! 1:29: error: 'fun' is unexpected; expected an expression *)
(*! 1:50: error: 'datatype' is unexpected; expected a type *)
(*! 1:63: error: 'exception' is unexpected; expected the name of a constructor *)
(*! 1:78: error: 'val' is unexpected; expected a type *)

(*** val without equals ***)
val x 3 val y := 2
(*! 1:9: error: 'val' is unexpected; expected '=' after the pattern of 'val' *)
(*! 1:19: error: the end of the file is unexpected; expected '=' after the pattern of 'val' *)

(*** val rec that is no function ***)
val rec x = 3 val rec f = g and h = fn x => x
(*! 1:13: error: the value of 'val rec' is no function; it must be 'fn … => …' *)
(*! 1:27: error: the value of 'val rec' is no function; it must be 'fn … => …' *)

(*** fun without parameters ***)
fun f = 3 fun g : int = 4
(*! 1:7: error: '=' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)
(*! 1:17: error: ':' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)

(*** fun without a name ***)
fun = 3 fun (f) x = 3 fun 3 x = 4 fun A.b x = 3 fun (x, y) = 3
(*! 1:5: error: '=' is unexpected; expected the name of a function *)
(*! 1:14: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 1:27: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 1:39: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 1:53: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)

(*** fun with an infix name (not Poly/ML) ***)
fun + (x, y) = x
(*! 1:5: error: '+' is an infix operator; write 'op +' where it stands alone *)

(*** clauses of several names ***)
fun f 0 = 1 | g n = 2
(*! 1:15: error: this clause is of 'g', but the function is 'f'; separate functions by 'fun' or 'and' *)
(*! 1:5: note: the first clause is here *)

(*** clauses of several lengths ***)
fun f 0 = 1 | f a b = 2 | f = 3
(*! 1:29: error: '=' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)

(*** bar before the first clause ***)
fun | f x = 3
(*! 1:5: error: '|' is unexpected; expected the name of a function *)

(*** type variables twice ***)
type ('a, 'a) t = int fun ('a, 'b, 'a) f x = x datatype 'a u = A val ('a, 'a) x = 3
(*! 1:11: error: the type variable ''a' occurs twice; rename one of them *)
(*! 1:7: note: it is here first *)
(*! 1:36: error: the type variable ''a' occurs twice; rename one of them *)
(*! 1:28: note: it is here first *)
(*! 1:75: error: the type variable ''a' occurs twice; rename one of them *)
(*! 1:71: note: it is here first *)

(*** type variables without commas ***)
type 'a 'b t = int type ('a 'b) u = int
(*! 1:9: error: ''b' is unexpected; expected the name of a type *)
(*! 1:29: error: ''b' is unexpected; expected ',' or ')' after a type variable *)
(*! 1:25: note: '(' is not closed *)

(*** types ***)
type t = int * type u = -> int type v = (int, int) type w = {a = int} type x = {a : int, a : int} type y = (int type * = int
(*! 1:16: error: 'type' is unexpected; expected a type *)
(*! 1:25: error: '->' is unexpected; expected a type *)
(*! 1:52: error: 'type' is unexpected; expected the name of a type constructor after several arguments *)
(*! 1:64: error: '=' is unexpected; expected ':' after the label of a record type *)
(*! 1:90: error: the label 'a' occurs twice; rename one of them *)
(*! 1:81: note: it is here first *)
(*! 1:113: error: 'type' is unexpected; expected ',' or ')' after a type *)
(*! 1:108: note: '(' is not closed *)
(*! 1:118: error: '*' is unexpected; expected the name of a type, which '*' cannot be *)

(*** datatypes ***)
datatype t = | A datatype u = A of | B datatype = C datatype v = 3 datatype A.t = B
(*! 1:14: error: '|' is unexpected; expected the name of a constructor *)
(*! 1:36: error: '|' is unexpected; expected a type *)
(*! 1:49: error: '=' is unexpected; expected the name of a type *)
(*! 1:66: error: '3' is unexpected; expected the name of a constructor *)
(*! 1:77: error: 'A.t' is unexpected; expected the name of a type *)

(*** exceptions ***)
exception exception E = exception F of int = G
(*! 1:11: error: 'exception' is unexpected; expected the name of an exception *)
(*! 1:25: error: 'exception' is unexpected; expected the name of the exception to copy *)
(*! 1:44: error: '=' is unexpected; expected a declaration *)

(*** open ***)
open open 3 open ++
(*! 1:6: error: 'open' is unexpected; expected the name of a structure *)
(*! 1:11: error: '3' is unexpected; expected the name of a structure *)
(*! 1:18: error: '++' is unexpected; expected the name of a structure, which has letters and digits *)

(*** precedence ***)
infix 10 a infixr ~1 b infix 0x3 c infix 3
(*! 1:7: error: the precedence '10' is no digit; give one from 0 to 9 *)
(*! 1:19: error: the precedence '~1' is no digit; give one from 0 to 9 *)
(*! 1:30: error: the precedence '0x3' is no digit; give one from 0 to 9 *)
(*! 1:43: error: the end of the file is unexpected; expected a name whose fixity is declared *)

(*** local without in ***)
local val x = 1 end val y = 2
(*! 1:17: error: 'end' is unexpected; expected a declaration or 'in' *)
(*! 1:1: note: 'local' is not closed *)

(*** end without a begin ***)
val x = 1 end val y = 2 in val z = 3
(*! 1:11: error: 'end' is unexpected; expected a declaration *)
(*! 1:25: error: 'in' is unexpected; expected a declaration *)

(*** functors (not Poly/ML) ***)
functor F (X : sig type t end) = struct val x = 1 end structure A = F (B) structure C = F (struct val x = 1 end) val ok = 1
(*! 1:1: error: 'functor' is not supported; use functions with type variables, or a structure for each use *)
(*! 1:69: error: the functor 'F' is applied, but functors are not supported; write the structure itself *)
(*! 1:89: error: the functor 'F' is applied, but functors are not supported; write the structure itself *)

(*** abstype (not Poly/ML) ***)
abstype t = A of int with val x = let val y = 1 in A y end end val y = )
(*! 1:1: error: 'abstype' is not supported; use a structure with an opaque signature *)
(*! 1:72: error: ')' is unexpected; expected an expression *)

(*** structure in let ***)
val x = let structure A = struct end in 3 end
(*! 1:13: error: 'structure' is unexpected among the declarations of an expression; move it to the top of the file, or into a structure *)

(*** signature in a structure ***)
structure A = struct signature S = sig end end
(*! 1:22: error: 'signature' is unexpected in a structure; move it to the top of the file *)

(*** specification at the top ***)
eqtype t include S sharing type a = b
(*! 1:1: error: 'eqtype' is unexpected; expected a declaration, not a specification, which only a signature has *)
(*! 1:10: error: 'include' is unexpected; expected a declaration, not a specification, which only a signature has *)
(*! 1:20: error: 'sharing' is unexpected; expected a declaration, not a specification, which only a signature has *)

(*** expression in a structure ***)
structure A = struct 5; val x = 1 end val y = 2
(*! 1:22: error: '5' is unexpected; expected a declaration; for an expression's effect write 'val _ = …' *)

(*** expression at the top without a semicolon ***)
1 + 2 val x = 3
(*! 1:7: error: 'val' is unexpected; expected ';' after an expression at the top of a file *)

(*** structure without an end ***)
structure A = struct val x = 1
structure B = struct val y = 2 end
(*! 2:35: error: the end of the file is unexpected; expected a declaration or 'end' *)
(*! 1:15: note: 'struct' is not closed *)

(*** structures ***)
structure = struct end structure A struct end structure B = structure C = 3 structure ++ = A structure A.B = C
(*! 1:11: error: '=' is unexpected; expected the name of a structure *)
(*! 1:36: error: 'struct' is unexpected; expected '=', ':' or ':>' after the name of a structure *)
(*! 1:61: error: 'structure' is unexpected; expected the name of a structure *)
(*! 1:75: error: '3' is unexpected; expected the name of a structure *)
(*! 1:87: error: '++' is unexpected; expected the name of a structure, which has letters and digits *)
(*! 1:104: error: 'A.B' is unexpected; expected the name of a structure *)

(*** signatures ***)
signature = sig end signature S : T = sig end signature T = A.B signature U = struct end signature V = sig val x = 3 val y : int end
(*! 1:11: error: '=' is unexpected; expected the name of a signature *)
(*! 1:33: error: ':' is unexpected; expected '=' after the name of a signature *)
(*! 1:61: error: 'A.B' is unexpected; expected a signature: a name, or 'sig … end' *)
(*! 1:79: error: 'struct' is unexpected; expected a signature: a name, or 'sig … end' *)
(*! 1:114: error: '=' is unexpected; expected ':' after the name of a value *)

(*** specifications ***)
signature S = sig val x val y : type 'a eqtype t = int fun f x = 1 datatype t exception E = F structure A sharing A = B val ok : int 3 end val x = 1
(*! 1:25: error: 'val' is unexpected; expected ':' after the name of a value *)
(*! 1:33: error: 'type' is unexpected; expected a type *)
(*! 1:41: error: 'eqtype' is unexpected; expected the name of a type *)
(*! 1:50: error: '=' is unexpected; expected a specification or 'end' *)
(*! 1:56: error: 'fun' is unexpected in a signature; expected a specification: val, type, eqtype, datatype, exception, structure, include or sharing *)
(*! 1:79: error: 'exception' is unexpected; expected '=' after the name of a datatype *)
(*! 1:91: error: '=' is unexpected; expected a specification or 'end' *)
(*! 1:107: error: 'sharing' is unexpected; expected ':' after the name of a structure *)
(*! 1:134: error: '3' is unexpected; expected a specification or 'end' *)

(*** where type ***)
signature S = T where t = int signature U = V where type t : int
(*! 1:23: error: 't' is unexpected; expected 'type' after 'where' or 'and' *)
(*! 1:60: error: ':' is unexpected; expected '=' after the name of the type that is refined *)

(*** functor in a signature's place ***)
structure A : functor = B
(*! 1:15: error: 'functor' is unexpected; expected a signature: a name, or 'sig … end' *)

(*** words that are no declarations ***)
then val x = 1 ) val y = 2 => val z = 3 withtype t = int
(*! 1:1: error: 'then' is unexpected; expected a declaration *)
(*! 1:16: error: ')' is unexpected; expected a declaration *)
(*! 1:28: error: '=>' is unexpected; expected a declaration *)
(*! 1:41: error: 'withtype' is unexpected; expected a declaration *)
