(*** circular types, rigid variables and variables that are not general ***)
fun f x = x x
fun f x = x :: x
fun f (x : 'a) : int = x
fun ('a, 'b) f (x : 'a, y : 'b) = [x, y]
fun f (x : 'a) = x + 1
val 'a r : 'a list ref = ref nil
fun f x = let fun g (y : 'a) = (x = y; y) val 'b h = fn (z : 'b) => [x, z] in h end
fun id x = x
fun test () = let val f = id id in (f 1, f "x") end
val a = (fn f => (f 1, f "x")) (fn x => x)
fun f x = (f 1; f "x"; x)
fun f r = [r, #x r]
(*! 1:13: error: the argument of 'x' has type 'a -> 'b, but it takes 'a; a type would contain itself *)
(*! 2:16: error: the right operand of '::' has type 'a, but must have 'a list; a type would contain itself *)
(*! 3:24: error: this has type 'a, but its annotation says int; the type variable 'a stands for every type *)
(*! 4:39: error: this element has type 'b, but the elements before have 'a; the type variable 'a stands for every type *)
(*! 5:18: error: the left operand of '+' has type 'a, but must have int, word, Word8.word or real *)
(*! 6:26: error: the type variable 'a cannot be generalised, because this expression is not a value (a constant, a function, or built of values); make it a function, or give it a type without variables *)
(*! 7:37: error: the right operand of '=' has type 'a, but must have ''a; the type variable 'a is bound at an inner declaration and cannot occur outside of it *)
(*! 7:73: error: this element has type 'b, but the elements before have ''a; the type variable 'b is bound at an inner declaration and cannot occur outside of it *)
(*! 9:44: error: the argument of 'f' has type string, but it takes int *)
(*! 10:26: error: the argument of 'f' has type string, but it takes int *)
(*! 11:19: error: the argument of 'f' has type string, but it takes int *)
(*! 12:15: error: this element has type 'a, but the elements before have {x: 'a, ...}; a type would contain itself *)

(*** value restriction ***)
fun test () =
  let
    val r = ref []
    val _ = r := [1]
    val _ = r := ["x"]
  in
    ()
  end
(*! 5:19: error: this element has type string, but the elements before have int *)

(*** exponential type (not Poly/ML) ***)
fun pair x = (x, x)
val a = pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair o pair
val b = let fun p x = pair (pair (pair (pair (pair (pair x))))) fun q x = p (p (p (p (p x)))) in q 1 end
(*! 2:9: error: the left operand of 'o' has type 'a -> (((((((((((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))) * ((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a)))) * (((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))) * ((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))))) * ((((('a * 'a) * ...) * ...) * ...) * ...)) * ...) * ...) * ...) * ...) * ...) * ...) * ..., but must have 'a -> 'b; the type has more than 10000 parts or is deeper than 1000 *)
(*! 3:81: error: the argument of 'p' has type ((((((((((((((((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))) * ((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a)))) * (((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))) * ((('a * 'a) * ('a * 'a)) * (('a * 'a) * ('a * 'a))))) * ((((('a * 'a) * (...)) * ...) * ...) * ...)) * ...) * ...) * ...) * ...) * ...) * ...) * ...) * ...) * ...) * ...) * ...) * ..., but it takes 'b; the type has more than 10000 parts or is deeper than 1000 *)
