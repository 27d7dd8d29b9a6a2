(*** strings 1 ***)
(* the functions of String *)
fun p s = print (s ^ "\n")
fun n i = print (Int.toString i ^ "\n")
val () = (n (size ""); n (size "abc"); n (String.size "abcd"))
val () = app p ["ab" ^ "cd", String.^ ("ab", ""), concat ["a", "", "bc"], String.concat [], String.concatWith ", " ["x", "y", "z"], String.concatWith "-" [],
                String.concatWith "-" ["one"], str #"q", String.str #"r", implode [#"a", #"b"], String.implode [], substring ("abcdef", 2, 3),
                String.substring ("abcdef", 6, 0), String.extract ("abcdef", 2, NONE), String.extract ("abcdef", 2, SOME 2), String.map Char.toUpper "mixed Case",
                String.translate (fn #"a" => "<a>" | #"b" => "" | c => str c) "abcab"]
val () = (print (str (String.sub ("hello", 1))); print "\n")
val () = (app (fn c => print (Int.toString (ord c) ^ " ")) (String.explode "AZ"); print "\n")
val () = n (length (explode ""))
(* prefixes, suffixes and parts *)
fun b x = print (if x then "t" else "f")
val () = (b (String.isPrefix "ab" "abc"); b (String.isPrefix "" "abc"); b (String.isPrefix "abcd" "abc"); b (String.isPrefix "b" "abc");
          b (String.isSuffix "bc" "abc"); b (String.isSuffix "" ""); b (String.isSuffix "abcd" "abc"); b (String.isSuffix "b" "abc");
          b (String.isSubstring "bc" "abcd"); b (String.isSubstring "" ""); b (String.isSubstring "cb" "abcd"); b (String.isSubstring "abcde" "abcd"); print "\n")
(* fields and tokens *)
fun show l = print ("[" ^ String.concatWith "|" l ^ "]\n")
fun comma c = c = #","
val () = app (show o String.fields comma) ["a,b,c", ",a,,b,", "", ",", "abc"]
val () = app (show o String.tokens comma) ["a,b,c", ",a,,b,", "", ",", "abc"]
val () = show (String.tokens Char.isSpace "  the quick\tbrown\nfox ")
(* comparisons of strings *)
fun o2s LESS = "<" | o2s EQUAL = "=" | o2s GREATER = ">"
fun show (s : string, t) =
  (b (s < t); b (s <= t); b (s > t); b (s >= t); b (s = t); b (s <> t); b (String.< (s, t)); b (String.<= (s, t)); b (String.> (s, t)); b (String.>= (s, t));
   print (o2s (String.compare (s, t)) ^ o2s (String.collate Char.compare (s, t)) ^ "\n"))
val () = app show [("", ""), ("", "a"), ("a", ""), ("abc", "abd"), ("ab", "abc"), ("abcdefgh", "abcdefgh"), ("abcdefghi", "abcdefgh"), ("Z", "a"),
                   ("a\000", "a"), ("\255", "a"), ("12345678a", "12345678b"), ("abcdefg\255", "abcdefgh")]
(* exceptions of String *)
fun try f = (ignore (f ()); print "no exception\n") handle e => print (exnName e ^ "\n")
val () = app try [fn () => String.sub ("abc", 3), fn () => String.sub ("abc", ~1), fn () => String.sub ("", 0), fn () => chr 256, fn () => chr ~1, fn () => Char.chr 1000]
val () = app try [fn () => substring ("abc", 2, 2), fn () => substring ("abc", ~1, 1), fn () => substring ("abc", 4, 0), fn () => substring ("abc", 1, ~1),
                  fn () => String.extract ("abc", 4, NONE), fn () => String.extract ("abc", ~1, NONE), fn () => String.extract ("abc", 1, SOME 3),
                  fn () => substring ("abc", 1, valOf Int.maxInt)]
val () = app try [fn () => Char.succ #"\255", fn () => Char.pred #"\000"]
(* classes of characters *)
val all = List.tabulate (256, chr)
fun show name f =
  let
    val l = List.filter f all
  in
    print (concat [name, " ", Int.toString (length l), " ", Int.toString (foldl (fn (c, h) => (h * 31 + ord c) mod 1000007) 0 l), "\n"])
  end
val () = show "isDigit" Char.isDigit
val () = show "isLower" Char.isLower
val () = show "isUpper" Char.isUpper
val () = show "isAlpha" Char.isAlpha
val () = show "isAlphaNum" Char.isAlphaNum
val () = show "isHexDigit" Char.isHexDigit
val () = show "isSpace" Char.isSpace
val () = show "isPrint" Char.isPrint
val () = show "isGraph" Char.isGraph
val () = show "isPunct" Char.isPunct
val () = show "isCntrl" Char.isCntrl
val () = show "isAscii" Char.isAscii
val () = show "vowel" (Char.contains "aeiou")
val () = show "no vowel" (Char.notContains "aeiou")
(*> 0 | 3 | 4 | abcd | ab | abc |  | x, y, z |  | one | q | r | ab |  | cde |  | cdef | cd | MIXED CASE | <a>c<a> | e *)
(*> 65 90  | 0 | ttffttffttff | [a|b|c] | [|a||b|] | [] | [|] | [abc] | [a|b|c] | [a|b] | [] | [] | [abc] *)
(*> [the|quick|brown|fox] | ftfttfftft== | ttffftttff<< | ffttftfftt>> | ttffftttff<< | ttffftttff<< | ftfttfftft== *)
(*> ffttftfftt>> | ttffftttff<< | ffttftfftt>> | ffttftfftt>> | ttffftttff<< | ffttftfftt>> | Subscript | Subscript *)
(*> Subscript | Chr | Chr | Chr | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript | Subscript *)
(*> Subscript | Chr | Chr | isDigit 10 118528 | isLower 26 696669 | isUpper 26 782620 | isAlpha 52 384824 *)
(*> isAlphaNum 62 944769 | isHexDigit 22 529741 | isSpace 6 235368 | isPrint 95 879659 | isGraph 94 488393 *)
(*> isPunct 32 192212 | isCntrl 33 378398 | isAscii 128 266145 | vowel 5 694247 | no vowel 251 297978 *)

(*** strings 2 ***)
(* the functions of Char *)
fun n i = print (Int.toString i ^ "\n")
val () = app n [Char.ord #"a", ord Char.minChar, ord Char.maxChar, Char.maxOrd, ord (Char.succ #"a"), ord (Char.pred #"b")]
val () = print (String.toString (implode (map Char.toUpper (explode "aZ9\233")) ^ implode (map Char.toLower (explode "aZ9\201"))) ^ "\n")
fun b x = print (if x then "t" else "f")
val () = (b (#"a" < #"b"); b (#"a" <= #"a"); b (#"a" > #"b"); b (#"\255" > #"a"); b (#"a" >= #"b"); b (Char.< (#"a", #"b")); b (Char.<= (#"b", #"a"));
          b (Char.> (#"a", #"b")); b (Char.>= (#"b", #"a")); b (#"x" = #"x"); b (#"x" <> #"x"))
val () = print (case Char.compare (#"a", #"b") of LESS => "LESS\n" | EQUAL => "EQUAL\n" | GREATER => "GREATER\n")
val () = print (String.concatWith " " (map Char.toString (explode "a\n\t\\\"\001\200\127")) ^ "\n")
(* strings in patterns *)
fun day "monday" = 1 | day "tuesday" = 2 | day "" = 0 | day "monda" = ~1 | day _ = 9
val () = app (fn s => print (Int.toString (day s) ^ "\n")) ["monday", "tuesday", "", "monda", "mondays", "x"]
fun vowel #"a" = true | vowel #"e" = true | vowel #"i" = true | vowel #"o" = true | vowel #"u" = true | vowel _ = false
val () = print (Int.toString (length (List.filter vowel (explode "the quick brown fox"))) ^ "\n")
(* strings of all lengths up to 20 *)
val s = "abcdefghijklmnopqrstuvwxyz"
val () = app (fn i => print (substring (s, i mod 7, i) ^ ":" ^ Int.toString (size (substring (s, i mod 7, i) ^ substring (s, 0, i))) ^ "\n")) (List.tabulate (20, fn i => i))
val () = print (Bool.toString (List.all (fn i => implode (explode (substring (s, 3, i))) = substring (s, 3, i)) (List.tabulate (20, fn i => i))) ^ "\n")
(* a long string *)
fun repeat (0, s) = s | repeat (n, s) = repeat (n - 1, s ^ s)
val s = repeat (16, "0123456789")
val () = print (Int.toString (size s) ^ str (String.sub (s, 655359)) ^ "\n")
val () = print (Int.toString (length (String.fields (fn c => c = #"5") s)) ^ "\n")
(* booleans to strings and back *)
val () = print (Bool.toString true ^ Bool.toString false ^ Bool.toString (not true) ^ Bool.toString (Bool.not false) ^ "\n")
fun show s = print (case Bool.fromString s of SOME b => Bool.toString b ^ "\n" | NONE => "none\n")
val () = app show ["true", "false", "x", ""]
(*> 97 | 0 | 255 | 255 | 98 | 97 | AZ9\233az9\201 | ttftftffttfLESS | a \n \t \\ \" \^A \200 \127 | 1 | 2 | 0 | ~1 | 9 *)
(*> 9 | 5 | :0 | b:2 | cd:4 | def:6 | efgh:8 | fghij:10 | ghijkl:12 | abcdefg:14 | bcdefghi:16 | cdefghijk:18 *)
(*> defghijklm:20 | efghijklmno:22 | fghijklmnopq:24 | ghijklmnopqrs:26 | abcdefghijklmn:28 | bcdefghijklmnop:30 *)
(*> cdefghijklmnopqr:32 | defghijklmnopqrst:34 | efghijklmnopqrstuv:36 | fghijklmnopqrstuvwx:38 | true | 6553609 *)
(*> 65537 | truefalsefalsetrue | true | false | none | none *)
