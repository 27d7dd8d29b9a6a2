(* The straight line with the least squared distances from many points. *)

val n = Options.number ("--n", 10000000)  (* fours of points *)
val count = 4 * n
val xs = Array.array (count, 0.0)
val ys = Array.array (count, 0.0)
val random = Random.from 0w1
fun make i =
  if i = count then ()
  else
    let
      val x = 10.0 * Random.unit random
      val y = 3.0 * x + 7.0 + Random.unit random - 0.5
    in
      Array.update (xs, i, x); Array.update (ys, i, y); make (i + 1)
    end
val () = make 0

(* Two sums, each in four parts, because the compiler may not reorder additions of reals. *)
type sums = real * real * real * real * real * real * real * real
val zero : sums = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
fun add ((a, b, c, d, e, f, g, h) : sums, (a', b', c', d', e', f', g', h') : sums) : sums =
  (a + a', b + b', c + c', d + d', e + e', f + f', g + g', h + h')
fun totals ((a, b, c, d, e, f, g, h) : sums) = (a + b + c + d, e + f + g + h)
fun fours (f : real * real -> real * real) i : sums =
  let
    fun at k = f (Array.sub (xs, 4 * i + k), Array.sub (ys, 4 * i + k))
    val (a, e) = at 0
    val (b, f) = at 1
    val (c, g) = at 2
    val (d, h) = at 3
  in
    (a, b, c, d, e, f, g, h)
  end

val best = ref (0.0, 0.0)
fun run () =
  let
    val (x, y) = totals (Loops.reduce (4096, 0, n, fours (fn p => p), add, zero))
    val mean_x = x / real count
    val mean_y = y / real count
    fun deviation (x, y) = let val d = x - mean_x in (d * d, d * y) end
    val (square, product) = totals (Loops.reduce (4096, 0, n, fours deviation, add, zero))
    val slope = product / square
  in
    best := (slope, mean_y - slope * mean_x)
  end

val () = Bench.program
  {name = "line-fit", params = [("n", n)], passes = 4,
   reset = fn () => best := (0.0, 0.0),
   run = run,
   examine = fn () => (concat ["[", Bench.json (#1 (!best)), ",", Bench.json (#2 (!best)), "]"], "")}
