(* y = A·x for a sparse matrix A whose rows differ in length by orders of magnitude. *)

val n = Options.number ("--n", 2097152)
val random = Random.from 0w1

(* A length that is at least 2^k with probability 2^-k. *)
fun power_law () =
  let
    val bits = Word.orb (Random.next random, 0wx80000000)
    fun power (w, p) = if Word.>> (w, 0w63) = 0w1 then p else power (Word.<< (w, 0w1), 2 * p)
    val p = power (bits, 1)
  in
    Int.min (p + Random.index (random, p), n)
  end

(* The elements of row r have the numbers from starts[r] to before starts[r + 1]. *)
val starts = Array.array (n + 1, 0)
val growing_columns = Growing.new 0
val growing_values = Growing.new 0.0
fun append_row r =
  let
    val length = power_law ()
    fun element i =
      if i = length then ()
      else
        let
          val from = i * n div length
          val to = (i + 1) * n div length
        in
          Growing.add (growing_columns, from + Random.index (random, to - from));
          Growing.add (growing_values, real (Random.index (random, 17) - 8));
          element (i + 1)
        end
  in
    element 0; Array.update (starts, r + 1, Growing.size growing_columns)
  end
fun append_rows r = if r = n then () else (append_row r; append_rows (r + 1))
val () = append_rows 0
val columns = Growing.all growing_columns
val values = Growing.all growing_values
val x = Array.tabulate (n, fn _ => real (Random.index (random, 1048576)))
val y = Array.array (n, 0.5)

fun product i = Array.sub (values, i) * Array.sub (x, Array.sub (columns, i))
fun run () =
  Loops.parfor (256, 0, n, fn r =>
    Array.update (y, r, Loops.reduce (8192, Array.sub (starts, r), Array.sub (starts, r + 1), product, op +, 0.0)))

(* Freivalds' method: w·y must be (w·A)·x modulo 2^64 for a random w. *)
fun whole z = Word.fromInt (trunc z)
val expected =
  let
    val w_a = Array.array (n, 0w0 : word)
    fun row r =
      if r = n then ()
      else
        let
          val weight = Random.hash (Word.fromInt r)
          fun element i =
            if i = Array.sub (starts, r + 1) then ()
            else
              let val c = Array.sub (columns, i)
              in Array.update (w_a, c, Array.sub (w_a, c) + weight * whole (Array.sub (values, i))); element (i + 1) end
        in
          element (Array.sub (starts, r)); row (r + 1)
        end
  in
    row 0; Array.foldli (fn (c, w, sum) => sum + w * whole (Array.sub (x, c))) 0w0 w_a
  end
fun mistake () =
  let
    fun from (r, sum) =
      if r = n then if sum = expected then "" else "y is not A·x"
      else
        let val element = Array.sub (y, r)
        in
          if Real.== (element, Real.realFloor element) then
            from (r + 1, sum + Random.hash (Word.fromInt r) * whole element)
          else "an element of y is no sum of whole numbers"
        end
  in
    from (0, 0w0)
  end

val () = Bench.program
  {name = "sparse-mxv", params = [("n", n)], passes = 2,
   reset = fn () => Array.modify (fn _ => 0.5) y,
   run = run,
   examine = fn () => (Bench.json_int (trunc (Array.foldl (op +) 0.0 y)) ^ ".0", mistake ())}
