(* Parallel ML: quicksort of an array. Forks sort the two sides of the pivot; a side is found by a filter, which counts in blocks, adds up the
   counts, and copies in blocks. There is no grain: an idle worker asks for half of what is left.

   Run it by `tine ml run examples/ml/quicksort.sml 1000000`. *)

(* An array whose elements are f's values, made in parallel. *)
fun tabulate (n, f) =
  let val a = ForkJoin.alloc n
  in ForkJoin.parfor (0, n, fn i => Array.update (a, i, f i)); a end

val block = 1000

(* The elements for which `keep` holds, in their order. *)
fun filter keep a =
  let
    val n = Array.length a
    val blocks = (n + block - 1) div block
    fun last_of b = Int.min (n, (b + 1) * block)

    fun count (i, last, sum) =
      if i = last then sum else count (i + 1, last, if keep (Array.sub (a, i)) then sum + 1 else sum)
    val counts = tabulate (blocks, fn b => count (b * block, last_of b, 0))

    (* Replaces each count by the sum of those before it. *)
    fun sums (b, sum) =
      if b = blocks then sum
      else
        let val next = sum + Array.sub (counts, b)
        in Array.update (counts, b, sum); sums (b + 1, next) end
    val kept = ForkJoin.alloc (sums (0, 0))

    fun copy (i, last, to) =
      if i = last then ()
      else if keep (Array.sub (a, i)) then (Array.update (kept, to, Array.sub (a, i)); copy (i + 1, last, to + 1))
      else copy (i + 1, last, to)
  in
    ForkJoin.parfor (0, blocks, fn b => copy (b * block, last_of b, Array.sub (counts, b)));
    kept
  end

(* Sorts few elements by insertion. *)
fun insertion_sort less a =
  let
    fun insert (i, x) =
      if i > 0 andalso less (x, Array.sub (a, i - 1)) then
        (Array.update (a, i, Array.sub (a, i - 1)); insert (i - 1, x))
      else Array.update (a, i, x)
  in
    Array.appi insert a; a
  end

(* Writes the sorted elements of a to `to`, from place `at` on. *)
fun sort_to (less, a, to, at) =
  let val n = Array.length a
  in
    if n <= 20 then Array.copy {src = insertion_sort less a, dst = to, di = at}
    else
      let
        val pivot = Array.sub (a, n div 2)
        val (smaller, greater) =
          ForkJoin.par (fn () => filter (fn x => less (x, pivot)) a, fn () => filter (fn x => less (pivot, x)) a)
        val equal_end = at + n - Array.length greater
        fun fill i = if i = equal_end then () else (Array.update (to, i, pivot); fill (i + 1))
      in
        fill (at + Array.length smaller);
        ignore (ForkJoin.par (fn () => sort_to (less, smaller, to, at),
                              fn () => sort_to (less, greater, to, equal_end)))
      end
  end

fun quicksort less a =
  let val to = ForkJoin.alloc (Array.length a)
  in sort_to (less, tabulate (Array.length a, fn i => Array.sub (a, i)), to, 0); to end

(* The program: sorts pseudo-random numbers, and checks their order and their sum. *)
val n =
  case CommandLine.arguments () of
    [text] => valOf (Int.fromString text)
  | _ => 10000

fun hash (i : int) = Word.toInt (Word.>> ((Word.fromInt i + 0w1) * 0wx9e3779b97f4a7c15, 0w40))
val numbers = tabulate (n, hash)
val sorted = quicksort (op < : int * int -> bool) numbers

fun sum a = ForkJoin.reduce (0, Array.length a, fn i => Array.sub (a, i), op +, 0)
val in_order =
  ForkJoin.reduce (1, n, fn i => Array.sub (sorted, i - 1) <= Array.sub (sorted, i), fn (a, b) => a andalso b, true)
val () =
  if in_order andalso sum sorted = sum numbers then print ("sorted " ^ Int.toString n ^ " numbers\n")
  else raise Fail "the numbers are not sorted"
