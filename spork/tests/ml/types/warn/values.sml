(*** type variables of computed values ***)
val r = ref []
fun id x = x
val f = id id
(*! 1:5: warning: the type of 'r', 'a list ref, has a type variable that nothing determines, because its value is computed; give it a type *)
(*! 3:5: warning: the type of 'f', 'a -> 'a, has a type variable that nothing determines, because its value is computed; give it a type *)
