(* What a program of Parallel ML needs on Poly/ML for measurements: Poly/ML's own int, of 63 bits, and a sequential ForkJoin. Only word differs
   from Poly/ML's: it has 64 bits. Programs whose numbers fit into 63 bits mean the same as over basis.sml, and are faster. *)

type int'64 = int
type word8 = Word8.word

structure Host =
struct
  structure LargeWord = LargeWord
  structure Word = Word
  val arguments : string list ref = ref []
  val output = ref (fn text => TextIO.output (TextIO.stdOut, text))
  val exit = ref (fn status => OS.Process.exit (if status = 0 then OS.Process.success else OS.Process.failure) : unit)
  structure Array = Array
  structure Int = Int
  structure List = List
  structure String = String
  structure TextIO = TextIO
  fun fromLarge i = i
end

structure Word =
struct
  open Host.LargeWord
  fun amount w = Host.Word.fromLarge w
  val fromInt = fn i => fromLargeInt (Host.Int.toLarge i)  (* its own fromInt loses the highest bit *)
  val << = fn (w, n) => << (w, amount n)
  val >> = fn (w, n) => >> (w, amount n)
  val ~>> = fn (w, n) => ~>> (w, if n > 0w63 then 0w63 else amount n)
end
type word = Word.word

fun print text = !Host.output text
