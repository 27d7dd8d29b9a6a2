(*** records and selectors ***)
val r = {name = "a", age = 3, 1 = true}
val n : string = #name r
val {age, name = m, ...} = r
fun f {x, y} = x + y : int
fun g (r : {x : int, z : string}) = #x r + size (#z r)
val h = #2 (1, "b", 3.0)
val {1 = first, 2 = second} = ("a", 2)
val unit_is_empty : {} = ()
val pair : {1 : int, 2 : string} = (1, "x")

(*** open record decided by use ***)
fun f r = let val a = #x r val {y : int, ...} = r in (r : {x : int, y : int}; a + y) end
val a = f {x = 1, y = 2}

(*** layered and typed patterns ***)
fun f (all as (x :: _)) = (all, x : int) | f [] = ([], 0)
val (a : int, b as (c, _ : string)) = (1, (2, "x"))
fun g (x as SOME (y : int)) = (x, y) | g _ = (NONE, 0)

(*** literals in patterns ***)
fun f 0 = "zero" | f ~1 = "minus" | f _ = "other"
fun g "a" = 1 | g _ = 2
fun h #"x" = true | h _ = false
fun w 0w0 = 1 | w _ = 2
fun w8 (0w1 : Word8.word) = 1 | w8 _ = 2

(*** word literals ***)
val a = 0wxFF : Word8.word
val b = [0w1, 0w2] : word list
val c = Word.toInt 0wxFFFF
