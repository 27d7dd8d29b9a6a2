(* What both bases share: the words of the command line, the end of the program, and a sequential ForkJoin. *)

structure CommandLine =
struct
  fun name () = "program"
  fun arguments () = !Host.arguments
end

structure OS =
struct
  structure Process =
  struct
    type status = int
    val success : int = 0
    val failure : int = 1
    fun exit (status : int) = (!Host.exit status; raise Fail "the program continues after its end")
  end
end

structure ForkJoin =
struct
  datatype share = ShareNone | ShareHalf | ShareAll
  fun spork (_ : share, body : unit -> 'a, _ : unit -> 'b, unpr : 'a -> 'c, _ : 'a * 'b -> 'c, _ : 'a -> 'c) = unpr (body ())
  fun par (f, g) =
    let
      val a = f ()
      val b = g ()
    in
      (a, b)
    end
  fun reduce (first : int, last, f, combine, zero) =
    let fun from (i, so_far) = if i >= last then so_far else from (i + (1 : int), combine (so_far, f i))
    in from (first, zero) end
  val reducem = reduce
  fun parfor (first : int, last, f) =
    let fun from i = if i >= last then () else (f i : unit; from (i + (1 : int)))
    in from first end
  fun alloc (n : int) : 'a array =
    if n < (0 : int) then raise Size else RunCall.unsafeCast (Host.Array.array (Host.fromLarge n, 0 : Host.Int.int))
end
