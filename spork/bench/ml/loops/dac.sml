(* Divide and conquer down to single iterations (Spork, Figure 15). *)
structure Loops =
struct
  val name = "dac"

  fun fork (_ : int, _ : int, f, g) = ForkJoin.par (f, g)

  fun reduce (_ : int, i : int, j, f, combine, zero) =
    let
      fun part (i, j) =
        if j - i = 1 then f i
        else
          let val middle = i + (j - i) div 2
          in combine (ForkJoin.par (fn () => part (i, middle), fn () => part (middle, j))) end
    in
      if i >= j then zero else part (i, j)
    end

  fun parfor (_ : int, i : int, j, f) =
    let
      fun part (i, j) =
        if j - i = 1 then f i : unit
        else
          let val middle = i + (j - i) div 2
          in ignore (ForkJoin.par (fn () => part (i, middle), fn () => part (middle, j))) end
    in
      if i >= j then () else part (i, j)
    end
end
