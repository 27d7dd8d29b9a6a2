(* Counts for each point of a square of the plane how many steps its orbit stays near 0. *)

val n = Options.number ("--n", 500)
val most_steps = 1000
val left = ~2.0
val side = 2.5
val image = Array.array (n * n, 0)

(* The number of steps z -> z² + c, starting at 0, until |z| exceeds 2. *)
fun steps_of (re, im) =
  let
    fun from (steps, x : real, y : real) =
      if steps = most_steps orelse x * x + y * y > 4.0 then steps
      else from (steps + 1, x * x + (re - y * y), (x + x) * y + im)
  in
    from (0, 0.0, 0.0)
  end

fun real_of column = left + (real column + 0.5) * side / real n
fun imaginary_of row = (real row + 0.5 - 0.5 * real n) * side / real n
fun paint (i, j) = Array.update (image, i * n + j, steps_of (real_of j, imaginary_of i))

(* The tuned grains: a row is the smallest part. *)
fun run () = Loops.parfor (1, 0, n, fn i => Loops.parfor (n, 0, n, fn j => paint (i, j)))

fun at (i, j) = Array.sub (image, i * n + j)
fun every_pixel p =
  let fun from k = k = n * n orelse (p (k div n, k mod n) andalso from (k + 1))
  in from 0 end

(* No orbit leaves the cardioid and the largest disc; points outside of the circle of radius 2 leave at once. *)
fun is_deep_inside (re, im) =
  let
    val x = re - 0.25
    val yy = im * im
    val q = x * x + yy
  in
    q * (q + x) < 0.249 * yy orelse (re + 1.0) * (re + 1.0) + yy < 0.0624
  end
fun fits (i, j) =
  let
    val re = real_of j
    val im = imaginary_of i
    val steps = at (i, j)
  in
    (not (is_deep_inside (re, im)) orelse steps = most_steps) andalso (re * re + im * im <= 4.0001 orelse steps = 1)
  end

fun mistake () =
  if not (every_pixel (fn (i, j) => at (i, j) = at (n - 1 - i, j))) then "the image is not symmetric"
  else if not (every_pixel fits) then "a point is on the wrong side of the set"
  else
    let
      val inside = Array.foldl (fn (s, k) => if s = most_steps then k + 1 else k) 0 image
      val area = real inside * side * side / (real n * real n)
    in
      if n >= 200 andalso Real.abs (area - 1.5066) > 0.05 then "the area of what stays is not the set's" else ""
    end

val () = Bench.program
  {name = "mandelbrot", params = [("n", n)], passes = 1,
   reset = fn () => Array.modify (fn _ => 0) image,
   run = run,
   examine = fn () => (Bench.json_int (Array.foldl (op +) 0 image), mistake ())}
