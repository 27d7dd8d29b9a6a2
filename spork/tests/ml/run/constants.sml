(*** constants 1 ***)
(* integers in all notations *)
val () = app (fn i => print (Int.toString i ^ "\n")) [0, ~0, 7, ~7, 0x1F, ~0xff, 0xABCDEF, 9223372036854775807, ~9223372036854775808, 000012]
(* words in all notations *)
val ws : word list = [0w0, 0w255, 0wxFF, 0wxffffffffffffffff, 0w18446744073709551615]
val () = app (fn w => print (Word.toString w ^ "\n")) ws
val bs : Word8.word list = [0w0, 0w7, 0wxff]
val () = app (fn w => print (Word8.toString w ^ "\n")) bs
(* reals in all notations *)
val () = app (fn x => print (Real.toString x ^ "\n"))
  [0.0, ~0.0, 1.0, ~1.5, 3.25, 1E3, 1e~3, 1.5E10, ~2.5e~7, 123456.789, 1E20, 1.0E~10, 0.1, 100.0, 1E12, 123456789012.0, 1234567890123.0]
(* special reals *)
val zero = real (size "")
val () = app (fn x => print (Real.toString x ^ "\n")) [1.0 / zero, ~1.0 / zero, zero / zero, Real.posInf, Real.negInf, Real.maxFinite]
(* escapes in strings *)
val s = "tab\t newline\\n quote\" backslash\\ bell\a code\065\066 control\^A unicode\u0043 gap\
        \ end\n"
val () = print (Int.toString (size s) ^ "\n")
val () = print (String.toString s ^ "\n")
val () = app (fn c => print (Int.toString (ord c) ^ " ")) (explode "\a\b\t\n\v\f\r\\\"\^@\^_\000\255\127")
val () = print "\n"
(* a string over several lines *)
val () = print "one \
   \two \
\three\
   \\n"
(* characters *)
val cs = [#"a", #"Z", #"0", #" ", #"\n", #"\t", #"\\", #"\"", #"\065", #"\255"]
val () = app (fn c => print (Char.toString c ^ " " ^ Int.toString (Char.ord c) ^ "\n")) cs
(*> 0 | 0 | 7 | ~7 | 31 | ~255 | 11259375 | 9223372036854775807 | ~9223372036854775808 | 12 | 0 | FF | FF *)
(*> FFFFFFFFFFFFFFFF | FFFFFFFFFFFFFFFF | 0 | 7 | FF | 0.0 | ~0.0 | 1.0 | ~1.5 | 3.25 | 1000.0 | 0.001 | 15000000000.0 *)
(*> ~2.5E~7 | 123456.789 | 1E20 | 1E~10 | 0.1 | 100.0 | 1E12 | 123456789012.0 | 1.23456789012E12 | inf | ~inf | nan *)
(*> inf | ~inf | 1.79769313486E308 | 72 *)
(*> tab\t newline\\n quote\" backslash\\ bell\a codeAB control\^A unicodeC gap end\n *)
(*> 7 8 9 10 11 12 13 92 34 0 31 0 255 127  | one two three | a 97 | Z 90 | 0 48 |   32 | \n 10 | \t 9 | \\ 92 | \" 34 *)
(*> A 65 | \255 255 *)

(*** constants 2 ***)
(* bytes of a text in UTF-8 *)
val s = "é√"
val () = print (Int.toString (size s) ^ "\n")
val () = app (fn c => print (Int.toString (ord c) ^ "\n")) (explode s)
val () = print (s ^ "\n")
(* unit, the empty tuple and the empty record *)
val a = ()
val b = {}
val () = if a = b then print "equal\n" else print "different\n"
(* a string with every byte *)
val s = implode (List.tabulate (256, chr))
val () = print (Int.toString (size s) ^ "\n")
val () = print (String.toString s ^ "\n")
val () = if List.tabulate (256, fn i => ord (String.sub (s, i))) = List.tabulate (256, fn i => i) then print "good\n" else print "bad\n"
(*> 5 | 195 | 169 | 226 | 136 | 154 | é√ | equal | 256 *)
(*> \^@\^A\^B\^C\^D\^E\^F\a\b\t\n\v\f\r\^N\^O\^P\^Q\^R\^S\^T\^U\^V\^W\^X\^Y\^Z\^[\^\\^]\^^\^_ !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\127\128\129\130\131\132\133\134\135\136\137\138\139\140\141\142\143\144\145\146\147\148\149\150\151\152\153\154\155\156\157\158\159\160\161\162\163\164\165\166\167\168\169\170\171\172\173\174\175\176\177\178\179\180\181\182\183\184\185\186\187\188\189\190\191\192\193\194\195\196\197\198\199\200\201\202\203\204\205\206\207\208\209\210\211\212\213\214\215\216\217\218\219\220\221\222\223\224\225\226\227\228\229\230\231\232\233\234\235\236\237\238\239\240\241\242\243\244\245\246\247\248\249\250\251\252\253\254\255 *)
(*> good *)
