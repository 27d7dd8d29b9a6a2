(* Divide and conquer down to a grain that is chosen by hand (Spork, Figure 14). *)
structure Loops =
struct
  val name = "tuned"

  fun fork (size : int, grain, f, g) =
    if size > grain then ForkJoin.par (f, g)
    else
      let
        val a = f ()
        val b = g ()
      in
        (a, b)
      end

  fun reduce (grain : int, i : int, j, f, combine, zero) =
    let
      fun plain (i, j, so_far) = if i >= j then so_far else plain (i + 1, j, combine (so_far, f i))
      fun part (i, j) =
        if j - i <= grain then plain (i, j, zero)
        else
          let val middle = i + (j - i) div 2
          in combine (ForkJoin.par (fn () => part (i, middle), fn () => part (middle, j))) end
    in
      part (i, j)
    end

  fun parfor (grain : int, i : int, j, f) =
    let
      fun plain (i, j) = if i >= j then () else (f i : unit; plain (i + 1, j))
      fun part (i, j) =
        if j - i <= grain then plain (i, j)
        else
          let val middle = i + (j - i) div 2
          in ignore (ForkJoin.par (fn () => part (i, middle), fn () => part (middle, j))) end
    in
      part (i, j)
    end
end
