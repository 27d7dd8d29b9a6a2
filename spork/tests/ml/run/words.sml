(*** words 1 ***)
(* arithmetic of words wraps *)
fun p (w : word) = print (Word.toString w ^ "\n")
val most = Word.notb 0w0
val () = app p [most + 0w1, 0w0 - 0w1, most * most, most * 0w2, 0w7 div 0w2, 0w7 mod 0w4, most div 0w3, most mod 0w10, ~ (0w1 : word)]
val () = app p [Word.+ (0w1, 0w2), Word.- (0w1, 0w2), Word.* (0w3, 0w5), Word.div (0w17, 0w5), Word.mod (0w17, 0w5)]
(* bits of words *)
val () = app p [Word.andb (0wxF0F0, 0wxFF00), Word.orb (0wxF0F0, 0wxFF00), Word.xorb (0wxF0F0, 0wxFF00), Word.notb 0wxFF]
val () = app p [Word.<< (0w1, 0w0), Word.<< (0w1, 0w63), Word.<< (0w1, 0w64), Word.<< (0w1, 0w1000), Word.<< (0wxFFFF, 0w60)]
val () = app p [Word.>> (0wx8000000000000000, 0w63), Word.>> (0wx8000000000000000, 0w64), Word.>> (0wxFF, 0w4), Word.>> (0wxFF, 0w0)]
val () = app p [Word.~>> (0wx8000000000000000, 0w63), Word.~>> (0wx8000000000000000, 0w64), Word.~>> (0wxFF, 0w4), Word.~>> (0wx8000000000000000, 0w1)]
val () = app p [Word.>> (0w1, 0wxFFFFFFFFFFFFFFFF), Word.~>> (0wx8000000000000000, 0wxFFFFFFFFFFFFFFFF)]
(* words are compared without sign *)
val most = Word.notb 0w0
fun b x = print (if x then "t" else "f")
val () = (b (most > 0w0); b (most < 0w0); b (most >= most); b (most <= 0w1); b (Word.> (0w2, 0w1)); b (Word.< (0w2, 0w1)); b (Word.>= (0w1, 0w1));
          b (Word.<= (0w2, 0w1)); b (most = most); b (most <> 0w0); print "\n")
val () = print (case Word.compare (most, 0w1) of LESS => "LESS\n" | EQUAL => "EQUAL\n" | GREATER => "GREATER\n")
val () = print (Word.toString (Word.min (most, 0w1)) ^ Word.toString (Word.max (most, 0w1)) ^ "\n")
(* words and integers *)
fun p i = print (Int.toString i ^ "\n")
val () = app p [Word.toInt 0w5, Word.toIntX (Word.notb 0w0), Word.toIntX 0wx8000000000000000, Word.toLargeInt 0w9]
val () = print (Word.toString (Word.fromInt ~1) ^ " " ^ Word.toString (Word.fromInt (valOf Int.minInt)) ^ " " ^ Word.toString (Word.fromLargeInt 17) ^ "\n")
val () = p (Word.toInt (Word.notb 0w0)) handle Overflow => print "Overflow\n"
val () = p (Word.toInt 0wx8000000000000000) handle Overflow => print "Overflow\n"
val () = p Word.wordSize
val () = print (Word.toString (Word.toLarge 0w3) ^ Word.toString (Word.fromLarge 0w4) ^ Word64.toString 0w5 ^ LargeWord.toString 0w6 ^ "\n")
(* bytes *)
fun p (w : Word8.word) = print (Word8.toString w ^ " " ^ Int.toString (Word8.toInt w) ^ " " ^ Int.toString (Word8.toIntX w) ^ "\n")
val () = app p [0w0, 0w127, 0w128, 0w255, Word8.fromInt 256, Word8.fromInt ~1, Word8.fromInt 1000, Word8.fromLarge 0wx1234]
val () = app p [Word8.+ (0w200, 0w100), Word8.- (0w1, 0w2), Word8.* (0w20, 0w20), Word8.div (0w255, 0w7), Word8.mod (0w255, 0w7)]
val () = app p [Word8.andb (0wxF0, 0wx3C), Word8.orb (0wxF0, 0wx3C), Word8.xorb (0wxF0, 0wx3C), Word8.notb 0wx0F]
val () = app p [Word8.<< (0w1, 0w7), Word8.<< (0w1, 0w8), Word8.<< (0w255, 0w4), Word8.>> (0w255, 0w4), Word8.>> (0w255, 0w8), Word8.>> (0w255, 0w100)]
val a : Word8.word = 0w250
val () = app p [a + 0w10, a * a, a div 0w3, a mod 0w3, ~a]
(* bytes are compared without sign *)
fun b x = print (if x then "t" else "f")
val a : Word8.word = 0w200
val c : Word8.word = 0w100
val () = (b (a > c); b (a < c); b (a >= c); b (a <= c); b (a = c); b (a <> c); b (Word8.> (a, c)); b (Word8.< (a, c)); b (Word8.>= (a, c)); b (Word8.<= (a, c)))
val () = print (case Word8.compare (a, c) of LESS => " LESS\n" | EQUAL => " EQUAL\n" | GREATER => " GREATER\n")
val () = print (Word.toString (Word8.toLarge a) ^ Int.toString Word8.wordSize ^ "\n")
(*> 0 | FFFFFFFFFFFFFFFF | 1 | FFFFFFFFFFFFFFFE | 3 | 3 | 5555555555555555 | 5 | FFFFFFFFFFFFFFFF | 3 *)
(*> FFFFFFFFFFFFFFFF | F | 3 | 2 | F000 | FFF0 | FF0 | FFFFFFFFFFFFFF00 | 1 | 8000000000000000 | 0 | 0 *)
(*> F000000000000000 | 1 | 0 | F | FF | FFFFFFFFFFFFFFFF | FFFFFFFFFFFFFFFF | F | C000000000000000 | 0 *)
(*> FFFFFFFFFFFFFFFF | tftftftftt | GREATER | 1FFFFFFFFFFFFFFFF | 5 | ~1 | ~9223372036854775808 | 9 *)
(*> FFFFFFFFFFFFFFFF 8000000000000000 11 | Overflow | Overflow | 64 | 3456 | 0 0 0 | 7F 127 127 | 80 128 ~128 *)
(*> FF 255 ~1 | 0 0 0 | FF 255 ~1 | E8 232 ~24 | 34 52 52 | 2C 44 44 | FF 255 ~1 | 90 144 ~112 | 24 36 36 | 3 3 3 *)
(*> 30 48 48 | FC 252 ~4 | CC 204 ~52 | F0 240 ~16 | 80 128 ~128 | 0 0 0 | F0 240 ~16 | F 15 15 | 0 0 0 | 0 0 0 *)
(*> 4 4 4 | 24 36 36 | 53 83 83 | 1 1 1 | 6 6 6 | tftffttftf GREATER | C88 *)

(*** words 2 ***)
(* words in patterns *)
fun name (0w0 : word) = "zero" | name 0wxFF = "ff" | name 0w256 = "256" | name _ = "other"
val () = app (fn w => print (name w ^ "\n")) [0w0, 0w255, 0w256, 0w257]
fun byte (0w0 : Word8.word) = "zero" | byte 0wxFF = "ff" | byte _ = "other"
val () = app (fn w => print (byte w ^ "\n")) [0w0, 0w255, 0w1, Word8.fromInt 511]
(*> zero | ff | 256 | other | zero | ff | other | ff *)
