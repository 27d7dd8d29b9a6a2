(* Parallel ML: a fork at every call. Run it by `tine ml run examples/ml/fib.sml 32`. *)

fun fib n =
  if n < 2 then n
  else
    let val (a, b) = ForkJoin.par (fn () => fib (n - 1), fn () => fib (n - 2))
    in a + b end

val n =
  case CommandLine.arguments () of
    [text] => valOf (Int.fromString text)
  | _ => 25

val () = print ("fib " ^ Int.toString n ^ " = " ^ Int.toString (fib n) ^ "\n")
