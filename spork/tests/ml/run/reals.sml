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
  [1.0, 10.0, 100000.0, 1E9, 1E10, 1E11, 123456789.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 1.0 / 3.0, 2.0 / 3.0, 1E100, 1E~100, 12345.6789,
   0.5, 0.25, ~0.125, 3.0E~5, 99999999999.0, 999999999999.0, 9999999999999.0]
(*> 3.75 | ~0.75 | 3.0 | 0.25 | ~2.5 | 3.5 | 6.5 | 3.0 | ~1.0 | 6.0 | 0.125 | ~2.0 | 2.0 | ttftffff | ttfttftft *)
(*> tftff | LESSGREATEREQUAL | 1.02.0 | 1.02.01.0 | ~101 | 0 0 0 0 0 0 0 0  | 0 1 0 0 0 1 0 0  | 1 2 2 1 1 2 2 1  *)
(*> 2 3 2 2 2 3 2 2  | ~1 0 0 0 ~1 0 0 0  | ~2 ~1 ~2 ~1 ~2 ~1 ~2 ~1  | ~3 ~2 ~2 ~2 ~3 ~2 ~2 ~2  | 1 2 1 1 1 2 1 1  *)
(*> ~2 ~1 ~1 ~1 ~2 ~1 ~1 ~1  | 1 2 2 1 1 2 2 1  | ~2 ~1 ~2 ~1 ~2 ~1 ~2 ~1  *)
(*> 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000 1000000000000000  *)
(*> ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000 ~1000000000000000  *)
(*> 1.0 2.0 1.0 | ~2.0 ~1.0 ~1.0 | 2.0 2.0 2.0 | 1E300 1E300 1E300 | Overflow | Overflow | Overflow | Overflow *)
(*> Overflow | Overflow | Overflow | Overflow | Overflow | Domain | no exception | 0.0 0.0 | 1.0 1.0 | ~1.0 ~1.0 *)
(*> 1000000.0 1000000.0 | 123456789.0 123456789.0 | ~42.0 ~42.0 | 1.0 | 10.0 | 100000.0 | 1000000000.0 | 10000000000.0 *)
(*> 100000000000.0 | 123456789.0 | 0.1 | 0.01 | 0.001 | 0.0001 | 0.00001 | 0.333333333333 | 0.666666666667 | 1E100 *)
(*> 1E~100 | 12345.6789 | 0.5 | 0.25 | ~0.125 | 0.00003 | 99999999999.0 | 999999999999.0 | 1E13 *)

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
