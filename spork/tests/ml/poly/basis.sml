(* The initial basis of Parallel ML over Poly/ML's own, for comparisons: int has 64 bits and raises Overflow, word has 64 bits, and ForkJoin is
   sequential. Poly/ML's int has 63 bits here, its word, too. So int is LargeInt.int, whose operators get checks, and word is LargeWord.word.
   Constants without a type are still Poly/ML's int, so poly.py writes `(5 : int'64)` for `5`.

   Nothing of this file comes from spork/ml/basis.sml: that is what it checks. *)

type int'64 = LargeInt.int

structure Host =
struct
  structure Array = Array
  structure ArraySlice = ArraySlice
  structure Char = Char
  structure Int = Int
  structure LargeInt = LargeInt
  structure LargeWord = LargeWord
  structure List = List
  structure ListPair = ListPair
  structure Math = Math
  structure Real = Real
  structure String = String
  structure Vector = Vector
  structure Word = Word
  structure Word8 = Word8
  structure TextIO = TextIO
  structure Time = Time

  val least : LargeInt.int = ~9223372036854775808
  val greatest : LargeInt.int = 9223372036854775807
  fun checked i = if LargeInt.< (i, least) orelse LargeInt.> (i, greatest) then raise Overflow else i

  val toLarge = Int.toLarge
  (* An index that does not fit is out of range anyway. *)
  val least_index = Int.toLarge (valOf Int.minInt)
  val greatest_index = Int.toLarge (valOf Int.maxInt)
  fun fromLarge i = Int.fromLarge (LargeInt.max (least_index, LargeInt.min (greatest_index, i)))

  fun two f = fn (a, b) => checked (f (a, b))
  val plus = two LargeInt.+
  val minus = two LargeInt.-
  val times = two LargeInt.*
  val divided = two LargeInt.div
  val modulo = two LargeInt.mod
  val quotient = two LargeInt.quot
  val remainder = two LargeInt.rem
  fun negated i = checked (LargeInt.~ i)
  fun absolute i = checked (LargeInt.abs i)

  (* These are replaced by the runner. *)
  val output = ref (fn text => TextIO.output (TextIO.stdOut, text))
  val exit = ref (fn status => OS.Process.exit (if LargeInt.toInt status = 0 then OS.Process.success else OS.Process.failure) : unit)
  val arguments : string list ref = ref []
end

val () = RunCall.addOverload Host.plus "+"
val () = RunCall.addOverload Host.minus "-"
val () = RunCall.addOverload Host.times "*"
val () = RunCall.addOverload Host.divided "div"
val () = RunCall.addOverload Host.modulo "mod"
val () = RunCall.addOverload Host.negated "~"
val () = RunCall.addOverload Host.absolute "abs"

type int = LargeInt.int
type word = LargeWord.word
type word8 = Word8.word

structure Option =
struct
  open Option
end

structure Char =
struct
  open Host.Char
  val ord = fn c => Host.toLarge (ord c)
  val chr = fn i => chr (Host.fromLarge i)
  val maxOrd = Host.toLarge maxOrd
end

structure List =
struct
  open Host.List
  val length = fn l => Host.toLarge (length l)
  val nth = fn (l, n) => nth (l, Host.fromLarge n)
  val take = fn (l, n) => take (l, Host.fromLarge n)
  val drop = fn (l, n) => drop (l, Host.fromLarge n)
  val tabulate = fn (n, f) => tabulate (Host.fromLarge n, fn i => f (Host.toLarge i))
end

structure String =
struct
  open Host.String
  val maxSize : int = 4611686018427387903
  val size = fn s => Host.toLarge (size s)
  val sub = fn (s, i) => sub (s, Host.fromLarge i)
  val substring = fn (s, i, n) => substring (s, Host.fromLarge i, Host.fromLarge n)
  val extract = fn (s, i, n) => extract (s, Host.fromLarge i, Option.map Host.fromLarge n)
end

structure Int =
struct
  type int = int
  val minInt : int option = SOME Host.least
  val maxInt : int option = SOME Host.greatest
  val precision : int option = SOME 64
  val op ~ = Host.negated
  val op + = Host.plus
  val op - = Host.minus
  val op * = Host.times
  val op div = Host.divided
  val op mod = Host.modulo
  val quot = Host.quotient
  val rem = Host.remainder
  val op < = LargeInt.<
  val op <= = LargeInt.<=
  val op > = LargeInt.>
  val op >= = LargeInt.>=
  val abs = Host.absolute
  val toString = LargeInt.toString
  fun toInt (i : int) = i
  fun fromInt (i : int) = i
  fun toLarge (i : int) = i
  fun fromLarge (i : int) = i
  val min = LargeInt.min
  val max = LargeInt.max
  fun sign i = Host.toLarge (LargeInt.sign i)
  val sameSign = LargeInt.sameSign
  val compare = LargeInt.compare
  fun fromString s = Option.map Host.checked (LargeInt.fromString s)
end
structure LargeInt = Int
structure Position = Int

structure Word =
struct
  open Host.LargeWord
  val wordSize : int = 64
  fun amount w = if w > 0w64 then 0w64 else Host.Word.fromLarge w
  val toIntX = toLargeIntX
  val toInt = fn w => Host.checked (toLargeInt w)
  val fromInt = fromLargeInt
  val toLargeInt = toInt
  val << = fn (w, n) => << (w, amount n)
  val >> = fn (w, n) => >> (w, amount n)
  val ~>> = fn (w, n) => ~>> (w, if n > 0w63 then 0w63 else amount n)  (* Poly/ML takes the amount modulo 64 *)
end
structure LargeWord = Word
structure Word64 = Word

structure Word8 =
struct
  open Host.Word8
  val wordSize : int = 8
  val toInt = toLargeInt
  val toIntX = toLargeIntX
  val fromInt = fromLargeInt
  val << = fn (w, n) => << (w, Word.amount n)
  val >> = fn (w, n) => >> (w, Word.amount n)
end

structure StringCvt =
struct
  open StringCvt
  datatype realfmt = SCI of int option | FIX of int option | GEN of int option | EXACT
  fun host (SCI n) = StringCvt.SCI (Option.map Host.fromLarge n)
    | host (FIX n) = StringCvt.FIX (Option.map Host.fromLarge n)
    | host (GEN n) = StringCvt.GEN (Option.map Host.fromLarge n)
    | host EXACT = StringCvt.EXACT
  val padLeft = fn c => fn n => padLeft c (Host.fromLarge n)
  val padRight = fn c => fn n => padRight c (Host.fromLarge n)
end

structure Real =
struct
  open Host.Real
  val fromInt = fromLargeInt
  val fmt = fn f => fmt (StringCvt.host f)
  val toLargeInt = fn m => fn x => Host.checked (toLargeInt m x)
  val toInt = toLargeInt
  val radix = Host.toLarge radix
  val precision = Host.toLarge precision
  val floor = fn x => Host.checked (toLargeInt IEEEReal.TO_NEGINF x)
  val ceil = fn x => Host.checked (toLargeInt IEEEReal.TO_POSINF x)
  val round = fn x => Host.checked (toLargeInt IEEEReal.TO_NEAREST x)
  val trunc = fn x => Host.checked (toLargeInt IEEEReal.TO_ZERO x)
  val sign = fn x => Host.toLarge (sign x)
end
structure LargeReal = Real

structure Array =
struct
  open Host.Array
  val maxLen : int = 4611686018427387903
  val array = fn (n, x) => array (Host.fromLarge n, x)
  val length = fn a => Host.toLarge (length a)
  val sub = fn (a, i) => sub (a, Host.fromLarge i)
  val update = fn (a, i, x) => update (a, Host.fromLarge i, x)
  val tabulate = fn (n, f) => tabulate (Host.fromLarge n, fn i => f (Host.toLarge i))
  val foldli = fn f => foldli (fn (i, x, z) => f (Host.toLarge i, x, z))
  val foldri = fn f => foldri (fn (i, x, z) => f (Host.toLarge i, x, z))
  val appi = fn f => appi (fn (i, x) => f (Host.toLarge i, x))
  val modifyi = fn f => modifyi (fn (i, x) => f (Host.toLarge i, x))
  val findi = fn f => fn a => Option.map (fn (i, x) => (Host.toLarge i, x)) (findi (fn (i, x) => f (Host.toLarge i, x)) a)
  fun toList a = foldr (op ::) [] a
  fun copy {src, dst, di} = Host.Array.copy {src = src, dst = dst, di = Host.fromLarge di}
end

structure Vector =
struct
  open Host.Vector
  val maxLen : int = 4611686018427387903
  val length = fn v => Host.toLarge (length v)
  val sub = fn (v, i) => sub (v, Host.fromLarge i)
  val tabulate = fn (n, f) => tabulate (Host.fromLarge n, fn i => f (Host.toLarge i))
  val foldli = fn f => foldli (fn (i, x, z) => f (Host.toLarge i, x, z))
  val foldri = fn f => foldri (fn (i, x, z) => f (Host.toLarge i, x, z))
  val appi = fn f => appi (fn (i, x) => f (Host.toLarge i, x))
  val mapi = fn f => mapi (fn (i, x) => f (Host.toLarge i, x))
  val update = fn (v, i, x) => update (v, Host.fromLarge i, x)
  fun toList v = foldr (op ::) [] v
end

structure ArraySlice =
struct
  open Host.ArraySlice
  fun part (a, i, n) = (a, Host.fromLarge i, Option.map Host.fromLarge n)
  val slice = fn triple => slice (part triple)
  val subslice = fn triple => subslice (part triple)
  val base = fn s => let val (a, i, n) = base s in (a, Host.toLarge i, Host.toLarge n) end
  val length = fn s => Host.toLarge (length s)
  val sub = fn (s, i) => sub (s, Host.fromLarge i)
  val update = fn (s, i, x) => update (s, Host.fromLarge i, x)
  val foldli = fn f => foldli (fn (i, x, z) => f (Host.toLarge i, x, z))
  val appi = fn f => appi (fn (i, x) => f (Host.toLarge i, x))
  fun copy {src, dst, di} = Host.ArraySlice.copy {src = src, dst = dst, di = Host.fromLarge di}
end

structure TextIO =
struct
  open Host.TextIO
  fun print text = !Host.output text
  (* All that a program writes to its standard output has one order. *)
  datatype place = Stdout | File of outstream
  type outstream = place
  val stdErr = File stdErr
  val stdOut = Stdout
  val openOut = fn name => File (openOut name)
  val closeOut = fn File f => closeOut f | Stdout => ()
  val flushOut = fn File f => flushOut f | Stdout => ()
  val output = fn (File f, text) => output (f, text) | (Stdout, text) => print text
  fun output1 (f, c) = output (f, str c)
end

structure Time =
struct
  open Host.Time
  val fmt = fn n => fmt (Host.fromLarge n)
end

val print = TextIO.print
val size = String.size
val ord = Char.ord
val chr = Char.chr
val substring = String.substring
val length = List.length
val real = Real.fromInt
val floor = Real.floor
val ceil = Real.ceil
val round = Real.round
val trunc = Real.trunc
val vector = Vector.fromList
