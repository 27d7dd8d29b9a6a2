(* Loops and forks on ForkJoin, without a grain. Every file of this folder has a structure `Loops` with the same names and types; the first
   argument of a loop, and the second of `fork`, is the grain that only `tuned` looks at. *)
structure Loops =
struct
  val name = "managed"

  (* fork (size, grain, f, g) evaluates f () and g (), whose work is about `size`. *)
  fun fork (_ : int, _ : int, f, g) = ForkJoin.par (f, g)

  (* parfor (grain, i, j, f) calls f for all numbers from i to before j. *)
  fun parfor (_ : int, i, j, f) = ForkJoin.parfor (i, j, f)

  (* reduce (grain, i, j, f, combine, zero) combines f's values in order. *)
  fun reduce (_ : int, i, j, f, combine, zero) = ForkJoin.reduce (i, j, f, combine, zero)
end
