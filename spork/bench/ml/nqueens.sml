(* Counts the ways to place n queens on an n by n board so that none attacks another. *)

val n = Options.number ("--n", 13)

(* A board is the list of the rows of its queens, the last column first. *)
fun safe (_, _, []) = true
  | safe (row : int, distance, r :: rest) =
      row <> r andalso row <> r + distance andalso row <> r - distance andalso safe (row, distance + 1, rest)

(* Like its twin in C++, it compares all pairs of queens, although only the last one is new. *)
fun peaceful [] = true
  | peaceful (r :: rest) = safe (r, 1, rest) andalso peaceful rest

(* The tuned grain: forks in the first four columns only. *)
fun count (board, column) =
  if column = n then 1
  else
    Loops.reduce (if column < 4 then 1 else n, 0, n,
                  fn row => let val next = row :: board in if peaceful next then count (next, column + 1) else 0 end,
                  op +, 0)

val answer = ref 0
val () = Bench.program
  {name = "nqueens", params = [("n", n)], passes = 1,
   reset = fn () => answer := 0,
   run = fn () => answer := count ([], 0),
   examine = fn () => (Bench.json_int (!answer), "")}
