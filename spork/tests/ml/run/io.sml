(*** io 1 ***)
(* print and TextIO.print *)
val () = print "a"
val () = TextIO.print "b"
val () = TextIO.output (TextIO.stdOut, "c")
val () = TextIO.output1 (TextIO.stdOut, #"\n")
val () = TextIO.flushOut TextIO.stdOut
val () = print ""
val () = print "end\n"
(* a file is written and read *)
val name = "programs-written"
val f = TextIO.openOut name
val () = TextIO.output (f, "first line\nsecond ")
val () = TextIO.output1 (f, #"L")
val () = TextIO.output (f, "ine\n\nno end")
val () = TextIO.flushOut f
val () = print (Int.toString (size (TextIO.inputAll (TextIO.openIn name))) ^ " flushed\n")
val () = TextIO.closeOut f
val f = TextIO.openIn name
fun lines n = case TextIO.inputLine f of NONE => print (Int.toString n ^ " lines\n") | SOME s => (print ("<" ^ String.toString s ^ ">\n"); lines (n + 1))
val () = lines 0
val () = TextIO.closeIn f
val f = TextIO.openIn name
val () = print (Int.toString (size (TextIO.inputAll f)) ^ Int.toString (size (TextIO.inputAll f)) ^ Bool.toString (TextIO.endOfStream f) ^ "\n")
val () = TextIO.closeIn f
val f = TextIO.openIn name
val a = TextIO.input1 f
val b = TextIO.input1 f
val e = TextIO.endOfStream f
val rest = TextIO.inputLine f
val () = print (str (valOf a) ^ str (valOf b) ^ Bool.toString e ^ valOf rest)
val () = TextIO.closeIn f
(* an empty file *)
val f = TextIO.openOut "programs-empty"
val () = TextIO.closeOut f
val f = TextIO.openIn "programs-empty"
val () = print (Bool.toString (TextIO.endOfStream f) ^ Bool.toString (isSome (TextIO.input1 f)) ^ Bool.toString (isSome (TextIO.inputLine f)) ^ TextIO.inputAll f ^ "\n")
val () = TextIO.closeIn f
(* a file with every byte *)
val s = implode (List.tabulate (256, chr))
val f = TextIO.openOut "programs-bytes"
val () = (TextIO.output (f, s); TextIO.closeOut f)
val f = TextIO.openIn "programs-bytes"
val () = print (Bool.toString (TextIO.inputAll f = s) ^ "\n")
val () = TextIO.closeIn f
val f = TextIO.openIn "programs-bytes"
fun count n = case TextIO.input1 f of NONE => n | SOME c => if ord c = n then count (n + 1) else ~n
val () = print (Int.toString (count 0) ^ "\n")
(* a long file *)
val f = TextIO.openOut "programs-long"
fun write 0 = () | write n = (TextIO.output (f, Int.toString n ^ "\n"); write (n - 1))
val () = (write 100000; TextIO.closeOut f)
val f = TextIO.openIn "programs-long"
fun sum s = case TextIO.inputLine f of NONE => s | SOME l => sum (s + valOf (Int.fromString l))
val () = print (Int.toString (sum 0) ^ "\n")
val () = TextIO.closeIn f
(* a file that does not exist *)
val () = (ignore (TextIO.openIn "no such folder/no such file"); print "opened\n") handle IO.Io {name, ...} => print (name ^ "\n")
val () = (ignore (TextIO.openOut "no such folder/no such file"); print "opened\n") handle IO.Io _ => print "Io\n"
(* no arguments *)
val () = print (Int.toString (length (CommandLine.arguments ())) ^ "\n")
(*> abc | end | 30 flushed | <first line\n> | <second Line\n> | <\n> | <no end\n> | 4 lines | 300true *)
(*> fifalserst line | truefalsefalse | true | 256 | 5000050000 | no such folder/no such file | Io | 0 *)

(*** exit with success ***)
val () = print "no line break at the end is missing\n"
val _ = OS.Process.exit OS.Process.success : unit
val () = print "never\n"
(*> no line break at the end is missing *)

(*** time ***)
open Time
val a = Time.now ()
val b = Time.now ()
val () = print (Bool.toString (a <= b) ^ Bool.toString (b >= a) ^ Bool.toString (a < zeroTime) ^ Bool.toString (a > zeroTime) ^ "\n")
val t = Time.fromMilliseconds 1500
val () = print (concat [Real.toString (Time.toReal t), " ", Int.toString (Time.toSeconds t), " ", Int.toString (Time.toMilliseconds t), " ",
                        Int.toString (Time.toMicroseconds t), " ", Int.toString (Time.toNanoseconds t), "\n"])
val () = print (Time.toString t ^ " " ^ Time.fmt 1 t ^ " " ^ Time.toString (Time.fromReal 2.25) ^ "\n")
val () = print (Bool.toString (Time.fromSeconds 1 = Time.fromMicroseconds 1000000) ^ Bool.toString (Time.fromNanoseconds 5000 = Time.fromMicroseconds 5) ^ "\n")
val () = print (Time.toString (Time.+ (t, t)) ^ Time.toString (Time.- (t, Time.fromSeconds 1)) ^ "\n")
val () = print (case Time.compare (t, Time.zeroTime) of LESS => "LESS\n" | EQUAL => "EQUAL\n" | GREATER => "GREATER\n")
val () = (raise Time.Time) handle Time.Time => print "Time\n"
(*> truetruefalsetrue | 1.5 1 1500 1500000 1500000000 | 1.500 1.5 2.250 | truetrue | 3.0000.500 | GREATER | Time *)

(*** standard input by lines ***)
fun lines n = case TextIO.inputLine TextIO.stdIn of NONE => n | SOME s => (print ("> " ^ s); lines (n + 1))
val () = print (Int.toString (lines 0) ^ "\n")
(*< one *)
(*< two words *)
(*<  *)
(*< last *)
(*> > one | > two words | >  | > last | 4 *)

(*** standard input at once ***)
val c = TextIO.input1 TextIO.stdIn
val s = TextIO.inputAll TextIO.stdIn
val () = print (str (valOf c) ^ "|" ^ String.concatWith "," (String.tokens Char.isSpace s) ^ Bool.toString (TextIO.endOfStream TextIO.stdIn) ^ "\n")
(*< 12 34 *)
(*< 56 *)
(*> 1|2,34,56true *)

(*** words of standard input are counted ***)
fun words n = case TextIO.inputLine TextIO.stdIn of NONE => n | SOME s => words (n + length (String.tokens (fn c => not (Char.isAlpha c)) s))
val () = print (Int.toString (words 0) ^ "\n")
(*< the quick, brown fox *)
(*< jumps-over 12 dogs *)
(*> 7 *)

(*** standard error (not Poly/ML) ***)
val () = TextIO.output (TextIO.stdErr, "to standard error\n")
val () = print "to standard output\n"
(*> to standard output *)
(*2 to standard error *)

(*** arguments ***)
val l = CommandLine.arguments ()
val () = print (Int.toString (length l) ^ "\n")
val () = app (fn s => print (s ^ "\n")) l
val () = print (Bool.toString (size (CommandLine.name ()) > 0) ^ "\n")
(*$ first *)
(*$ --second=2 *)
(*$ third one *)
(*> 3 | first | --second=2 | third one | true *)

(*** exit ends the program at once ***)
val () = print "before\n"
fun f n = if n = 0 then OS.Process.exit 3 else 1 + f (n - 1)
val _ = f 10
val () = print "never\n"
(*> before *)
(*? exit 3 *)

(*** exit with failure ***)
val () = print "x\n"
val () = if OS.Process.failure = OS.Process.success then print "same\n" else OS.Process.exit OS.Process.failure
(*> x *)
(*? exit 1 *)
