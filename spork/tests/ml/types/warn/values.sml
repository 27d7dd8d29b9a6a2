(*** type variable of a computed value ***)
val r = ref []
(*! 1:5: warning: the type of 'r', 'a list ref, has a type variable that nothing determines, because its value is computed; give it a type *)

(*** type variable of an application ***)
fun id x = x
val f = id id
(*! 2:5: warning: the type of 'f', 'a -> 'a, has a type variable that nothing determines, because its value is computed; give it a type *)
