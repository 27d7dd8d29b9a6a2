(* Counts the words of a text. *)

val n = Options.number ("--n", 536870912)

(* Writes words of 1 to 12 letters with one or two separators behind each. *)
fun write () =
  let
    val random = Random.from 0w1
    val text = Text.new ()
    fun is_full () = Text.size text = n
    fun letters (i, r : word) =
      if i = 0 orelse is_full () then r
      else (Text.add (text, chr (97 + Word.toInt (r mod 0w16))); letters (i - 1, Word.>> (r, 0w4)))
    fun separators (i, r : word) =
      if i = 0 orelse is_full () then ()
      else (Text.add (text, if r mod 0w16 = 0w0 then #"\n" else #" "); separators (i - 1, r))
    fun word r =
      let val rest = letters (1 + Word.toInt (Word.>> (r, 0w60) mod 0w12), r)
      in separators (1 + Word.toInt (rest mod 0w8 div 0w7), rest) end
    fun words () = if is_full () then () else (word (Random.next random); words ())
  in
    Text.add (text, #" "); words (); Text.all text
  end
val text = write ()

(* 1 for a space and what breaks lines, otherwise 0. It has no branch that depends on the text. *)
fun separates i =
  let val c = Word.fromInt (ord (String.sub (text, i)))
  in if c = 0w32 orelse c - 0w9 < 0w5 then 1 else 0 end
fun starts_word i = if separates (i - 1) > separates i then 1 else 0

val answer = ref 0
val () = Bench.program
  {name = "word-count", params = [("n", n)], passes = 1,
   reset = fn () => answer := 0,
   run = fn () => answer := Loops.reduce (65536, 1, n, starts_word, op +, 0),
   examine = fn () => (Bench.json_int (!answer), "")}
