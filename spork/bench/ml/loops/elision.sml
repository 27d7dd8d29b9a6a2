(* The sequential elision: what `managed` is if nothing forks. *)
structure Loops =
struct
  val name = "elision"

  fun fork (_ : int, _ : int, f, g) =
    let
      val a = f ()
      val b = g ()
    in
      (a, b)
    end

  fun reduce (_ : int, i : int, j, f, combine, zero) =
    let fun from (i, so_far) = if i >= j then so_far else from (i + 1, combine (so_far, f i))
    in from (i, zero) end

  fun parfor (_ : int, i : int, j, f) =
    let fun from i = if i >= j then () else (f i : unit; from (i + 1))
    in from i end
end
