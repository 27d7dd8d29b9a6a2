(*** integers 1 ***)
(* quotients and remainders of all signs *)
val pairs = [(7, 2), (~7, 2), (7, ~2), (~7, ~2), (6, 3), (~6, 3), (6, ~3), (0, 5), (0, ~5), (1, 9), (~1, 9)]
fun show (a, b) =
  print (concat [Int.toString a, " ", Int.toString b, ": ", Int.toString (a div b), " ", Int.toString (a mod b), " ",
                 Int.toString (Int.quot (a, b)), " ", Int.toString (Int.rem (a, b)), "\n"])
val () = app show pairs
(* every operator overflows *)
val least = valOf Int.minInt
val greatest = valOf Int.maxInt
fun try name f = print (name ^ " " ^ (Int.toString (f ()) handle Overflow => "Overflow") ^ "\n")
val () = try "+" (fn () => greatest + 1)
val () = try "+ of negative" (fn () => least + ~1)
val () = try "-" (fn () => least - 1)
val () = try "- of negative" (fn () => greatest - ~1)
val () = try "*" (fn () => greatest * 2)
val () = try "* of negative" (fn () => least * ~1)
val () = try "* of squares" (fn () => 3037000500 * 3037000500)
val () = try "* that just fits" (fn () => 3037000499 * 3037000499)
val () = try "~" (fn () => ~least)
val () = try "abs" (fn () => abs least)
val () = try "div" (fn () => least div ~1)
val () = try "quot" (fn () => Int.quot (least, ~1))
val () = try "Int.+" (fn () => Int.+ (greatest, greatest))
val () = try "Int.-" (fn () => Int.- (least, greatest))
val () = try "Int.*" (fn () => Int.* (least, least))
val () = try "Int.~" (fn () => Int.~ least)
val () = try "Int.abs" (fn () => Int.abs least)
val () = try "Int.div" (fn () => Int.div (least, ~1))
val () = try "just fits" (fn () => greatest + least)
val () = try "just fits" (fn () => ~greatest - 1)
(* the remainder of the least int by ~1 *)
val least = valOf Int.minInt
val () = print (Int.toString (least mod ~1) ^ "\n")
val () = print (Int.toString (Int.rem (least, ~1)) ^ "\n")
(* division by zero *)
fun try f = (ignore (f ()); print "no exception\n") handle Div => print "Div\n"
val zero = size ""
val () = try (fn () => 1 div zero)
val () = try (fn () => 1 mod zero)
val () = try (fn () => Int.quot (1, zero))
val () = try (fn () => Int.rem (1, zero))
val () = try (fn () => Int.div (0, zero))
val () = try (fn () => Int.mod (0, zero))
val () = try (fn () => Word.toInt (0w1 div Word.fromInt zero))
val () = try (fn () => Word.toInt (0w1 mod Word.fromInt zero))
val () = try (fn () => Word8.toInt (Word8.div (0w1, 0w0)))
val () = try (fn () => Word8.toInt (Word8.mod (0w1, 0w0)))
(* comparisons of integers *)
fun b x = if x then "t" else "f"
fun show (i : int, j) =
  print (concat [b (i < j), b (i <= j), b (i > j), b (i >= j), b (i = j), b (i <> j), b (Int.< (i, j)), b (Int.<= (i, j)), b (Int.> (i, j)),
                 b (Int.>= (i, j)), case Int.compare (i, j) of LESS => "<" | EQUAL => "=" | GREATER => ">", "\n"])
val () = app show [(1, 2), (2, 1), (2, 2), (~1, 1), (1, ~1), (valOf Int.minInt, valOf Int.maxInt), (valOf Int.maxInt, valOf Int.minInt)]
(* the functions of Int *)
fun p i = print (Int.toString i ^ "\n")
val () = app p [Int.min (3, ~4), Int.max (3, ~4), Int.sign ~9, Int.sign 0, Int.sign 9, Int.abs ~5, abs 5, ~ ~5, Int.mod (~7, 3)]
val () = app p [Int.toInt 4, Int.fromInt 5, Int.toLarge 6, Int.fromLarge 7, LargeInt.+ (1, 2), Position.* (2, 3)]
val () = print (Bool.toString (Int.sameSign (3, 4)) ^ Bool.toString (Int.sameSign (~3, 4)) ^ Bool.toString (Int.sameSign (0, 0)) ^ "\n")
val () = p (valOf Int.precision)
(*> 7 2: 3 1 3 1 | ~7 2: ~4 1 ~3 ~1 | 7 ~2: ~4 ~1 ~3 1 | ~7 ~2: 3 ~1 3 ~1 | 6 3: 2 0 2 0 | ~6 3: ~2 0 ~2 0 *)
(*> 6 ~3: ~2 0 ~2 0 | 0 5: 0 0 0 0 | 0 ~5: 0 0 0 0 | 1 9: 0 1 0 1 | ~1 9: ~1 8 0 ~1 | + Overflow *)
(*> + of negative Overflow | - Overflow | - of negative Overflow | * Overflow | * of negative Overflow *)
(*> * of squares Overflow | * that just fits 9223372030926249001 | ~ Overflow | abs Overflow | div Overflow *)
(*> quot Overflow | Int.+ Overflow | Int.- Overflow | Int.* Overflow | Int.~ Overflow | Int.abs Overflow *)
(*> Int.div Overflow | just fits ~1 | just fits ~9223372036854775808 | 0 | 0 | Div | Div | Div | Div | Div | Div | Div *)
(*> Div | Div | Div | ttffftttff< | ffttftfftt> | ftfttfftft= | ttffftttff< | ffttftfftt> | ttffftttff< | ffttftfftt> *)
(*> ~4 | 3 | ~1 | 0 | 1 | 5 | 5 | 5 | 2 | 4 | 5 | 6 | 7 | 3 | 6 | truefalsetrue | 64 *)

(*** integers 2 ***)
(* integers from strings *)
fun show s = print (s ^ ": " ^ (case Int.fromString s of NONE => "none" | SOME i => Int.toString i) ^ "\n")
val () = app show ["12", "~12", "-12", "+7", "  5", "12abc", "abc", "", "~", "- 5", "0012", "\t\n9", "1 2", "9223372036854775807", "~9223372036854775808"]
(* an integer from a string overflows *)
fun try s = (ignore (Int.fromString s); print "no exception\n") handle Overflow => print "Overflow\n"
val () = app try ["9223372036854775808", "~9223372036854775809", "99999999999999999999999"]
(* wide products and sums in a loop *)
fun fact 0 = 1 | fact n = n * fact (n - 1)
val () = app (fn n => print (Int.toString (fact n) ^ "\n")) [0, 1, 5, 10, 20]
val () = print (Int.toString (fact 21) handle Overflow => "Overflow") before print "\n"
(* powers of two up to the overflow *)
fun count (n : int, i : int) = case SOME (n + n) handle Overflow => NONE of SOME m => count (m, i + 1) | NONE => i
val () = print (Int.toString (count (1, 0)) ^ "\n")
val () = print (Int.toString (count (~1, 0)) ^ "\n")
(* order of the operators *)
val () = app (fn i => print (Int.toString i ^ "\n"))
  [1 + 2 * 3, (1 + 2) * 3, 10 - 3 - 2, 7 div 2 * 2, ~3 + 5, 2 * ~3, 10 mod 4 + 1, 1 - ~1]
val () = print (Bool.toString (1 + 2 < 4 andalso 3 * 3 = 9 orelse false) ^ "\n")
(*> 12: 12 | ~12: ~12 | -12: ~12 | +7: 7 |   5: 5 | 12abc: 12 | abc: none | : none | ~: none | - 5: none | 0012: 12 *)
(*> 	 | 9: 9 | 1 2: 1 | 9223372036854775807: 9223372036854775807 | ~9223372036854775808: ~9223372036854775808 *)
(*> Overflow | Overflow | Overflow | 1 | 1 | 120 | 3628800 | 2432902008176640000 | Overflow | 62 | 63 | 7 | 9 | 5 | 6 *)
(*> 2 | ~6 | 3 | 2 | true *)

(*** overloading with no other type is int (not Poly/ML) ***)
fun add (a, b) = a + b
fun less (a, b) = a < b
fun negate a = ~a
val () = print (Int.toString (add (3, 4)) ^ Bool.toString (less (1, 2)) ^ Int.toString (negate 5) ^ "\n")
(*> 7true~5 *)
