(*** declarations without a right-hand side ***)
val x = val y = 1 fun f x = fun g y = 2 type t = datatype u = exception E of val z = 3
val x 3 val y := 2
(*! 1:9: error: 'val' is unexpected; expected an expression *)
(*! 1:29: error: 'fun' is unexpected; expected an expression *)
(*! 1:50: error: 'datatype' is unexpected; expected a type *)
(*! 1:63: error: 'exception' is unexpected; expected the name of a constructor *)
(*! 1:78: error: 'val' is unexpected; expected a type *)
(*! 2:9: error: 'val' is unexpected; expected '=' after the pattern of 'val' *)
(*! 2:19: error: the end of the file is unexpected; expected '=' after the pattern of 'val' *)

(*** declarations of values, functions, types and exceptions ***)
val rec x = 3 val rec f = g and h = fn x => x
fun f = 3 fun g : int = 4
fun = 3 fun (f) x = 3 fun 3 x = 4 fun A.b x = 3 fun (x, y) = 3
fun f 0 = 1 | g n = 2
fun f 0 = 1 | f a b = 2 | f = 3
fun | f x = 3
type ('a, 'a) t = int fun ('a, 'b, 'a) f x = x datatype 'a u = A val ('a, 'a) x = 3
type 'a 'b t = int type ('a 'b) u = int
type t = int * type u = -> int type v = (int, int) type w = {a = int} type x = {a : int, a : int} type y = (int type * = int
datatype t = | A datatype u = A of | B datatype = C datatype v = 3 datatype A.t = B
exception exception E = exception F of int = G
open open 3 open ++
(*! 1:13: error: the value of 'val rec' is no function; it must be 'fn … => …' *)
(*! 1:27: error: the value of 'val rec' is no function; it must be 'fn … => …' *)
(*! 2:7: error: '=' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)
(*! 2:17: error: ':' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)
(*! 3:5: error: '=' is unexpected; expected the name of a function *)
(*! 3:14: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 3:27: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 3:39: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 3:53: error: a pattern is unexpected here; expected the name of a function, or an infix operator between two patterns *)
(*! 4:15: error: this clause is of 'g', but the function is 'f'; separate functions by 'fun' or 'and' *)
(*! 4:5: note: the first clause is here *)
(*! 5:29: error: '=' is unexpected; expected a parameter; a value without parameters is declared by 'val' *)
(*! 6:5: error: '|' is unexpected; expected the name of a function *)
(*! 7:11: error: the type variable ''a' occurs twice; rename one of them *)
(*! 7:7: note: it is here first *)
(*! 7:36: error: the type variable ''a' occurs twice; rename one of them *)
(*! 7:28: note: it is here first *)
(*! 7:75: error: the type variable ''a' occurs twice; rename one of them *)
(*! 7:71: note: it is here first *)
(*! 8:9: error: ''b' is unexpected; expected the name of a type *)
(*! 8:29: error: ''b' is unexpected; expected ',' or ')' after a type variable *)
(*! 8:25: note: '(' is not closed *)
(*! 9:16: error: 'type' is unexpected; expected a type *)
(*! 9:25: error: '->' is unexpected; expected a type *)
(*! 9:52: error: 'type' is unexpected; expected the name of a type constructor after several arguments *)
(*! 9:64: error: '=' is unexpected; expected ':' after the label of a record type *)
(*! 9:90: error: the label 'a' occurs twice; rename one of them *)
(*! 9:81: note: it is here first *)
(*! 9:113: error: 'type' is unexpected; expected ',' or ')' after a type *)
(*! 9:108: note: '(' is not closed *)
(*! 9:118: error: '*' is unexpected; expected the name of a type, which '*' cannot be *)
(*! 10:14: error: '|' is unexpected; expected the name of a constructor *)
(*! 10:36: error: '|' is unexpected; expected a type *)
(*! 10:49: error: '=' is unexpected; expected the name of a type *)
(*! 10:66: error: '3' is unexpected; expected the name of a constructor *)
(*! 10:77: error: 'A.t' is unexpected; expected the name of a type *)
(*! 11:11: error: 'exception' is unexpected; expected the name of an exception *)
(*! 11:25: error: 'exception' is unexpected; expected the name of the exception to copy *)
(*! 11:44: error: '=' is unexpected; expected a declaration *)
(*! 12:6: error: 'open' is unexpected; expected the name of a structure *)
(*! 12:11: error: '3' is unexpected; expected the name of a structure *)
(*! 12:18: error: '++' is unexpected; expected the name of a structure, which has letters and digits *)

(*** precedence ***)
infix 10 a infixr ~1 b infix 0x3 c infix 3
(*! 1:7: error: the precedence '10' is no digit; give one from 0 to 9 *)
(*! 1:19: error: the precedence '~1' is no digit; give one from 0 to 9 *)
(*! 1:30: error: the precedence '0x3' is no digit; give one from 0 to 9 *)
(*! 1:43: error: the end of the file is unexpected; expected a name whose fixity is declared *)

(*** local, end, and declarations in wrong places ***)
local val x = 1 end val y = 2
val x = 1 end val y = 2 in val z = 3
val x = let structure A = struct end in 3 end
structure A = struct signature S = sig end end
eqtype t include S sharing type a = b
structure A = struct 5; val x = 1 end val y = 2
structure A = struct val x = 1
structure B = struct val y = 2 end
(*! 1:17: error: 'end' is unexpected; expected a declaration or 'in' *)
(*! 1:1: note: 'local' is not closed *)
(*! 2:11: error: 'end' is unexpected; expected a declaration *)
(*! 2:25: error: 'in' is unexpected; expected a declaration *)
(*! 3:13: error: 'structure' is unexpected among the declarations of an expression; move it to the top of the file, or into a structure *)
(*! 4:22: error: 'signature' is unexpected in a structure; move it to the top of the file *)
(*! 5:1: error: 'eqtype' is unexpected; expected a declaration, not a specification, which only a signature has *)
(*! 5:10: error: 'include' is unexpected; expected a declaration, not a specification, which only a signature has *)
(*! 5:20: error: 'sharing' is unexpected; expected a declaration, not a specification, which only a signature has *)
(*! 6:22: error: '5' is unexpected; expected a declaration; for an expression's effect write 'val _ = …' *)
(*! 8:35: error: the end of the file is unexpected; expected a declaration or 'end' *)
(*! 7:15: note: 'struct' is not closed *)

(*** structures, signatures and specifications ***)
1 + 2 val x = 3
structure = struct end structure A struct end structure B = structure C = 3 structure ++ = A structure A.B = C
signature = sig end signature S : T = sig end signature T = A.B signature U = struct end signature V = sig val x = 3 val y : int end
signature S = sig val x val y : type 'a eqtype t = int fun f x = 1 datatype t exception E = F structure A sharing A = B val ok : int 3 end val x = 1
signature S = T where t = int signature U = V where type t : int
structure A : functor = B
(*! 1:7: error: 'val' is unexpected; expected ';' after an expression at the top of a file *)
(*! 2:11: error: '=' is unexpected; expected the name of a structure *)
(*! 2:36: error: 'struct' is unexpected; expected '=', ':' or ':>' after the name of a structure *)
(*! 2:61: error: 'structure' is unexpected; expected the name of a structure *)
(*! 2:75: error: '3' is unexpected; expected the name of a structure *)
(*! 2:87: error: '++' is unexpected; expected the name of a structure, which has letters and digits *)
(*! 2:104: error: 'A.B' is unexpected; expected the name of a structure *)
(*! 3:11: error: '=' is unexpected; expected the name of a signature *)
(*! 3:33: error: ':' is unexpected; expected '=' after the name of a signature *)
(*! 3:61: error: 'A.B' is unexpected; expected a signature: a name, or 'sig … end' *)
(*! 3:79: error: 'struct' is unexpected; expected a signature: a name, or 'sig … end' *)
(*! 3:114: error: '=' is unexpected; expected ':' after the name of a value *)
(*! 4:25: error: 'val' is unexpected; expected ':' after the name of a value *)
(*! 4:33: error: 'type' is unexpected; expected a type *)
(*! 4:41: error: 'eqtype' is unexpected; expected the name of a type *)
(*! 4:50: error: '=' is unexpected; expected a specification or 'end' *)
(*! 4:56: error: 'fun' is unexpected in a signature; expected a specification: val, type, eqtype, datatype, exception, structure, include or sharing *)
(*! 4:79: error: 'exception' is unexpected; expected '=' after the name of a datatype *)
(*! 4:91: error: '=' is unexpected; expected a specification or 'end' *)
(*! 4:107: error: 'sharing' is unexpected; expected ':' after the name of a structure *)
(*! 4:134: error: '3' is unexpected; expected a specification or 'end' *)
(*! 5:23: error: 't' is unexpected; expected 'type' after 'where' or 'and' *)
(*! 5:60: error: ':' is unexpected; expected '=' after the name of the type that is refined *)
(*! 6:15: error: 'functor' is unexpected; expected a signature: a name, or 'sig … end' *)

(*** words that are no declarations ***)
then val x = 1 ) val y = 2 => val z = 3 withtype t = int
(*! 1:1: error: 'then' is unexpected; expected a declaration *)
(*! 1:16: error: ')' is unexpected; expected a declaration *)
(*! 1:28: error: '=>' is unexpected; expected a declaration *)
(*! 1:41: error: 'withtype' is unexpected; expected a declaration *)

(*** what is not supported (not Poly/ML) ***)
fun + (x, y) = x
functor F (X : sig type t end) = struct val x = 1 end structure A = F (B) structure C = F (struct val x = 1 end) val ok = 1
abstype t = A of int with val x = let val y = 1 in A y end end val y = )
(*! 1:5: error: '+' is an infix operator; write 'op +' where it stands alone *)
(*! 2:1: error: 'functor' is not supported; use functions with type variables, or a structure for each use *)
(*! 2:69: error: the functor 'F' is applied, but functors are not supported; write the structure itself *)
(*! 2:89: error: the functor 'F' is applied, but functors are not supported; write the structure itself *)
(*! 3:1: error: 'abstype' is not supported; use a structure with an opaque signature *)
(*! 3:72: error: ')' is unexpected; expected an expression *)
