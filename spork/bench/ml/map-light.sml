(* B[i] = 3·A[i] + 1 over large arrays: a loop that does nothing but move memory. *)

val n = Options.number ("--n", 40000000)
val first : word = 0wx0123456789abcdef
val step : word = 0wx9e3779b97f4a7c15
val a = Array.tabulate (n, fn i => first + Word.fromInt i * step)
val b = Array.array (n, 0w0 : word)

fun run () = Loops.parfor (4096, 0, n, fn i => Array.update (b, i, 0w3 * Array.sub (a, i) + 0w1))

(* Neighbours in A are a constant apart, so neighbours in B must be three times as far apart. *)
fun is_right (i, right) = i = n orelse (Array.sub (b, i) = right andalso is_right (i + 1, right + 0w3 * step))

val () = Bench.program
  {name = "map-light", params = [("n", n)], passes = 6,
   reset = fn () => Array.modify (fn _ => 0w0) b,
   run = run,
   examine = fn () =>
     (Bench.json_word (Array.foldl (op +) 0w0 b),
      if is_right (0, 0w3 * first + 0w1) then "" else "B is not the image of A")}
