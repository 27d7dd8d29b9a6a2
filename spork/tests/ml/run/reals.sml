(*** reals 1 ***)
(* arithmetic of reals *)
fun p x = print (Real.toString x ^ "\n")
val () = app p [1.5 + 2.25, 1.5 - 2.25, 1.5 * 2.0, 1.0 / 4.0, ~ 2.5, abs ~3.5, 2.0 * 3.0 + 1.0 / 2.0]
val () = app p [Real.+ (1.0, 2.0), Real.- (1.0, 2.0), Real.* (3.0, 2.0), Real./ (1.0, 8.0), Real.~ 2.0, Real.abs ~2.0]
(* comparisons of reals *)
fun b x = print (if x then "t" else "f")
val nan = Real.posInf - Real.posInf
val () = (b (1.0 < 2.0); b (1.0 <= 1.0); b (1.0 > 2.0); b (2.0 >= 1.0); b (nan < 1.0); b (nan > 1.0); b (nan <= nan); b (nan >= nan); print "\n")
val () = (b (Real.< (1.0, 2.0)); b (Real.<= (1.0, 1.0)); b (Real.> (1.0, 2.0)); b (Real.>= (2.0, 1.0)); b (Real.== (1.0, 1.0)); b (Real.== (nan, nan));
          b (Real.!= (nan, nan)); b (Real.!= (1.0, 1.0)); b (Real.== (0.0, ~0.0)); print "\n")
val () = (b (Real.isNan nan); b (Real.isNan 1.0); b (Real.isFinite 1.0); b (Real.isFinite Real.posInf); b (Real.isFinite nan); print "\n")
(* comparing and choosing reals *)
fun o2s LESS = "LESS" | o2s EQUAL = "EQUAL" | o2s GREATER = "GREATER"
val () = print (o2s (Real.compare (1.0, 2.0)) ^ o2s (Real.compare (2.0, 1.0)) ^ o2s (Real.compare (1.0, 1.0)) ^ "\n")
val () = print (Real.toString (Real.min (1.0, 2.0)) ^ Real.toString (Real.max (1.0, 2.0)) ^ "\n")
val nan = Real.posInf - Real.posInf
val () = print (Real.toString (Real.min (1.0, nan)) ^ Real.toString (Real.max (nan, 2.0)) ^ Real.toString (Real.min (nan, 1.0)) ^ "\n")
val () = print (Int.toString (Real.sign ~2.0) ^ Int.toString (Real.sign 0.0) ^ Int.toString (Real.sign 3.5) ^ "\n")
(* rounding *)
fun p i = print (Int.toString i ^ " ")
fun show x = (p (floor x); p (ceil x); p (round x); p (trunc x); p (Real.floor x); p (Real.ceil x); p (Real.round x); p (Real.trunc x); print "\n")
val () = app show [0.0, 0.5, 1.5, 2.5, ~0.5, ~1.5, ~2.5, 1.2, ~1.2, 1.8, ~1.8, 1E15, ~1E15]
val () = app (fn x => print (concat [Real.toString (Real.realFloor x), " ", Real.toString (Real.realCeil x), " ", Real.toString (Real.realTrunc x), "\n"]))
  [1.5, ~1.5, 2.0, 1E300]
(* rounding what does not fit *)
fun try f = (ignore (f ()); print "no exception\n") handle Overflow => print "Overflow\n" | Domain => print "Domain\n"
val () = app (fn f => try (fn () => f 1E19)) [floor, ceil, round, trunc]
val () = app (fn f => try (fn () => f ~1E19)) [floor, ceil, round, trunc]
val () = try (fn () => floor Real.posInf)
val () = try (fn () => trunc (Real.posInf - Real.posInf))
val () = try (fn () => floor 9.2E18)
(* integers to reals *)
val () = app (fn i => print (Real.toString (real i) ^ " " ^ Real.toString (Real.fromInt i) ^ "\n")) [0, 1, ~1, 1000000, 123456789, ~42]
(* reals to strings *)
val () = app (fn x => print (Real.toString x ^ "\n"))
  [1.0, 10.0, 100000.0, 1E9, 1E10, 1E11, 123456789.0, 0.1, 0.01, 0.001, 0.0001, 1.0 / 3.0, 2.0 / 3.0, 1E100, 1E~100, 12345.6789,
   0.5, 0.25, ~0.125, 99999999999.0, 999999999999.0, 9999999999999.0]
(*> 3.75 | ~0.75 | 3.0 | 0.25 | ~2.5 | 3.5 | 6.5 | 3.0 | ~1.0 | 6.0 | 0.125 | ~2.0 | 2.0 | ttftffff | ttfttftft *)
(*> tftff | LESSGREATEREQUAL | 1.02.0 | 1.02.01.0 | ~101 | 0 0 0 0 0 0 0 0  | 0 1 0 0 0 1 0 0  | 1 2 2 1 1 2 2 1  *)
(*> 2 3 2 2 2 3 2 2  | ~1 0 0 0 ~1 0 0 0  | ~2 ~1 ~2 ~1 ~2 ~1 ~2 ~1  | ~3 ~2 ~2 ~2 ~3 ~2 ~2 ~2  | 1 2 1 1 1 2 1 1  *)
(*> ~2 ~1 ~1 ~1 ~2 ~1 ~1 ~1  | 1 2 2 1 1 2 2 1  | ~2 ~1 ~2 ~1 ~2 ~1 ~2 ~1  *)
(*> 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000  *)
(*> ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000  *)
(*> 1.0 2.0 1.0 | ~2.0 ~1.0 ~1.0 | 2.0 2.0 2.0 | 1E300 1E300 1E300 | Overflow | Overflow | Overflow | Overflow *)
(*> Overflow | Overflow | Overflow | Overflow | Overflow | Domain | no exception | 0.0 0.0 | 1.0 1.0 | ~1.0 ~1.0 *)
(*> 1000000.0 1000000.0 | 123456789.0 123456789.0 | ~42.0 ~42.0 | 1.0 | 10.0 | 100000.0 | 1000000000.0 | 10000000000.0 *)
(*> 100000000000.0 | 123456789.0 | 0.1 | 0.01 | 0.001 | 0.0001 | 0.333333333333 | 0.666666666667 | 1E100 | 1E~100 *)
(*> 12345.6789 | 0.5 | 0.25 | ~0.125 | 99999999999.0 | 999999999999.0 | 1E13 *)

(*** reals 2 ***)
(* reals from strings *)
fun show s = print (s ^ ": " ^ (case Real.fromString s of NONE => "none" | SOME x => Real.toString x) ^ "\n")
val () = app show ["1.5", "~1.5", "-1.5", "+2.5", "3", "1E3", "1e~3", "2.5E+2", ".5", "abc", "", "  7.5", "1.5x", "1.", "1.5E", "1.5E~"]
(* the functions of Math *)
fun near (a, b) = print (if Real.abs (a - b) < 1E~9 then "good\n" else "bad " ^ Real.toString a ^ "\n")
val () = app near
  [(Math.sqrt 2.0, 1.41421356237), (Math.sin 1.0, 0.841470984808), (Math.cos 1.0, 0.540302305868), (Math.tan 1.0, 1.55740772465),
   (Math.asin 0.5, 0.523598775598), (Math.acos 0.5, 1.0471975512), (Math.atan 1.0, 0.785398163397), (Math.atan2 (1.0, ~1.0), 2.35619449019),
   (Math.exp 1.0, Math.e), (Math.pow (2.0, 10.0), 1024.0), (Math.ln 10.0, 2.30258509299), (Math.log10 1000.0, 3.0), (Math.sinh 1.0, 1.17520119364),
   (Math.cosh 1.0, 1.54308063482), (Math.tanh 1.0, 0.761594155956), (Math.pi, 3.14159265359), (Real.Math.sqrt 9.0, 3.0)]
(* functions of Math outside of their domain *)
val () = app (fn x => print (Bool.toString (Real.isNan x) ^ "\n")) [Math.sqrt ~1.0, Math.ln ~1.0, Math.asin 2.0, Math.acos 2.0, Math.pow (~8.0, 0.5)]
val () = app (fn x => print (Real.toString x ^ "\n")) [Math.ln 0.0, Math.exp 1000.0, Math.exp ~1000.0, Math.sqrt 0.0, Math.pow (0.0, 0.0), 1E300 * 1E300]
(* a sum of many reals *)
fun sum (0, s) = s | sum (n, s) = sum (n - 1, s + 1.0 / real n)
val () = print (Real.toString (sum (100000, 0.0)) ^ "\n")
(* zero has a sign *)
val () = print (Real.toString (1.0 / ~0.0) ^ " " ^ Real.toString (~0.0) ^ " " ^ Real.toString (0.0 * ~1.0) ^ "\n")
(*> 1.5: 1.5 | ~1.5: ~1.5 | -1.5: ~1.5 | +2.5: 2.5 | 3: 3.0 | 1E3: 1000.0 | 1e~3: 0.001 | 2.5E+2: 250.0 | .5: 0.5 *)
(*> abc: none | : none |   7.5: 7.5 | 1.5x: 1.5 | 1.: 1.0 | 1.5E: 1.5 | 1.5E~: 1.5 | good | good | good | good | good *)
(*> good | good | good | good | good | good | good | good | good | good | good | good | true | true | true | true *)
(*> true | ~inf | inf | 0.0 | 0.0 | 1.0 | inf | 12.0901461299 | ~inf ~0.0 ~0.0 *)

(*** reals 3 ***)
(* nan is unordered *)
val nan = Real.posInf - Real.posInf
val zero = 0.0
fun order LESS = "less" | order EQUAL = "equal" | order GREATER = "greater"
fun try f x = print (f x ^ "\n") handle e => print (exnName e ^ "\n")
fun bool f x = Bool.toString (f x)
val pairs = [(nan, 1.0), (1.0, nan), (nan, nan), (1.0, 1.0), (1.0, 2.0), (Real.posInf, Real.negInf), (0.0, ~0.0)]
val () = app (try (order o Real.compare)) pairs
val () = app (try (fn p => case Real.compareReal p of IEEEReal.LESS => "L" | IEEEReal.EQUAL => "E" | IEEEReal.GREATER => "G" | IEEEReal.UNORDERED => "U")) pairs
val () = app (try (fn p => concat (map (fn f => if f p then "t" else "f") [Real.?=, Real.unordered, Real.==, Real.!=, Real.<, Real.<=, Real.>, Real.>=]))) pairs
val () = app (try (bool Real.sameSign)) [(~0.0, 1.0), (~1.0, Real.negInf), (0.0, Real.posInf)]
val () = app (try (Real.toString o Real.min)) pairs
val () = app (try (Real.toString o Real.max)) pairs
val specials = [nan, Real.posInf, Real.negInf, 0.0, ~0.0, 1.5, ~2.5, 4.9E~324, 1E~310, 2.2250738585072014E~308, ~1E300]
val () = app (try (Int.toString o Real.sign)) specials
val () = app (try (Real.toString o Real.checkFloat)) specials
val () = app (try (fn x => concat (map (fn f => if f x then "t" else "f") [Real.isNan, Real.isFinite, Real.isNormal]))) specials
val () = app (try (bool Real.signBit)) (tl specials)
val () = app (try (fn x => case Real.class x of IEEEReal.NAN => "nan" | IEEEReal.INF => "inf" | IEEEReal.ZERO => "zero" | IEEEReal.NORMAL => "normal" | IEEEReal.SUBNORMAL => "subnormal")) specials
(* rounding *)
val modes = [IEEEReal.TO_NEAREST, IEEEReal.TO_NEGINF, IEEEReal.TO_POSINF, IEEEReal.TO_ZERO]
val () = app (fn x => app (fn m => try (fn x => Int.toString (Real.toInt m x)) x) modes) [2.5, ~2.5, nan, Real.posInf, 1E19]
val () = app (try (Real.toString o Real.realRound)) [0.5, 1.5, 2.5, ~3.5, 1E300, nan, Real.negInf]
val () = app (try (fn x => let val {whole, frac} = Real.split x in Real.toString whole ^ " " ^ Real.toString frac ^ " " ^ Real.toString (Real.realMod x) end))
  [3.25, ~3.25, 0.0, Real.posInf, Real.negInf, nan, 1E300]
val () = app (try (Real.toString o Real.rem)) [(7.5, 2.0), (~7.5, 2.0), (7.5, ~2.0), (1.0, 0.0), (1.0, Real.posInf), (nan, 1.0)]
val () = app (try (Real.toString o Real.copySign)) [(3.0, ~0.0), (~3.0, 1.0), (Real.posInf, ~1.0)]
val () = app (try (fn p => Real.fmt (StringCvt.GEN (SOME 17)) (Real.nextAfter p))) [(1.0, 2.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (Real.posInf, 0.0)]
val () = try (fn () => Int.toString (Real.toLargeInt IEEEReal.TO_ZERO (Real.fromLargeInt 123456789) + Real.radix + Real.precision)) ()
val () = app (try Real.toString) [Real.minPos, Real.minNormalPos, LargeReal.maxFinite]
(* powers *)
val () = app (try (Real.toString o Math.pow))
  [(~1.0, 3.0), (1.0, 5.0), (nan, 0.0), (nan, 1.0), (2.0, nan), (0.0, ~1.0), (~0.0, ~3.0), (~8.0, 0.5),
   (Real.negInf, 3.0), (0.5, Real.posInf), (2.0, Real.negInf)]
val () = app (try (Real.toString o Math.atan2)) [(zero, ~0.0), (~0.0, ~1.0), (1.0, Real.posInf), (Real.posInf, Real.negInf), (nan, 1.0)]
val () = app (fn f => try (Real.toString o f) nan) [Math.sqrt, Math.sin, Math.exp, Math.ln, Math.tanh, Real.realFloor, Real.abs, Real.~]
val () = app (fn f => try (Real.toString o f) Real.negInf) [Math.sqrt, Math.cos, Math.exp, Math.ln, Math.tanh, Math.atan, Real.realFloor, Real.abs]
(*> Unordered | Unordered | Unordered | equal | less | greater | equal | U | U | U | E | L | G | E | ttftffff *)
(*> ttftffff | ttftffff | tftfftft | ffftttff | ffftfftt | tftfftft | false | true | true | 1.0 | 1.0 | nan | 1.0 *)
(*> 1.0 | ~inf | ~0.0 | 1.0 | 1.0 | nan | 1.0 | 2.0 | inf | ~0.0 | Domain | 1 | ~1 | 0 | 0 | 1 | ~1 | 1 | 1 | 1 | ~1 *)
(*> Div | Overflow | Overflow | 0.0 | ~0.0 | 1.5 | ~2.5 | 4.94065645841E~324 | 1E~310 | 2.22507385851E~308 | ~1E300 *)
(*> tff | fff | fff | ftf | ftf | ftt | ftt | ftf | ftf | ftt | ftt | false | true | false | true | false | true *)
(*> false | false | false | true | nan | inf | inf | zero | zero | normal | normal | subnormal | subnormal | normal *)
(*> normal | 2 | 2 | 3 | 2 | ~2 | ~3 | ~2 | ~2 | Domain | Domain | Domain | Domain | Overflow | Overflow | Overflow *)
(*> Overflow | Overflow | Overflow | Overflow | Overflow | 0.0 | 2.0 | 2.0 | ~4.0 | 1E300 | nan | ~inf | 3.0 0.25 0.25 *)
(*> ~3.0 ~0.25 ~0.25 | 0.0 0.0 0.0 | inf 0.0 0.0 | ~inf ~0.0 ~0.0 | nan nan nan | 1E300 0.0 0.0 | 1.5 | ~1.5 | 1.5 *)
(*> nan | 1.0 | nan | ~3.0 | 3.0 | ~inf | 1.0000000000000002 | 0.99999999999999989 | 4.9406564584124654E~324 | 1.0 *)
(*> 1.7976931348623157E308 | 123456844 | 4.94065645841E~324 | 2.22507385851E~308 | 1.79769313486E308 | ~1.0 | 1.0 *)
(*> 1.0 | nan | nan | inf | ~inf | nan | ~inf | 0.0 | 0.0 | 3.14159265359 | ~3.14159265359 | 0.0 | 2.35619449019 | nan *)
(*> nan | nan | nan | nan | nan | nan | nan | nan | nan | nan | 0.0 | nan | ~1.0 | ~1.57079632679 | ~inf | inf *)

(*** reals 4 ***)
(* reals by form *)
val nan = Real.posInf - Real.posInf
fun try f x = print (f x ^ "\n") handle e => print (exnName e ^ "\n")
val forms = [StringCvt.SCI NONE, StringCvt.SCI (SOME 0), StringCvt.SCI (SOME 3), StringCvt.FIX NONE, StringCvt.FIX (SOME 0), StringCvt.FIX (SOME 2),
             StringCvt.GEN NONE, StringCvt.GEN (SOME 1), StringCvt.GEN (SOME 3), StringCvt.GEN (SOME 17), StringCvt.EXACT]
val numbers = [0.0, ~0.0, 1.0, ~1.5, 0.1, 2.0 / 3.0, 123456.789, 0.00012345, 99.995, 1E22, 1.0E~100, ~1E300, 999999999999.0, 9.9999E11, 4.9E~324]
val () = app (fn x => print (String.concatWith " " (map (fn f => Real.fmt f x) forms) ^ "\n")) numbers
val () = app (fn x => app (fn f => try (Real.fmt f) x) forms) [nan, Real.posInf, Real.negInf]
val () = app (fn f => (ignore (Real.fmt (f ())); print "taken\n") handle Size => print "Size\n")
  [fn () => StringCvt.SCI (SOME ~1), fn () => StringCvt.FIX (SOME ~1), fn () => StringCvt.GEN (SOME 0), fn () => StringCvt.GEN (SOME 1)]
val () = app (try (fn n => Time.fmt n (Time.fromMilliseconds 1500))) [0, 2]
(* scanning *)
val () = try (fn s => Real.toString (valOf (StringCvt.scanString Real.scan s))) " 12.5e1"
(* what StringCvt does with texts and readers *)
val () = app (fn s => print (s ^ "|\n")) [StringCvt.padLeft #"*" 5 "ab", StringCvt.padRight #"*" 5 "ab", StringCvt.padLeft #" " 1 "ab"]
val text = explode "  ab1"
val () = print (StringCvt.takel Char.isAlpha List.getItem (StringCvt.skipWS List.getItem text) ^ "\n")
val () = print (implode (StringCvt.dropl Char.isSpace List.getItem text) ^ " " ^ #1 (StringCvt.splitl Char.isSpace List.getItem text) ^ ".\n")
val () = app (try Real.toString) [0.0001, 0.00012345678901234, 123456789012.0, 1234567890123.0, 0.1 + 0.2, 1E11, 1E12]
(*> 0.000000E0 0E0 0.000E0 0.000000 0 0.00 0.0 0.0 0.0 0.0 0.0 *)
(*> ~0.000000E0 ~0E0 ~0.000E0 ~0.000000 ~0 ~0.00 ~0.0 ~0.0 ~0.0 ~0.0 ~0.0 *)
(*> 1.000000E0 1E0 1.000E0 1.000000 1 1.00 1.0 1.0 1.0 1.0 0.1E1 *)
(*> ~1.500000E0 ~2E0 ~1.500E0 ~1.500000 ~2 ~1.50 ~1.5 ~2.0 ~1.5 ~1.5 ~0.15E1 *)
(*> 1.000000E~1 1E~1 1.000E~1 0.100000 0 0.10 0.1 0.1 0.1 0.10000000000000001 0.1 *)
(*> 6.666667E~1 7E~1 6.667E~1 0.666667 1 0.67 0.666666666667 0.7 0.667 0.66666666666666663 0.6666666666666666 *)
(*> 1.234568E5 1E5 1.235E5 123456.789000 123457 123456.79 123456.789 1E5 1.23E5 123456.789 0.123456789E6 *)
(*> 1.234500E~4 1E~4 1.234E~4 0.000123 0 0.00 0.00012345 0.0001 0.000123 0.00012344999999999999 0.12345E~3 *)
(*> 9.999500E1 1E2 1.000E2 99.995000 100 100.00 99.995 1E2 100.0 99.995000000000005 0.99995E2 *)
(*> 1.000000E22 1E22 1.000E22 10000000000000000000000.000000 10000000000000000000000 10000000000000000000000.00 1E22 1E22 1E22 1E22 0.1E23 *)
(*> 1.000000E~100 1E~100 1.000E~100 0.000000 0 0.00 1E~100 1E~100 1E~100 1E~100 0.1E~99 *)
(*> ~1.000000E300 ~1E300 ~1.000E300 ~1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160.000000 ~1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160 ~1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160.00 ~1E300 ~1E300 ~1E300 ~1.0000000000000001E300 ~0.1E301 *)
(*> 1.000000E12 1E12 1.000E12 999999999999.000000 999999999999 999999999999.00 999999999999.0 1E12 1E12 999999999999.0 0.999999999999E12 *)
(*> 9.999900E11 1E12 1.000E12 999990000000.000000 999990000000 999990000000.00 999990000000.0 1E12 1E12 999990000000.0 0.99999E12 *)
(*> 4.940656E~324 5E~324 4.941E~324 0.000000 0 0.00 4.94065645841E~324 5E~324 4.94E~324 4.9406564584124654E~324 0.5E~323 *)
(*> nan | nan | nan | nan | nan | nan | nan | nan | nan | nan | nan | inf | inf | inf | inf | inf | inf | inf | inf *)
(*> inf | inf | inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | ~inf | Size | Size | Size *)
(*> taken | 2 | 1.50 | 125.0 | ***ab| | ab***| | ab| | ab | ab1   . | 0.0001 | 0.000123456789012 | 123456789012.0 *)
(*> 1.23456789012E12 | 0.3 | 100000000000.0 | 1E12 *)

(*** reals as the Basis has them (not Poly/ML) ***)
(* Poly/ML writes these without exponents. *)
val nan = Real.posInf - Real.posInf
fun try f x = print (f x ^ "\n") handle e => print (exnName e ^ "\n")
val () = app (try Real.toString) [0.00001, 3.0E~5, ~0.000012345, 0.00009999999999999, 0.000099999999999999, 0.000001]
val () = app (try (Real.toString o Math.pow)) [(1.0, nan), (1.0, Real.posInf), (~1.0, Real.negInf)]
val () = try Real.toString (Real.realRound ~0.5)
val () = try (Time.fmt ~1) (Time.fromMilliseconds 1500)
val () = app (try (Time.toString o Time.fromReal)) [nan, Real.posInf, 1E30, 0.25]
(* scanning *)
val rest = fn (x, s) => Real.toString x ^ "|" ^ implode s
fun scan s = case Real.scan List.getItem (explode s) of NONE => "none" | SOME p => rest p
val () = app (try scan)
  ["1.5x", " ~2.25e3.", "+.5", "1e", "1E+", "2e~1z", "infinit", "~INFINITYx", "nano", "e5", "", "~", ".", "1..2", "- 1", "00.10e01", "1e999"]
(*> 1E~5 | 3E~5 | ~1.2345E~5 | 0.0001 | 0.0001 | 1E~6 | nan | nan | nan | ~0.0 | Size | Time | Time | Time | 0.250 *)
(*> 1.5|x | ~2250.0|. | 0.5| | 1.0|e | 1.0|E+ | 0.2|z | inf|init | ~inf|x | nan|o | none | none | none | none *)
(*> 1.0|..2 | none | 1.0| | inf| *)
