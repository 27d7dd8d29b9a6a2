(* The initial basis. `prim "name" : type` is an operation of the compiler. A type variable 'num, 'numtxt, 'wordint or 'realint makes it
   overloaded: among all numbers; numbers, characters and strings; integers and words; int and real. *)

exception Bind
exception Match
exception Div
exception Overflow
exception Subscript
exception Size
exception Chr
exception Domain
exception Empty
exception Option
exception Span
exception Fail of string

datatype 'a option = NONE | SOME of 'a
datatype order = LESS | EQUAL | GREATER
type substring = string * int * int

val op + = prim "+" : 'num * 'num -> 'num
val op - = prim "-" : 'num * 'num -> 'num
val op * = prim "*" : 'num * 'num -> 'num
val op div = prim "div" : 'wordint * 'wordint -> 'wordint
val op mod = prim "mod" : 'wordint * 'wordint -> 'wordint
val op / = prim "/" : real * real -> real
val ~ = prim "~" : 'num -> 'num
val abs = prim "abs" : 'realint -> 'realint
val op < = prim "<" : 'numtxt * 'numtxt -> bool
val op <= = prim "<=" : 'numtxt * 'numtxt -> bool
val op > = prim ">" : 'numtxt * 'numtxt -> bool
val op >= = prim ">=" : 'numtxt * 'numtxt -> bool
val op <> = prim "<>" : ''a * ''a -> bool
val op := = prim ":=" : 'a ref * 'a -> unit
val ! = prim "!" : 'a ref -> 'a
val print = prim "print" : string -> unit
val size = prim "String.size" : string -> int
val ord = prim "Char.ord" : char -> int
val chr = prim "Char.chr" : int -> char
val real = prim "Real.fromInt" : int -> real
val floor = prim "Real.floor" : real -> int
val ceil = prim "Real.ceil" : real -> int
val round = prim "Real.round" : real -> int
val trunc = prim "Real.trunc" : real -> int
val exnName = prim "exnName" : exn -> string

local
  (* A string of zeros; its bytes are set before anything else sees it. These operations check nothing. *)
  val alloc = prim "String.alloc" : int -> string
  val get = prim "String.get" : string * int -> char
  val set = prim "String.set" : string * int * char -> unit
  val copy = prim "String.copy" : string * int * string * int * int -> unit
in
  fun op ^ (a, b) =
    let val s = alloc (size a + size b)
    in copy (s, 0, a, 0, size a); copy (s, size a, b, 0, size b); s end
  fun str c = let val s = alloc 1 in set (s, 0, c); s end
  fun concat l =
    let
      fun total ([], n) = n | total (s :: rest, n) = total (rest, n + size s)
      val whole = alloc (total (l, 0))
      fun from ([], _) = whole
        | from (s :: rest, i) = (copy (whole, i, s, 0, size s); from (rest, i + size s))
    in
      from (l, 0)
    end
  fun implode l =
    let
      fun count ([], n) = n | count (_ :: rest, n) = count (rest, n + 1)
      val s = alloc (count (l, 0))
      fun from ([], _) = s | from (c :: rest, i) = (set (s, i, c); from (rest, i + 1))
    in
      from (l, 0)
    end
  fun explode s =
    let fun from (i, rest) = if i < 0 then rest else from (i - 1, get (s, i) :: rest)
    in from (size s - 1, []) end
  fun substring (s, i, n) =
    if i < 0 orelse n < 0 orelse i > size s - n then raise Subscript
    else let val part = alloc n in copy (part, 0, s, i, n); part end
end
fun exnMessage (Fail s) = "Fail: " ^ s | exnMessage e = exnName e

fun ignore _ = ()
fun not true = false | not false = true
fun (f o g) x = f (g x)
fun (a before ()) = a
fun valOf (SOME x) = x | valOf NONE = raise Option
fun isSome (SOME _) = true | isSome NONE = false
fun getOpt (SOME x, _) = x | getOpt (NONE, x) = x

structure General =
struct
  type unit = unit
  type exn = exn
  datatype order = datatype order
  val ! = !
  val op := = op :=
  val op o = op o
  val op before = op before
  val ignore = ignore
  val exnName = exnName
  val exnMessage = exnMessage
end

structure Bool =
struct
  type bool = bool
  val not = not
  fun toString true = "true" | toString false = "false"
  fun fromString "true" = SOME true | fromString "false" = SOME false | fromString _ = NONE
end

structure Option =
struct
  datatype option = datatype option
  exception Option = Option
  val valOf = valOf
  val isSome = isSome
  val getOpt = getOpt
  fun map f (SOME x) = SOME (f x) | map _ NONE = NONE
  fun mapPartial f (SOME x) = f x | mapPartial _ NONE = NONE
  fun app f (SOME x) = f x | app _ NONE = ()
  fun filter f x = if f x then SOME x else NONE
  fun join (SOME x) = x | join NONE = NONE
  fun compose (f, g) x = map f (g x)
  fun composePartial (f, g) x = mapPartial f (g x)
end

structure List =
struct
  datatype list = datatype list
  exception Empty = Empty
  fun null [] = true | null _ = false
  fun length l =
    let fun count ([], n) = n | count (_ :: rest, n) = count (rest, n + 1)
    in count (l, 0) end
  fun revAppend ([], done) = done | revAppend (x :: rest, done) = revAppend (rest, x :: done)
  fun rev l = revAppend (l, [])
  fun op @ ([], b) = b | op @ (a, []) = a | op @ (a, b) = revAppend (rev a, b)
  fun hd (x :: _) = x | hd [] = raise Empty
  fun tl (_ :: rest) = rest | tl [] = raise Empty
  fun last [x] = x | last (_ :: rest) = last rest | last [] = raise Empty
  fun getItem [] = NONE | getItem (x :: rest) = SOME (x, rest)
  fun nth (l, n) =
    let fun at ([], _) = raise Subscript | at (x :: rest, i) = if i = 0 then x else at (rest, i - 1)
    in if n < 0 then raise Subscript else at (l, n) end
  fun take (l, n) =
    let
      fun from (_, 0, done) = rev done
        | from ([], _, _) = raise Subscript
        | from (x :: rest, i, done) = from (rest, i - 1, x :: done)
    in
      if n < 0 then raise Subscript else from (l, n, [])
    end
  fun drop (l, n) =
    let fun from (l, 0) = l | from ([], _) = raise Subscript | from (_ :: rest, i) = from (rest, i - 1)
    in if n < 0 then raise Subscript else from (l, n) end
  fun concat [] = [] | concat (l :: rest) = l @ concat rest
  fun app f [] = () | app f (x :: rest) = (f x; app f rest)
  fun foldl f z [] = z | foldl f z (x :: rest) = foldl f (f (x, z)) rest
  fun foldr f z l = foldl f z (rev l)
  fun map f l =
    let fun from ([], done) = rev done | from (x :: rest, done) = from (rest, f x :: done)
    in from (l, []) end
  fun mapPartial f l =
    let
      fun from ([], done) = rev done
        | from (x :: rest, done) = (case f x of NONE => from (rest, done) | SOME y => from (rest, y :: done))
    in
      from (l, [])
    end
  fun find f [] = NONE | find f (x :: rest) = if f x then SOME x else find f rest
  fun partition f l =
    let
      fun from ([], yes, no) = (rev yes, rev no)
        | from (x :: rest, yes, no) = if f x then from (rest, x :: yes, no) else from (rest, yes, x :: no)
    in
      from (l, [], [])
    end
  fun filter f l = #1 (partition f l)
  fun exists f [] = false | exists f (x :: rest) = f x orelse exists f rest
  fun all f [] = true | all f (x :: rest) = f x andalso all f rest
  fun tabulate (n, f) =
    let fun from (i, done) = if i >= n then rev done else from (i + 1, f i :: done)
    in if n < 0 then raise Size else from (0, []) end
  fun collate compare =
    let
      fun of_lists ([], []) = EQUAL
        | of_lists ([], _) = LESS
        | of_lists (_, []) = GREATER
        | of_lists (a :: rest, b :: others) = (case compare (a, b) of EQUAL => of_lists (rest, others) | other => other)
    in
      of_lists
    end
end

val null = List.null
val length = List.length
val rev = List.rev
val op @ = List.@
val hd = List.hd
val tl = List.tl
val app = List.app
val map = List.map
val foldl = List.foldl
val foldr = List.foldr

structure ListPair =
struct
  exception UnequalLengths
  fun zip (a :: rest, b :: others) = (a, b) :: zip (rest, others) | zip _ = []
  fun unzip l = List.foldr (fn ((a, b), (la, lb)) => (a :: la, b :: lb)) ([], []) l
  fun map f (a, b) = List.map f (zip (a, b))
  fun app f (a, b) = List.app f (zip (a, b))
  fun all f (a, b) = List.all f (zip (a, b))
  fun exists f (a, b) = List.exists f (zip (a, b))
  fun foldl f z (a :: rest, b :: others) = foldl f (f (a, b, z)) (rest, others) | foldl _ z _ = z
  fun foldr f z (a :: rest, b :: others) = f (a, b, foldr f z (rest, others)) | foldr _ z _ = z
end

structure Char =
struct
  type char = char
  type string = string
  val ord = ord
  val chr = chr
  val minChar = #"\000"
  val maxChar = #"\255"
  val maxOrd = 255
  fun succ c = if ord c = maxOrd then raise Chr else chr (ord c + 1)
  fun pred c = if ord c = 0 then raise Chr else chr (ord c - 1)
  val op < = prim "<" : char * char -> bool
  val op <= = prim "<=" : char * char -> bool
  val op > = prim ">" : char * char -> bool
  val op >= = prim ">=" : char * char -> bool
  fun compare (a, b) = if a < b then LESS else if b < a then GREATER else EQUAL
  fun isDigit c = #"0" <= c andalso c <= #"9"
  fun isLower c = #"a" <= c andalso c <= #"z"
  fun isUpper c = #"A" <= c andalso c <= #"Z"
  fun isAlpha c = isLower c orelse isUpper c
  fun isAlphaNum c = isAlpha c orelse isDigit c
  fun isHexDigit c = isDigit c orelse (#"a" <= c andalso c <= #"f") orelse (#"A" <= c andalso c <= #"F")
  fun isSpace c = c = #" " orelse (#"\t" <= c andalso c <= #"\r")
  fun isPrint c = #" " <= c andalso c <= #"~"
  fun isGraph c = #"!" <= c andalso c <= #"~"
  fun isPunct c = isGraph c andalso not (isAlphaNum c)
  fun isCntrl c = c < #" " orelse c = #"\127"
  fun isAscii c = c <= #"\127"
  fun toLower c = if isUpper c then chr (ord c + 32) else c
  fun toUpper c = if isLower c then chr (ord c - 32) else c
  val toString = prim "Char.toString" : char -> string
  fun contains s c = List.exists (fn d => c = d) (explode s)
  fun notContains s c = not (contains s c)
end

structure String =
struct
  type string = string
  type char = char
  val maxSize = 4611686018427387903
  val size = size
  val sub = prim "String.sub" : string * int -> char
  val substring = substring
  val op ^ = op ^
  val concat = concat
  val str = str
  val implode = implode
  val explode = explode
  val toString = prim "String.toString" : string -> string
  fun extract (s, i, SOME n) = substring (s, i, n)
    | extract (s, i, NONE) = substring (s, i, size s - i)
  fun concatWith _ [] = ""
    | concatWith by (s :: rest) = concat (s :: List.foldr (fn (t, l) => by :: t :: l) [] rest)
  fun map f s = implode (List.map f (explode s))
  fun translate f s = concat (List.map f (explode s))
  fun isPrefix a b = size a <= size b andalso substring (b, 0, size a) = a
  fun isSuffix a b = size a <= size b andalso substring (b, size b - size a, size a) = a
  fun isSubstring a b =
    let fun at i = i + size a <= size b andalso (substring (b, i, size a) = a orelse at (i + 1))
    in at 0 end
  fun fields f s =
    let
      fun from (i, begin, done) =
        if i = size s then List.rev (substring (s, begin, i - begin) :: done)
        else if f (sub (s, i)) then from (i + 1, i + 1, substring (s, begin, i - begin) :: done)
        else from (i + 1, begin, done)
    in
      from (0, 0, [])
    end
  fun tokens f s = List.filter (fn t => size t <> 0) (fields f s)
  fun collate f (a, b) = List.collate f (explode a, explode b)
  val op < = prim "<" : string * string -> bool
  val op <= = prim "<=" : string * string -> bool
  val op > = prim ">" : string * string -> bool
  val op >= = prim ">=" : string * string -> bool
  fun compare (a, b) = if a < b then LESS else if b < a then GREATER else EQUAL
end

structure Int =
struct
  type int = int
  val minInt = SOME ~9223372036854775808
  val maxInt = SOME 9223372036854775807
  val precision = SOME 64
  val ~ = prim "~" : int -> int
  val op + = prim "+" : int * int -> int
  val op - = prim "-" : int * int -> int
  val op * = prim "*" : int * int -> int
  val op div = prim "div" : int * int -> int
  val op mod = prim "mod" : int * int -> int
  val quot = prim "Int.quot" : int * int -> int
  val rem = prim "Int.rem" : int * int -> int
  val op < = prim "<" : int * int -> bool
  val op <= = prim "<=" : int * int -> bool
  val op > = prim ">" : int * int -> bool
  val op >= = prim ">=" : int * int -> bool
  val abs = prim "abs" : int -> int
  (* It counts downwards, so that the least int has digits, too. *)
  fun toString i =
    let
      fun digits (n, l) =
        let val l = chr (48 - rem (n, 10)) :: l
        in if n > ~10 then l else digits (quot (n, 10), l) end
    in
      if i < 0 then implode (#"~" :: digits (i, [])) else implode (digits (~i, []))
    end
  fun toInt (i : int) = i
  fun fromInt (i : int) = i
  fun toLarge (i : int) = i
  fun fromLarge (i : int) = i
  fun min (a, b) = if a < b then a else b
  fun max (a, b) = if a < b then b else a
  fun sign i = if i < 0 then ~1 else if i > 0 then 1 else 0
  fun sameSign (a, b) = sign a = sign b
  fun compare (a, b) = if a < b then LESS else if b < a then GREATER else EQUAL
  fun fromString s =
    let
      val n = size s
      fun digit i = if i < n then Char.isDigit (String.sub (s, i)) else false
      fun skip i = if i < n andalso Char.isSpace (String.sub (s, i)) then skip (i + 1) else i
      (* It counts downwards, so that the least int can be read. *)
      fun from (i, value) = if digit i then from (i + 1, value * 10 - (ord (String.sub (s, i)) - 48)) else value
      val i = skip 0
      val sign = if i < n then String.sub (s, i) else #" "
      val is_negative = sign = #"~" orelse sign = #"-"
      val i = if is_negative orelse sign = #"+" then i + 1 else i
    in
      if not (digit i) then NONE
      else SOME (if is_negative then from (i, 0) else ~(from (i, 0)))
    end
end
structure LargeInt = Int
structure Position = Int

structure Word =
struct
  type word = word
  val wordSize = 64
  val toInt = prim "Word.toInt" : word -> int
  val toIntX = prim "Word.toIntX" : word -> int
  val fromInt = prim "Word.fromInt" : int -> word
  val toLargeInt = toInt
  val fromLargeInt = fromInt
  fun toLarge (w : word) = w
  fun fromLarge (w : word) = w
  val andb = prim "Word.andb" : word * word -> word
  val orb = prim "Word.orb" : word * word -> word
  val xorb = prim "Word.xorb" : word * word -> word
  val notb = prim "Word.notb" : word -> word
  val << = prim "Word.<<" : word * word -> word
  val >> = prim "Word.>>" : word * word -> word
  val ~>> = prim "Word.~>>" : word * word -> word
  val op + = prim "+" : word * word -> word
  val op - = prim "-" : word * word -> word
  val op * = prim "*" : word * word -> word
  val op div = prim "div" : word * word -> word
  val op mod = prim "mod" : word * word -> word
  val op < = prim "<" : word * word -> bool
  val op <= = prim "<=" : word * word -> bool
  val op > = prim ">" : word * word -> bool
  val op >= = prim ">=" : word * word -> bool
  val toString = prim "Word.toString" : word -> string
  fun min (a, b) = if a < b then a else b
  fun max (a, b) = if a < b then b else a
  fun compare (a, b) = if a < b then LESS else if b < a then GREATER else EQUAL
end
structure LargeWord = Word
structure Word64 = Word

structure Word8 =
struct
  type word = word8
  val wordSize = 8
  val toInt = prim "Word8.toInt" : word -> int
  val toIntX = prim "Word8.toIntX" : word -> int
  val fromInt = prim "Word8.fromInt" : int -> word
  val toLarge = prim "Word8.toLarge" : word -> LargeWord.word
  val fromLarge = prim "Word8.fromLarge" : LargeWord.word -> word
  val andb = prim "Word8.andb" : word * word -> word
  val orb = prim "Word8.orb" : word * word -> word
  val xorb = prim "Word8.xorb" : word * word -> word
  val notb = prim "Word8.notb" : word -> word
  val << = prim "Word8.<<" : word * LargeWord.word -> word
  val >> = prim "Word8.>>" : word * LargeWord.word -> word
  val op + = prim "+" : word * word -> word
  val op - = prim "-" : word * word -> word
  val op * = prim "*" : word * word -> word
  val op div = prim "div" : word * word -> word
  val op mod = prim "mod" : word * word -> word
  val op < = prim "<" : word * word -> bool
  val op <= = prim "<=" : word * word -> bool
  val op > = prim ">" : word * word -> bool
  val op >= = prim ">=" : word * word -> bool
  val toString = prim "Word8.toString" : word -> string
  fun compare (a, b) = if a < b then LESS else if b < a then GREATER else EQUAL
end

structure Math =
struct
  type real = real
  val pi = 3.141592653589793
  val e = 2.718281828459045
  val sqrt = prim "Math.sqrt" : real -> real
  val sin = prim "Math.sin" : real -> real
  val cos = prim "Math.cos" : real -> real
  val tan = prim "Math.tan" : real -> real
  val asin = prim "Math.asin" : real -> real
  val acos = prim "Math.acos" : real -> real
  val atan = prim "Math.atan" : real -> real
  val atan2 = prim "Math.atan2" : real * real -> real
  val exp = prim "Math.exp" : real -> real
  local
    val power = prim "Math.pow" : real * real -> real
  in
    (* The powers of 1 and ~1 that do not exist, or are unknown, are 1 in C. *)
    fun pow (x, y) = if abs x <= 1.0 andalso abs x >= 1.0 then power (x, y) + 0.0 * y else power (x, y)
  end
  val ln = prim "Math.ln" : real -> real
  val log10 = prim "Math.log10" : real -> real
  val sinh = prim "Math.sinh" : real -> real
  val cosh = prim "Math.cosh" : real -> real
  val tanh = prim "Math.tanh" : real -> real
end

structure StringCvt =
struct
  datatype realfmt = SCI of int option | FIX of int option | GEN of int option | EXACT
  type ('a, 'b) reader = 'b -> ('a * 'b) option
  type cs = int
  local
    fun pad (c, n) = implode (List.tabulate (if n < 0 then 0 else n, fn _ => c))
  in
    fun padLeft c n s = pad (c, n - size s) ^ s
    fun padRight c n s = s ^ pad (c, n - size s)
  end
  fun splitl f get from =
    let
      fun next (done, from) =
        case get from of
          SOME (c, rest) => if f c then next (c :: done, rest) else (implode (List.rev done), from)
        | NONE => (implode (List.rev done), from)
    in
      next ([], from)
    end
  fun takel f get from = #1 (splitl f get from)
  fun dropl f get from = case get from of SOME (c, rest) => if f c then dropl f get rest else from | NONE => from
  fun skipWS get = dropl Char.isSpace get
  fun scanString scan s =
    case scan (fn i => if i < size s then SOME (String.sub (s, i), i + 1) else NONE) 0 of
      SOME (x, _) => SOME x
    | NONE => NONE
end

structure IEEEReal =
struct
  exception Unordered
  datatype real_order = LESS | EQUAL | GREATER | UNORDERED
  datatype float_class = NAN | INF | ZERO | NORMAL | SUBNORMAL
  datatype rounding_mode = TO_NEAREST | TO_NEGINF | TO_POSINF | TO_ZERO
end

structure Real =
struct
  type real = real
  structure Math = Math
  val radix = 2
  val precision = 53
  val fromInt = real
  val fromLargeInt = real
  val floor = floor
  val ceil = ceil
  val round = round
  val trunc = trunc
  fun toInt IEEEReal.TO_NEAREST = round
    | toInt IEEEReal.TO_NEGINF = floor
    | toInt IEEEReal.TO_POSINF = ceil
    | toInt IEEEReal.TO_ZERO = trunc
  val toLargeInt = toInt
  val realFloor = prim "Real.realFloor" : real -> real
  val realCeil = prim "Real.realCeil" : real -> real
  val realTrunc = prim "Real.realTrunc" : real -> real
  val realRound = prim "Real.realRound" : real -> real
  val ~ = prim "~" : real -> real
  val op + = prim "+" : real * real -> real
  val op - = prim "-" : real * real -> real
  val op * = prim "*" : real * real -> real
  val op / = prim "/" : real * real -> real
  val rem = prim "Real.rem" : real * real -> real
  val op < = prim "<" : real * real -> bool
  val op <= = prim "<=" : real * real -> bool
  val op > = prim ">" : real * real -> bool
  val op >= = prim ">=" : real * real -> bool
  val == = prim "Real.==" : real * real -> bool
  val abs = prim "abs" : real -> real
  val isNan = prim "Real.isNan" : real -> bool
  val copySign = prim "Real.copySign" : real * real -> real
  val nextAfter = prim "Real.nextAfter" : real * real -> real
  val posInf = 1.0 / 0.0
  val negInf = ~1.0 / 0.0
  val maxFinite = 1.7976931348623157E308
  val minPos = 4.9E~324
  val minNormalPos = 2.2250738585072014E~308
  fun != (a, b) = not (== (a, b))
  fun unordered (a, b) = isNan a orelse isNan b
  fun ?= (a, b) = == (a, b) orelse unordered (a, b)
  fun isFinite x = x - x < 1.0
  fun isNormal x = isFinite x andalso abs x >= minNormalPos
  fun signBit x = copySign (1.0, x) < 0.0
  fun sameSign (a, b) = signBit a = signBit b
  fun class x =
    if isNan x then IEEEReal.NAN
    else if not (isFinite x) then IEEEReal.INF
    else if isNormal x then IEEEReal.NORMAL
    else if == (x, 0.0) then IEEEReal.ZERO
    else IEEEReal.SUBNORMAL
  fun checkFloat x = if isFinite x then x else if isNan x then raise Div else raise Overflow
  fun realMod x = if isFinite x then copySign (x - realTrunc x, x) else if isNan x then x else copySign (0.0, x)
  fun split x = {whole = realTrunc x, frac = realMod x}
  fun min (a, b) = if a < b then a else if isNan b then a else b
  fun max (a, b) = if a > b then a else if isNan b then a else b
  fun sign x = if x < 0.0 then ~1 else if x > 0.0 then 1 else if isNan x then raise Domain else 0
  fun compare (a, b) =
    if a < b then LESS else if a > b then GREATER else if == (a, b) then EQUAL else raise IEEEReal.Unordered
  fun compareReal (a, b) =
    if a < b then IEEEReal.LESS
    else if a > b then IEEEReal.GREATER
    else if == (a, b) then IEEEReal.EQUAL
    else IEEEReal.UNORDERED
  local
    val parse = prim "Real.parse" : string -> int * real
    val format = prim "Real.format" : int * int * real -> string  (* the forms are in ml/runtime/ml.h *)
  in
    fun fromString s = case parse s of (0, _) => NONE | (_, x) => SOME x
    fun toString x = format (2, 12, x)
    fun fmt how =
      let
        fun at_least (n, digits : int) = if Int.< (digits, n) then raise Size else digits
        val (form, digits) =
          case how of
            StringCvt.SCI n => (0, at_least (0, getOpt (n, 6)))
          | StringCvt.FIX n => (1, at_least (0, getOpt (n, 6)))
          | StringCvt.GEN n => (2, at_least (1, getOpt (n, 12)))
          | StringCvt.EXACT => (3, 0)
      in
        fn x => format (form, digits, x)
      end
  end
  fun scan get from =
    let
      fun one f from = case get from of SOME (c, rest) => if f c then SOME rest else NONE | NONE => NONE
      fun sign from =
        case one (fn c => c = #"~" orelse c = #"-") from of
          SOME rest => ("~", rest)
        | NONE => ("", getOpt (one (fn c => c = #"+") from, from))
      (* What begins with such a character, if digits follow. *)
      fun part (f, shown, signs, from) =
        case one f from of
          NONE => ("", from)
        | SOME rest =>
            let
              val (minus, rest) = if signs then sign rest else ("", rest)
            in
              case StringCvt.splitl Char.isDigit get rest of
                ("", _) => ("", from)
              | (digits, rest) => (shown ^ minus ^ digits, rest)
            end
      fun word ([], from) = SOME from
        | word (c :: more, from) =
            (case one (fn d => Char.toLower d = c) from of SOME rest => word (more, rest) | NONE => NONE)
      fun read (text, from) = case fromString text of SOME x => SOME (x, from) | NONE => NONE
      val (minus, from) = sign (StringCvt.skipWS get from)
      val (whole, behind) = StringCvt.splitl Char.isDigit get from
      val (fraction, behind) = part (fn c => c = #".", ".", false, behind)
    in
      if whole <> "" orelse fraction <> "" then
        let val (exponent, behind) = part (fn c => c = #"e" orelse c = #"E", "E", true, behind)
        in read (concat [minus, whole, fraction, exponent], behind) end
      else
        case (word ([#"i", #"n", #"f"], from), word ([#"n", #"a", #"n"], from)) of
          (SOME rest, _) => read (minus ^ "inf", getOpt (word (explode "inity", rest), rest))
        | (_, SOME rest) => read (minus ^ "nan", rest)
        | _ => NONE
    end
end
structure LargeReal = Real

structure Array =
struct
  type 'a array = 'a array
  type 'a vector = 'a vector
  val maxLen = 4611686018427387903
  val array = prim "Array.array" : int * 'a -> 'a array
  val length = prim "Array.length" : 'a array -> int
  val sub = prim "Array.sub" : 'a array * int -> 'a
  val update = prim "Array.update" : 'a array * int * 'a -> unit
  local
    val alloc = prim "Array.alloc" : int -> 'a array
  in
    fun tabulate (n, f) =
      if n = 0 then alloc 0
      else
        let
          val a = array (n, f 0)
          fun from i = if i = n then () else (update (a, i, f i); from (i + 1))
        in
          from 1; a
        end
    fun fromList l =
      let
        val a = alloc (List.length l)
        fun from (_, []) = () | from (i, x :: rest) = (update (a, i, x); from (i + 1, rest))
      in
        from (0, l); a
      end
  end
  fun foldli f z a =
    let
      val n = length a
      fun from (i, z) = if i = n then z else from (i + 1, f (i, sub (a, i), z))
    in
      from (0, z)
    end
  fun foldri f z a =
    let fun from (i, z) = if i < 0 then z else from (i - 1, f (i, sub (a, i), z))
    in from (length a - 1, z) end
  fun foldl f z a = foldli (fn (_, x, z) => f (x, z)) z a
  fun foldr f z a = foldri (fn (_, x, z) => f (x, z)) z a
  fun appi f a = foldli (fn (i, x, ()) => f (i, x)) () a
  fun app f a = foldli (fn (_, x, ()) => f x) () a
  fun modifyi f a = appi (fn (i, x) => update (a, i, f (i, x))) a
  fun modify f a = appi (fn (i, x) => update (a, i, f x)) a
  fun toList a = foldr (op ::) [] a
  fun copy {src, dst, di} =
    if di < 0 orelse di + length src > length dst then raise Subscript
    else if di <= 0 then appi (fn (i, x) => update (dst, di + i, x)) src
    else foldri (fn (i, x, ()) => update (dst, di + i, x)) () src
  fun findi f a =
    let
      val n = length a
      fun from i = if i = n then NONE else if f (i, sub (a, i)) then SOME (i, sub (a, i)) else from (i + 1)
    in
      from 0
    end
  fun find f a = case findi (fn (_, x) => f x) a of NONE => NONE | SOME (_, x) => SOME x
  fun exists f a = isSome (find f a)
  fun all f a = not (exists (fn x => not (f x)) a)
  fun vector a =
    let val freeze = prim "Array.vector" : 'a array -> 'a vector
    in freeze (tabulate (length a, fn i => sub (a, i))) end
end

structure Vector =
struct
  type 'a vector = 'a vector
  val maxLen = 4611686018427387903
  val length = prim "Vector.length" : 'a vector -> int
  val sub = prim "Vector.sub" : 'a vector * int -> 'a
  local
    (* An array that becomes a vector; nothing may change it afterwards. *)
    val freeze = prim "Array.vector" : 'a array -> 'a vector
  in
    fun tabulate (n, f) = freeze (Array.tabulate (n, f))
    fun fromList l = freeze (Array.fromList l)
  end
  fun foldli f z v =
    let
      val n = length v
      fun from (i, z) = if i = n then z else from (i + 1, f (i, sub (v, i), z))
    in
      from (0, z)
    end
  fun foldri f z v =
    let fun from (i, z) = if i < 0 then z else from (i - 1, f (i, sub (v, i), z))
    in from (length v - 1, z) end
  fun foldl f z v = foldli (fn (_, x, z) => f (x, z)) z v
  fun foldr f z v = foldri (fn (_, x, z) => f (x, z)) z v
  fun appi f v = foldli (fn (i, x, ()) => f (i, x)) () v
  fun app f v = foldli (fn (_, x, ()) => f x) () v
  fun mapi f v = tabulate (length v, fn i => f (i, sub (v, i)))
  fun map f v = tabulate (length v, fn i => f (sub (v, i)))
  fun toList v = foldr (op ::) [] v
  fun concat l = fromList (List.concat (List.map toList l))
  fun update (v, i, x) =
    if i < 0 orelse i >= length v then raise Subscript else mapi (fn (j, y) => if i = j then x else y) v
  fun find f v =
    let
      val n = length v
      fun from i = if i = n then NONE else if f (sub (v, i)) then SOME (sub (v, i)) else from (i + 1)
    in
      from 0
    end
  fun exists f v = isSome (find f v)
  fun all f v = not (exists (fn x => not (f x)) v)
end
val vector = Vector.fromList

structure ArraySlice :>
sig
  type 'a slice
  val full : 'a array -> 'a slice
  val slice : 'a array * int * int option -> 'a slice
  val subslice : 'a slice * int * int option -> 'a slice
  val base : 'a slice -> 'a array * int * int
  val length : 'a slice -> int
  val isEmpty : 'a slice -> bool
  val sub : 'a slice * int -> 'a
  val update : 'a slice * int * 'a -> unit
  val foldl : ('a * 'b -> 'b) -> 'b -> 'a slice -> 'b
  val foldr : ('a * 'b -> 'b) -> 'b -> 'a slice -> 'b
  val foldli : (int * 'a * 'b -> 'b) -> 'b -> 'a slice -> 'b
  val app : ('a -> unit) -> 'a slice -> unit
  val appi : (int * 'a -> unit) -> 'a slice -> unit
  val modify : ('a -> 'a) -> 'a slice -> unit
  val copy : {src : 'a slice, dst : 'a array, di : int} -> unit
  val vector : 'a slice -> 'a vector
  val getItem : 'a slice -> ('a * 'a slice) option
end =
struct
  type 'a slice = 'a array * int * int
  fun length (_, _, n) = n
  fun isEmpty (_, _, n) = n = 0
  fun base s = s
  fun full a = (a, 0, Array.length a)
  fun part (a, begin, n, i, count) =
    let val m = case count of NONE => n - i | SOME m => m
    in if i < 0 orelse m < 0 orelse i > n - m then raise Subscript else (a, begin + i, m) end
  fun slice (a, i, count) = part (a, 0, Array.length a, i, count)
  fun subslice ((a, begin, n), i, count) = part (a, begin, n, i, count)
  fun sub ((a, begin, n), i) = if i < 0 orelse i >= n then raise Subscript else Array.sub (a, begin + i)
  fun update ((a, begin, n), i, x) = if i < 0 orelse i >= n then raise Subscript else Array.update (a, begin + i, x)
  fun foldli f z (a, begin, n) =
    let fun from (i, z) = if i = n then z else from (i + 1, f (i, Array.sub (a, begin + i), z))
    in from (0, z) end
  fun foldl f z s = foldli (fn (_, x, z) => f (x, z)) z s
  fun foldr f z (a, begin, n) =
    let fun from (i, z) = if i < 0 then z else from (i - 1, f (Array.sub (a, begin + i), z))
    in from (n - 1, z) end
  fun appi f s = foldli (fn (i, x, ()) => f (i, x)) () s
  fun app f s = foldli (fn (_, x, ()) => f x) () s
  fun modify f s = appi (fn (i, x) => update (s, i, f x)) s
  fun copy {src = src as (a, begin, n), dst, di} =
    if di < 0 orelse di + n > Array.length dst then raise Subscript
    else if di <= begin then appi (fn (i, x) => Array.update (dst, di + i, x)) src
    else
      let fun from i = if i < 0 then () else (Array.update (dst, di + i, Array.sub (a, begin + i)); from (i - 1))
      in from (n - 1) end
  fun vector s = Vector.tabulate (length s, fn i => sub (s, i))
  fun getItem s = if isEmpty s then NONE else SOME (sub (s, 0), subslice (s, 1, NONE))
end

structure IO =
struct
  exception Io of {name : string, function : string, cause : exn}
end

structure TextIO :>
sig
  type instream
  type outstream
  val stdIn : instream
  val stdOut : outstream
  val stdErr : outstream
  val openIn : string -> instream
  val openOut : string -> outstream
  val openAppend : string -> outstream
  val closeIn : instream -> unit
  val closeOut : outstream -> unit
  val inputLine : instream -> string option
  val inputAll : instream -> string
  val input1 : instream -> char option
  val endOfStream : instream -> bool
  val output : outstream * string -> unit
  val output1 : outstream * char -> unit
  val flushOut : outstream -> unit
  val print : string -> unit
end =
struct
  type instream = int
  type outstream = int
  val stdIn = 0
  val stdOut = 1
  val stdErr = 2
  (* Operations on files return a negative number, or 0, where they fail. *)
  fun failed (name, function) = raise IO.Io {name = name, function = function, cause = Fail "the system refuses it"}
  fun opened (by, function) name = let val f = by name in if f < 0 then failed (name, function) else f end
  fun done (0, function) = failed ("", function) | done _ = ()
  val open_in = prim "IO.openIn" : string -> int
  val open_out = prim "IO.openOut" : string -> int
  val open_append = prim "IO.openAppend" : string -> int
  val close = prim "IO.close" : int -> int
  val line = prim "IO.inputLine" : int -> string
  val inputAll = prim "IO.inputAll" : int -> string
  val byte = prim "IO.inputByte" : int -> int
  val at_end = prim "IO.endOfStream" : int -> int
  val write = prim "IO.output" : int * string -> int
  val flush = prim "IO.flush" : int -> int
  val openIn = opened (open_in, "openIn")
  val openOut = opened (open_out, "openOut")
  val openAppend = opened (open_append, "openAppend")
  fun closeIn f = ignore (close f)
  fun closeOut f = done (close f, "closeOut")
  fun endOfStream f = at_end f <> 0
  fun output (f, s) = done (write (f, s), "output")
  fun flushOut f = done (flush f, "flushOut")
  val print = print
  fun inputLine f = case line f of "" => NONE | s => SOME s
  fun input1 f = let val b = byte f in if b < 0 then NONE else SOME (chr b) end
  fun output1 (f, c) = output (f, str c)
end

structure CommandLine =
struct
  val name = prim "CommandLine.name" : unit -> string
  local
    val count = prim "CommandLine.count" : unit -> int
    val argument = prim "CommandLine.argument" : int -> string
  in
    fun arguments () = List.tabulate (count (), argument)
  end
end

structure Time :>
sig
  eqtype time
  exception Time
  val zeroTime : time
  val now : unit -> time
  val + : time * time -> time
  val - : time * time -> time
  val < : time * time -> bool
  val <= : time * time -> bool
  val > : time * time -> bool
  val >= : time * time -> bool
  val compare : time * time -> order
  val toReal : time -> real
  val fromReal : real -> time
  val toSeconds : time -> int
  val toMilliseconds : time -> int
  val toMicroseconds : time -> int
  val toNanoseconds : time -> int
  val fromSeconds : int -> time
  val fromMilliseconds : int -> time
  val fromMicroseconds : int -> time
  val fromNanoseconds : int -> time
  val fmt : int -> time -> string
  val toString : time -> string
end =
struct
  open Int
  type time = int
  exception Time
  val zeroTime = 0
  val now = prim "Time.now" : unit -> int
  fun toReal t = Real./ (real t, 1E9)
  fun fromReal x = round (Real.* (x, 1E9)) handle _ => raise Time
  fun toSeconds t = quot (t, 1000000000)
  fun toMilliseconds t = quot (t, 1000000)
  fun toMicroseconds t = quot (t, 1000)
  fun toNanoseconds t = t
  fun fromSeconds s = s * 1000000000
  fun fromMilliseconds s = s * 1000000
  fun fromMicroseconds s = s * 1000
  fun fromNanoseconds s = s
  fun fmt n t = Real.fmt (StringCvt.FIX (SOME n)) (toReal t)
  fun toString t = fmt 3 t
end

structure OS =
struct
  structure Process =
  struct
    type status = int
    val success = 0
    val failure = 1
    val exit = prim "exit" : int -> 'a
  end
end

(* Fork-join parallelism, over the operation `spork` (Spork, Figures 5, 6 and 11). *)
structure ForkJoin =
struct
  (* The share of the tokens that a promoted child gets. *)
  datatype share = ShareNone | ShareHalf | ShareAll

  (* spork (share, body, spwn, unpr, prom, unstolen) evaluates body (). If it is promoted meanwhile, spwn () runs in parallel, and the result
     is prom (body's result, spwn's result); if nothing has stolen the child, unstolen (body's result). Else it is unpr (body's result). *)
  val spork = prim "spork" : share * (unit -> 'a) * (unit -> 'b) * ('a -> 'c) * ('a * 'b -> 'c) * ('a -> 'c) -> 'c

  fun par (f, g) =
    let fun alone a = (a, g ())
    in spork (ShareHalf, f, g, alone, fn both => both, alone) end

  local
    (* f first, …, f (last - 1) under combine. *)
    fun reduce_by_sporks (first, last, f, combine, zero) =
      let
        fun iterate (so_far, i, j) =
          if i >= j then so_far
          else
            spork (ShareAll,
                   fn () => combine (so_far, f i),
                   fn () => split (zero, i + 1, j),
                   fn a => iterate (a, i + 1, j),
                   combine,
                   fn a => combine (a, split (zero, i + 1, j)))
        and split (so_far, i, j) =
          if i >= j then so_far
          else
            let
              val middle = i + (j - i) div 2
              fun alone a = iterate (a, middle, j)
            in
              spork (ShareHalf, fn () => iterate (so_far, i, middle), fn () => iterate (zero, middle, j), alone,
                     combine,
                     alone)
            end
      in
        iterate (zero, first, last)
      end

    (* The compiler has a form of these loops that runs light iterations in chunks. It takes the last argument where that form cannot be used. *)
    val loop = prim "reduce" : int * int * (int -> 'a) * ('a * 'a -> 'a) * 'a * (unit -> 'a) -> 'a
  in
    fun reduce (first, last, f, combine, zero) =
      loop (first, last, f, combine, zero, fn () => reduce_by_sporks (first, last, f, combine, zero))
  end
  val reducem = reduce
  val parfor = prim "parfor" : int * int * (int -> unit) -> unit

  (* An array whose elements are not defined before they are written. *)
  val alloc = prim "Array.alloc" : int -> 'a array
end
