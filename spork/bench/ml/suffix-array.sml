(* The suffix array of a text by prefix doubling (Manber and Myers 1993; like Larsson and Sadakane 2007, it sorts only suffixes that are not in
   order yet): sorts the suffixes by their first 4, 8, 16, ... characters. Suffixes that agree in these are a group, a range of places in the
   order. To sort a group by twice as many characters, the key of each suffix is the rank of the suffix behind those in which it agrees. *)

val n = Options.number ("--n", 1048576)

(* Words from a vocabulary, whose first words are much more frequent than its last, and repeated passages. *)
val text =
  let
    val random = Random.from 0w1
    val letters = Array.array (n, #" ")
    (* A letter behind the end of the text is dropped. *)
    fun put (i, c) = if i < n then Array.update (letters, i, c) else ()
    fun word (i, 0, _) = (put (i, #" "); i + 1)
      | word (i, count, of_word) = (put (i, chr (97 + Random.index (of_word, 26))); word (i + 1, count - 1, of_word))
    fun copy (i, _, 0) = i
      | copy (i, from, count) = (put (i, Array.sub (letters, from)); copy (i + 1, from + 1, count - 1))
    fun write i =
      if i >= n then ()
      else if i > 1000 andalso Random.index (random, 200) = 0 then
        let
          val from = Random.index (random, i - 200)
          val count = 20 + Random.index (random, 180)
        in
          write (copy (i, from, count))
        end
      else
        let
          val most = Random.below (random, 0w65536)
          val most = Random.below (random, 0w1 + most)
          val rank = Random.below (random, 0w1 + most)
          val of_word = Random.from rank
          val count = 2 + Random.index (of_word, 9)
        in
          write (word (i, count, of_word))
        end
    fun pieces i =
      if i >= n then []
      else implode (List.tabulate (Int.min (4096, n - i), fn k => Array.sub (letters, i + k))) :: pieces (i + 4096)
  in
    write 0; concat (pieces 0)
  end

(* A suffix with its sorting key: the key in the upper half of a word, the suffix's start in the lower. *)
fun keyed (key, start) = Word.orb (Word.<< (Word.fromInt key, 0w32), Word.fromInt start)
fun key_of s = Word.>> (s, 0w32)
fun start_of s = Word.toInt (Word.andb (s, 0wxffffffff))

val order = Array.array (n, 0w0 : word)
val buffer = Array.array (n, 0w0 : word)
(* For each place the end of the group that begins there, if the group has two or more suffixes and must be sorted; otherwise 0. *)
val ends = ref (Array.array (n, 0))
val new_ends = ref (Array.array (n, 0))
(* For each suffix, by its start, one more than the place where its group begins, and 0 for the empty suffix. *)
val rank = Array.array (n + 1, 0)
val answer = Array.array (n, 0)

fun sort (begin, last) = MergeSort.sort (8192, order, begin, last - begin, buffer)

fun sort_by_first_characters () =
  let
    val of_group = !ends
    fun character i = if i < n then ord (String.sub (text, i)) else 0
    fun key (i, j, k) = if j = i + 4 then k else key (i, j + 1, k * 256 + character j)
  in
    Loops.parfor (2048, 0, n, fn i =>
      (Array.update (order, i, keyed (key (i, i, 0), i)); Array.update (of_group, i, 0)));
    sort (0, n);
    Array.update (of_group, 0, n)
  end

(* If a new group begins at i, makes it. Returns 1 if the new group must be sorted, otherwise 0. *)
fun make_group (groups, begin, last, i) =
  let
    val key = key_of (Array.sub (order, i))
    fun extend j =
      if j < last andalso key_of (Array.sub (order, j)) = key then
        (Array.update (rank, start_of (Array.sub (order, j)), i + 1); extend (j + 1))
      else j
  in
    if i > begin andalso key_of (Array.sub (order, i - 1)) = key then 0
    else
      let val j = extend i
      in if j - i = 1 then 0 else (Array.update (groups, i, j); 1) end
  end

(* Splits each group into groups of suffixes that have the same key. Returns how many of the new groups must be sorted. *)
fun split_groups () =
  let
    val groups = !ends
    val into = !new_ends
  in
    Loops.reduce (2048, 0, n, fn begin =>
      case Array.sub (groups, begin) of
        0 => 0
      | last => Loops.reduce (2048, begin, last, fn i => make_group (into, begin, last, i), op +, 0), op +, 0)
  end

(* Sorts all groups, whose suffixes agree in `length` characters, by the characters that follow these. *)
fun sort_groups length =
  let
    val groups = !ends
    val into = !new_ends
    fun key i =
      let val start = start_of (Array.sub (order, i))
      in Array.update (order, i, keyed (Array.sub (rank, start + length), start)) end
  in
    Loops.parfor (2048, 0, n, fn begin =>
      let val last = Array.sub (groups, begin)
      in
        Array.update (into, begin, 0);
        if last = 0 then () else (Loops.parfor (2048, begin, last, key); sort (begin, last))
      end)
  end

fun double length =
  if split_groups () = 0 then ()
  else
    let val old = !ends
    in
      ends := !new_ends; new_ends := old; sort_groups length; double (2 * length)
    end

fun run () =
  (sort_by_first_characters ();
   Array.modify (fn _ => 0) (!new_ends);
   double 4;
   Loops.parfor (2048, 0, n, fn i => Array.update (answer, i, start_of (Array.sub (order, i)))))

val () = Bench.program
  {name = "suffix-array", params = [("n", n)], passes = 1,
   reset = fn () => Array.modify (fn _ => 0) answer,
   run = run,
   examine = fn () =>
     (Bench.json_word (Array.foldl (fn (start, sum) => Random.hash (sum + Word.fromInt start)) 0w0 answer), "")}
