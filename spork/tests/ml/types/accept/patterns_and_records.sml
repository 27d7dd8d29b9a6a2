(*** patterns and records ***)
(* records and selectors *)
val r = {name = "a", age = 3, 1 = true}
val n : string = #name r
val {age, name = m, ...} = r
fun f {x, y} = x + y : int
fun g (r : {x : int, z : string}) = #x r + size (#z r)
val h = #2 (1, "b", 3.0)
val {1 = first, 2 = second} = ("a", 2)
val unit_is_empty : {} = ()
val pair : {1 : int, 2 : string} = (1, "x")
(* open record decided by use *)
fun f r = let val a = #x r val {y : int, ...} = r in (r : {x : int, y : int}; a + y) end
val a = f {x = 1, y = 2}
(* functions and structures have names of their own *)
fun List x = x
val z = List.map (fn x => x) [1]
