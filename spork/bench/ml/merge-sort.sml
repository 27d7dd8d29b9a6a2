(* Sorts random 64-bit keys. *)

val n = Options.number ("--n", 4194304)
val random = Random.from 0w1
val input = Array.tabulate (n, fn _ => Random.next random)
val keys = Array.array (n, 0w0 : word)
val buffer = Array.array (n, 0w0 : word)

(* A hash of the set of keys, which does not depend on their order. *)
fun hash_of_set a = Array.foldl (fn (k, sum) => sum + Random.hash k) 0w0 a
val input_hash = hash_of_set input

val () = Bench.program
  {name = "merge-sort", params = [("n", n)], passes = 1,
   reset = fn () => Array.copy {src = input, dst = keys, di = 0},
   run = fn () => MergeSort.sort (8192, keys, 0, n, buffer),
   examine = fn () =>
     (Bench.json_word (Array.sub (keys, n div 2)),
      if not (MergeSort.is_sorted keys) then "the keys are not sorted"
      else if hash_of_set keys <> input_hash then "these are not the keys that were to be sorted"
      else "")}
