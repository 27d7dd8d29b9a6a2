(* Finds the lines of a text that contain a pattern. *)

val n = Options.number ("--n", 500000000)
val pattern = "parallelism"
val length = size pattern
val page = 32768
val most_in_page = page div (length + 1) + 1

(* Words of letters that are roughly as frequent as in English, and the pattern here and there. Returns the text, whose last line may exceed n
   bytes, and the beginnings of the lines with the pattern. *)
fun write () =
  let
    val letters = "eeeettaaooiinnsshhrrdlucmfwygpbv"
    val random = Random.from 0w1
    val text = Text.new ()
    val planted = Growing.new 0
    fun word 0 = Text.add (text, #" ")
      | word i = (Text.add (text, String.sub (letters, Random.index (random, size letters))); word (i - 1))
    fun line (begin, 0, has_it) = (Text.add (text, #"\n"); if has_it then Growing.add (planted, begin) else ())
      | line (begin, words, has_it) =
          let
            val () = word (2 + Random.index (random, 8))
            val kind = Random.index (random, 1000)
          in
            if kind < 30 then (Text.add_all (text, substring (pattern, 0, kind mod length)); Text.add (text, #" "))
            else ();
            if kind = 999 then Text.add_all (text, pattern) else ();
            line (begin, words - 1, has_it orelse kind = 999)
          end
    fun lines () =
      if Text.size text >= n then () else (line (Text.size text, Random.index (random, 20), false); lines ())
  in
    lines (); (Text.all text, Growing.all planted)
  end
val (text, planted) = write ()
val bytes = size text
val pages = (bytes + page - 1) div page

(* How far the pattern may move if its last character meets this one (Horspool 1980). *)
val shifts =
  let
    val a = Array.array (256, length)
    fun from i =
      if i = length - 1 then () else (Array.update (a, ord (String.sub (pattern, i)), length - 1 - i); from (i + 1))
  in
    from 0; Array.vector a
  end

(* The first place from `at` on at which the pattern begins, and lies before `last`; or ~1. *)
fun find (at, last) =
  if at + length > last then ~1
  else
    let
      val c = String.sub (text, at + length - 1)
      fun agrees i = i = length orelse (String.sub (text, at + i) = String.sub (pattern, i) andalso agrees (i + 1))
    in
      if agrees 0 then at else find (at + Vector.sub (shifts, ord c), last)
    end

(* The end of the line, one behind its line break; and its beginning, not before `first`. *)
fun line_end at = if String.sub (text, at) = #"\n" then at + 1 else line_end (at + 1)
fun line_begin (at, first) =
  if at = first orelse String.sub (text, at - 1) = #"\n" then at else line_begin (at - 1, first)

(* The beginning of the first line that begins at `at` or later. *)
fun line_from at = if at = 0 then 0 else if at >= bytes then bytes else line_end (at - 1)

val rooms = ForkJoin.alloc (pages * most_in_page) : int array
val found = ref (Array.fromList [] : int array)

(* Writes the lines with the pattern that begin in the page to the page's room; returns their number. *)
fun search_page k =
  let
    val room = k * most_in_page
    val last = line_from (Int.min (bytes, (k + 1) * page))
    fun from (at, count) =
      case find (at, last) of
        ~1 => count
      | hit => (Array.update (rooms, room + count, line_begin (hit, at)); from (line_end hit, count + 1))
  in
    from (line_from (k * page), 0)
  end

(* Prefix sums of the numbers give the place of each page's lines. *)
fun run () =
  let
    val before_page = Array.array (pages + 1, 0)
    val () = Loops.parfor (4, 0, pages, fn k => Array.update (before_page, k, search_page k))
    val all = Blocks.sums_before before_page
    val lines = ForkJoin.alloc all
    fun copy (from, to, last) =
      if to = last then () else (Array.update (lines, to, Array.sub (rooms, from)); copy (from + 1, to + 1, last))
  in
    Loops.parfor (4, 0, pages, fn k =>
      copy (k * most_in_page, Array.sub (before_page, k), Array.sub (before_page, k + 1)));
    found := lines
  end

fun equal (a, b) =
  let fun from i = i = Array.length a orelse (Array.sub (a, i) = (Array.sub (b, i) : int) andalso from (i + 1))
  in Array.length a = Array.length b andalso from 0 end

val () = Bench.program
  {name = "grep", params = [("n", n)], passes = 1,
   reset = fn () => found := Array.fromList [],
   run = run,
   examine = fn () =>
     (Bench.json_int (Array.length (!found)),
      if equal (!found, planted) then "" else "these are not the lines with the pattern")}
