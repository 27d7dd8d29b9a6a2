(* The prime numbers up to n, by a sieve in segments that fit into a cache. *)

val n = Options.number ("--n", 500000000)
val segment_words = 4096
val numbers_of_word = 128

(* Bit b of word w stands for the odd number 2·(64·w + b) + 1, but the very first bit stands for 2, because 1 is no prime. *)
fun bit b = Word.<< (0w1 : word, Word.fromInt b)

(* The odd numbers that 3, 5 and 7 do not divide: a pattern that repeats after 105 words. *)
val wheel =
  Vector.tabulate (105, fn w =>
    let
      fun from (b, bits) =
        if b = 64 then bits
        else
          let val number = 2 * (64 * w + b) + 1
          in
            from (b + 1,
                  if number mod 3 = 0 orelse number mod 5 = 0 orelse number mod 7 = 0 then bits
                  else Word.orb (bits, bit b))
          end
    in
      from (0, 0w0)
    end)

type workspace = {n : int, words : int, segments : int, sieve : word array, count : int array, primes : int array}

(* An upper bound for the number of primes up to n (Rosser and Schoenfeld 1962). *)
fun most_primes n =
  let val x = real (Int.max (n, 17))
  in trunc (1.25506 * x / Math.ln x) + 1 end

fun workspace n : workspace =
  let
    val words = n div numbers_of_word + 1
    val segments = (words + segment_words - 1) div segment_words
  in
    {n = n, words = words, segments = segments, sieve = Array.array (words, 0w0), count = Array.array (segments, 0),
     primes = Array.array (most_primes n, 0)}
  end

fun popcount (w : word) =
  let
    val a = w - Word.andb (Word.>> (w, 0w1), 0wx5555555555555555)
    val b = Word.andb (a, 0wx3333333333333333) + Word.andb (Word.>> (a, 0w2), 0wx3333333333333333)
    val c = Word.andb (b + Word.>> (b, 0w4), 0wx0f0f0f0f0f0f0f0f)
  in
    Word.toInt (Word.>> (c * 0wx0101010101010101, 0w56))
  end

(* The place of the only bit of a word: multiplied by a de Bruijn sequence, each bit gives other upper six bits. *)
val sequence : word = 0wx03f79d71b4cb0a89
fun upper_bits w = Word.toInt (Word.>> (w * sequence, 0w58))
val places =
  let
    val a = Array.array (64, 0)
    fun from b = if b = 64 then () else (Array.update (a, upper_bits (bit b), b); from (b + 1))
  in
    from 0; Array.vector a
  end
fun lowest_place w = Vector.sub (places, upper_bits (Word.andb (w, ~w)))

(* Sets the bits of the primes in the words [first, last) and clears all others. `base` has the primes from 11 to the root of the greatest
   number, and `begin` is the first of them. *)
fun sieve_segment ({sieve, ...} : workspace, first, last, base, begin, count) =
  let
    fun turn (w, spoke) =
      if w = last then ()
      else (Array.update (sieve, w, Vector.sub (wheel, spoke)); turn (w + 1, if spoke = 104 then 0 else spoke + 1))
    val () = turn (first, first mod 105)
    val () = if first = 0 then Array.update (sieve, 0, Word.orb (Array.sub (sieve, 0), 0wxf)) else ()
    val bits = (last - first) * 64
    fun cross (b, p) =
      if b >= bits then ()
      else
        let val w = first + b div 64
        in Array.update (sieve, w, Word.andb (Array.sub (sieve, w), Word.notb (bit (b mod 64)))); cross (b + p, p) end
    fun each i =
      if i = count then ()
      else
        let
          val p = Array.sub (base, begin + i)
          val square = p * p div 2 - first * 64
        in
          if square >= bits then ()
          else (cross (if square >= 0 then square else p - 1 - (~square - 1) mod p, p); each (i + 1))
        end
  in
    each 0
  end

fun forget_above ({n, words, sieve, ...} : workspace) =
  let val kept = (n mod numbers_of_word + 1) div 2
  in
    if kept < 64 then Array.update (sieve, words - 1, Word.andb (Array.sub (sieve, words - 1), bit kept - 0w1)) else ()
  end

fun count_segment ({sieve, ...} : workspace, first, last) =
  let fun from (w, sum) = if w = last then sum else from (w + 1, sum + popcount (Array.sub (sieve, w)))
  in from (first, 0) end

fun write_segment ({sieve, primes, ...} : workspace, first, last, to) =
  let
    fun word (w, to) = if w = last then () else bits (w, Array.sub (sieve, w), to)
    and bits (w, left, to) =
      if left = 0w0 then word (w + 1, to)
      else
        (Array.update (primes, to, w * numbers_of_word + 1 + 2 * lowest_place left);
         bits (w, Word.andb (left, left - 0w1), to + 1))
  in
    word (first, to)
  end

(* Finds the primes up to n, at least 2, in the workspace; returns their number. *)
fun find_primes (space as {n, words, segments, count, primes, ...} : workspace) =
  let
    val (base, base_count) =
      if n < 121 then (primes, 4)
      else
        let val root = workspace (floor (Math.sqrt (real n)))
        in (#primes root, find_primes root) end
    fun last_of s = Int.min (words, (s + 1) * segment_words)
    val () = Loops.parfor (1, 0, segments, fn s =>
      (sieve_segment (space, s * segment_words, last_of s, base, 4, base_count - 4);
       if s = segments - 1 then forget_above space else ();
       Array.update (count, s, count_segment (space, s * segment_words, last_of s))))
    val all = Blocks.sums_before count
    val () =
      Loops.parfor (1, 0, segments, fn s => write_segment (space, s * segment_words, last_of s, Array.sub (count, s)))
  in
    Array.update (primes, 0, 2); all  (* the first bit is written as 1 *)
  end

(* The number of the primes and their sum modulo 2^64, without a sieve (the method of Legendre and Meissel, in the order of Lucy): for each
   number v that is a whole quotient of n, the totals of the numbers up to v that no prime so far divides properly. *)
fun totals () =
  let
    val root = floor (Math.sqrt (real n))
    fun sum_up_to x =
      Word.fromInt (if x mod 2 = 0 then x div 2 else x) * Word.fromInt (if x mod 2 = 0 then x + 1 else (x + 1) div 2)
    fun start v = if v < 1 then (0, 0w0) else (v - 1, sum_up_to v - 0w1)
    val small = Array.tabulate (root + 1, start)
    val large = Array.tabulate (root + 1, fn i => if i = 0 then (0, 0w0) else start (n div i))
    fun cross p =
      let
        val (count_below, sum_below) = Array.sub (small, p - 1)
        fun rest ((count, sum), (count', sum')) =
          (count - (count' - count_below), sum - Word.fromInt p * (sum' - sum_below))
        fun larges i =
          if i > root orelse n div i < p * p then ()
          else
            (Array.update (large, i,
                           rest (Array.sub (large, i),
                                 if i * p <= root then Array.sub (large, i * p) else Array.sub (small, n div (i * p))));
             larges (i + 1))
        fun smalls v =
          if v < p * p then ()
          else (Array.update (small, v, rest (Array.sub (small, v), Array.sub (small, v div p))); smalls (v - 1))
      in
        larges 1; smalls root
      end
    fun from p =
      if p * p > n then ()
      else (if #1 (Array.sub (small, p)) <> #1 (Array.sub (small, p - 1)) then cross p else (); from (p + 1))
  in
    from 2; Array.sub (large, 1)
  end
val (expected_count, expected_sum) = totals ()

val space = workspace n
val answer = ref 0
fun mistake () =
  let
    val primes = #primes space
    fun increase i = i >= !answer orelse (Array.sub (primes, i - 1) < Array.sub (primes, i) andalso increase (i + 1))
    fun sum (i, s) = if i = !answer then s else sum (i + 1, s + Word.fromInt (Array.sub (primes, i)))
  in
    if !answer <> expected_count then "that is not the number of primes"
    else if not (increase 1) then "the primes do not increase"
    else if sum (0, 0w0) <> expected_sum then "that is not the sum of the primes"
    else ""
  end

val () = Bench.program
  {name = "primes", params = [("n", n)], passes = 1,
   reset = fn () => answer := 0,
   run = fn () => answer := find_primes space,
   examine = fn () => (Bench.json_int (!answer), mistake ())}
