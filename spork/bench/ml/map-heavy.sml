(* A[i] = f(i), where f takes about a microsecond and touches no memory. *)

val n = Options.number ("--n", 400000)
val steps = 400
val factor : word = 0wx5851f42d4c957f2d
val a = Array.array (n, 0w0 : word)

(* A chain of steps of a multiplicative hash. *)
fun hash (0, x : word) = x
  | hash (i, x) = hash (i - 1, Word.xorb (x, Word.>> (x, 0w32)) * factor)

fun run () = Loops.parfor (16, 0, n, fn i => Array.update (a, i, hash (steps, Word.fromInt i)))

(* The y with factor·y = 1 modulo 2^64, by Newton's method: each round doubles the number of right bits, three at first. *)
fun inverse (bits, y : word) = if bits >= 64 then y else inverse (2 * bits, y * (0w2 - factor * y))
val undo = inverse (3, factor)
fun origin (0, x : word) = x
  | origin (i, x) =
      let val y = x * undo
      in origin (i - 1, Word.xorb (y, Word.>> (y, 0w32))) end
fun is_right i = i = n orelse (origin (steps, Array.sub (a, i)) = Word.fromInt i andalso is_right (i + 1))

val () = Bench.program
  {name = "map-heavy", params = [("n", n)], passes = 1,
   reset = fn () => Array.modify (fn _ => 0w0) a,
   run = run,
   examine = fn () =>
     (Bench.json_word (Array.foldl (op +) 0w0 a), if is_right 0 then "" else "an element of A is not f(i)")}
