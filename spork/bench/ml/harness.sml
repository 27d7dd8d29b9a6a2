(* What all programs share: options, measured runs, random numbers, arrays and texts. *)

structure Options =
struct
  val given = CommandLine.arguments ()

  fun has name = List.exists (fn a => a = name) given

  (* The number behind the option, or the default. *)
  fun number (name, default : int) =
    let
      fun find (a :: value :: rest) =
            if a <> name then find (value :: rest)
            else
              (case Int.fromString value of
                 SOME n => n
               | NONE => raise Fail ("'" ^ name ^ "' needs a number, not '" ^ value ^ "'"))
        | find _ = default
    in
      find given
    end
end

(* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), as bench/harness/splitmix.hpp has it. *)
structure Random =
struct
  type generator = word ref

  fun from (seed : word) : generator = ref seed

  fun next (g : generator) : word =
    let
      val z = !g + 0wx9e3779b97f4a7c15
      val () = g := z
      val a = Word.xorb (z, Word.>> (z, 0w30)) * 0wxbf58476d1ce4e5b9
      val b = Word.xorb (a, Word.>> (a, 0w27)) * 0wx94d049bb133111eb
    in
      Word.xorb (b, Word.>> (b, 0w31))
    end

  (* A number below the bound, which is at most 2^32: the upper half of the product of 128 bits. *)
  fun below (g, bound : word) : word =
    let val x = next g
    in Word.>> (Word.>> (x, 0w32) * bound + Word.>> (Word.andb (x, 0wxffffffff) * bound, 0w32), 0w32) end

  fun index (g, bound : int) : int = Word.toInt (below (g, Word.fromInt bound))

  (* A number in [0, 1), a multiple of 2^-53. *)
  fun unit g = real (Word.toInt (Word.>> (next g, 0w11))) / 9007199254740992.0

  fun hash (x : word) : word = next (from x)
end

structure Edges =
struct
  (* A random edge between two of 2^scale vertices, as bench/harness/splitmix.hpp has it. *)
  fun recursive_matrix (random, scale : int) =
    let
      fun from (level : int, bits : word, a : int, b : int) =
        if level = scale then (a, b)
        else
          let
            val bits = if level mod 4 = 0 then Random.next random else bits
            val choice = Word.toInt (Word.andb (bits, 0wxffff))
            val down = if choice >= 49807 then 1 else 0
            val right = if (choice >= 37355 andalso choice < 49807) orelse choice >= 62259 then 1 else 0
          in
            from (level + 1, Word.>> (bits, 0w16), 2 * a + down, 2 * b + right)
          end
    in
      from (0, 0w0, 0, 0)
    end
end

(* A text that grows at its end. *)
structure Text =
struct
  type text = {letters : char list ref, count : int ref, pieces : string list ref, size : int ref}

  fun new () : text = {letters = ref [], count = ref 0, pieces = ref [], size = ref 0}

  fun flush ({letters, count, pieces, ...} : text) =
    if !count = 0 then ()
    else (pieces := implode (rev (!letters)) :: !pieces; letters := []; count := 0)

  fun add (t as {letters, count, size, ...} : text, c) =
    (letters := c :: !letters; count := !count + 1; size := !size + 1; if !count = 4096 then flush t else ())

  fun add_all (t, s) = List.app (fn c => add (t, c)) (explode s)

  fun size ({size, ...} : text) = !size

  fun all (t as {pieces, ...} : text) = (flush t; concat (rev (!pieces)))
end

(* An array that grows at its end. *)
structure Growing =
struct
  type 'a growing = 'a array ref * int ref

  (* `filler` is an element for places that are not in use. *)
  fun new (filler : 'a) : 'a growing = (ref (Array.array (16, filler)), ref 0)

  fun size ((_, n) : 'a growing) = !n

  fun add ((a, n) : 'a growing, x) =
    let
      val () =
        if !n < Array.length (!a) then ()
        else
          let val larger = Array.array (2 * !n, x)
          in Array.copy {src = !a, dst = larger, di = 0}; a := larger end
    in
      Array.update (!a, !n, x); n := !n + 1
    end

  (* All elements, in an array of their number. *)
  fun all ((a, n) : 'a growing) = Array.tabulate (!n, fn i => Array.sub (!a, i))
end

(* Prefix sums over what blocks have counted. *)
structure Blocks =
struct
  (* Replaces each element by the sum of the elements before it; returns the sum of all. Not parallel: an array has an element a block. *)
  fun sums_before (a : int array) =
    let
      val n = Array.length a
      fun from (i, sum) =
        if i = n then sum
        else
          let val x = Array.sub (a, i)
          in Array.update (a, i, sum); from (i + 1, sum + x) end
    in
      from (0, 0)
    end
end

(* Merge sort of words: sorts halves in parallel, and merges both halves of the output in parallel. *)
structure MergeSort =
struct
  type keys = word array

  val sort_leaf = 16    (* so few keys are sorted by counting *)
  val merge_leaf = 2048 (* so few keys are merged without a cut *)

  (* Sorts n keys from place i on: counts for each key how many come before it, because no branch predictor knows random keys. *)
  fun sort_few (keys : keys, i, n, buffer : keys, to_buffer) =
    let
      val last = i + n
      fun not_after (j, k, x, sum) =
        if j = k then sum else not_after (j + 1, k, x, sum + (if Array.sub (keys, j) <= x then 1 else 0))
      fun before_it (j, x, sum) =
        if j = last then sum else before_it (j + 1, x, sum + (if Array.sub (keys, j) < x then 1 else 0))
      fun place k =
        if k = last then ()
        else
          let val x = Array.sub (keys, k)
          in Array.update (buffer, before_it (k + 1, x, not_after (i, k, x, i)), x); place (k + 1) end
      fun back k = if k = last then () else (Array.update (keys, k, Array.sub (buffer, k)); back (k + 1))
    in
      place i; if to_buffer then () else back i
    end

  fun copy (from : keys, i, last, to : keys, j) =
    if i = last then () else (Array.update (to, j, Array.sub (from, i)); copy (from, i + 1, last, to, j + 1))

  (* Merges from[a, a_last) and from[b, b_last) to `to` from place j on; equal keys come from the first run first. *)
  fun merge_runs (from : keys, a, a_last, b, b_last, to : keys, j) =
    if a = a_last then copy (from, b, b_last, to, j)
    else if b = b_last then copy (from, a, a_last, to, j)
    else
      merge_ends (from, a, a_last, b, b_last, to, j, j + (a_last - a) + (b_last - b), Int.min (a_last - a, b_last - b))

  (* Merges as many keys as the shorter run has from both ends at once: the processor overlaps the two chains, and no test is needed whether a
     run has ended. *)
  and merge_ends (from : keys, a, a_last, b, b_last, to : keys, j, j_last, count) =
    if count = 0 then merge_runs (from, a, a_last, b, b_last, to, j)
    else
      let
        val x = Array.sub (from, a)
        val y = Array.sub (from, b)
        val from_b = if y < x then 1 else 0
        val () = Array.update (to, j, if y < x then y else x)
        val x' = Array.sub (from, a_last - 1)
        val y' = Array.sub (from, b_last - 1)
        val from_a' = if y' < x' then 1 else 0
        val () = Array.update (to, j_last - 1, if y' < x' then x' else y')
      in
        merge_ends (from, a + (1 - from_b), a_last - from_a', b + from_b, b_last - (1 - from_a'), to, j + 1, j_last - 1,
                    count - 1)
      end

  (* How many of the least `count` keys of both runs are in the first one. *)
  fun share_of (from : keys, a, a_last, b, b_last, count) =
    let
      fun search (least, most) =
        if least >= most then least
        else
          let val share = (least + most) div 2
          in
            if Array.sub (from, b + count - share - 1) < Array.sub (from, a + share) then search (least, share)
            else search (share + 1, most)
          end
    in
      search (Int.max (0, count - (b_last - b)), Int.min (count, a_last - a))
    end

  fun merge (grain, from, a, a_last, b, b_last, to, j) =
    let val size = a_last - a + (b_last - b)
    in
      if size <= merge_leaf then merge_runs (from, a, a_last, b, b_last, to, j)
      else
        let
          val half = size div 2
          val of_a = share_of (from, a, a_last, b, b_last, half)
          val of_b = half - of_a
        in
          ignore (Loops.fork (size, grain, fn () => merge (grain, from, a, a + of_a, b, b + of_b, to, j),
                              fn () => merge (grain, from, a + of_a, a_last, b + of_b, b_last, to, j + half)))
        end
    end

  (* Sorts n keys from place i on, to `buffer` if `to_buffer` is true, otherwise in `keys`; overwrites the same places of the other array. *)
  fun sort_to (grain, keys, i, n, buffer, to_buffer) =
    if n <= sort_leaf then sort_few (keys, i, n, buffer, to_buffer)
    else
      let
        val half = n div 2
        val _ = Loops.fork (n, grain, fn () => sort_to (grain, keys, i, half, buffer, not to_buffer),
                            fn () => sort_to (grain, keys, i + half, n - half, buffer, not to_buffer))
        val (from, to) = if to_buffer then (keys, buffer) else (buffer, keys)
      in
        merge (grain, from, i, i + half, i + half, i + n, to, i)
      end

  (* Sorts n keys from place i on; overwrites these places of the buffer. *)
  fun sort (grain, keys, i, n, buffer) = sort_to (grain, keys, i, n, buffer, false)

  fun is_sorted (keys : keys) =
    let
      val n = Array.length keys
      fun from i = i >= n orelse (Array.sub (keys, i - 1) <= Array.sub (keys, i) andalso from (i + 1))
    in
      from 1
    end
end

structure Bench =
struct
  fun median l =
    let
      fun insert (x : real, []) = [x] | insert (x, y :: rest) = if x <= y then x :: y :: rest else y :: insert (x, rest)
      val sorted = foldr insert [] l
      val n = length sorted
    in
      if n = 0 then 0.0 else (List.nth (sorted, (n - 1) div 2) + List.nth (sorted, n div 2)) / 2.0
    end

  (* A real as JSON has it. *)
  fun json x = String.translate (fn #"~" => "-" | c => str c) (Real.toString x)
  fun json_int i = String.translate (fn #"~" => "-" | c => str c) (Int.toString i)

  (* A word in decimal. *)
  fun json_word (w : word) = (if w < 0w10 then "" else json_word (w div 0w10)) ^ Int.toString (Word.toInt (w mod 0w10))

  (* Measures a program.

     `reset` puts the problem into its first state, which is not measured; `run` solves it; `examine` returns the answer as JSON, and what is
     wrong with it, or "". Options: --repeat N measured runs; --serve for the driver bench.py, which asks for each run by a line. Each run has
     `--passes` passes, whose times are added. The exit code is 1 if an answer is wrong. *)
  fun program {name, params, passes, reset, run, examine} =
    let
      val passes = Options.number ("--passes", passes)
      val wrong = ref ""
      val answer = ref "null"
      fun pass () =
        let
          val () = reset ()
          val begin = Time.now ()
          val () = run ()
          val time = Time.toReal (Time.- (Time.now (), begin))
          val (found, mistake) = examine ()
        in
          answer := found;
          if mistake <> "" then wrong := mistake else ();
          time
        end
      fun measure () =
        let fun from (0, sum) = sum | from (n, sum) = from (n - 1, sum + pass ())
        in from (passes, 0.0) end
      val serves = Options.has "--serve"
      val _ = measure ()
      fun repeat (0, times) = rev times
        | repeat (n, times) =
            let val t = measure ()
            in repeat (n - 1, t :: times) end
      fun serve times =
        case TextIO.inputLine TextIO.stdIn of
          NONE => rev times
        | SOME _ =>
            let val t = measure ()
            in print (json t ^ "\n"); TextIO.flushOut TextIO.stdOut; serve (t :: times) end
      val times =
        if serves then (print "ready\n"; TextIO.flushOut TextIO.stdOut; serve [])
        else repeat (Options.number ("--repeat", 1), [])
      fun pair (key, value) = concat ["\"", key, "\":", value]
      fun object l = concat ["{", String.concatWith "," (map pair l), "}"]
      fun text s = concat ["\"", s, "\""]
    in
      print (object
               [("program", text name), ("params", object (map (fn (k, v) => (k, json_int v)) params)),
                ("variant", text Loops.name),
                ("seconds", concat ["[", String.concatWith "," (map json times), "]"]),
                ("median_s", json (median times)), ("answer", !answer),
                ("verified", if !wrong = "" then "true" else "false"), ("mistake", text (!wrong))] ^ "\n");
      if !wrong = "" then () else OS.Process.exit 1
    end
end
