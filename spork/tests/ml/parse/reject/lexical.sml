(*** comment without an end ***)
val x = 1 (* (* *)
val y = 2
(*! 1:11: error: the comment has no end; write '*)' where it ends *)

(*** string without an end ***)
val x = "abc
val y = 2
(*! 1:9: error: the string has no end on its line; write '"' where it ends, and \n for a line's end in it *)

(*** string without an end, at the end ***)
val x = "abc
(*! 1:9: error: the string has no end on its line; write '"' where it ends, and \n for a line's end in it *)

(*** unknown escape ***)
val x = "a\qb" val y = "\é"
(*! 1:11: error: '\q' in a string: there is no such escape; a backslash itself is written \\ *)
(*! 1:25: error: '\é' in a string: there is no such escape; a backslash itself is written \\ *)

(*** numbers in escapes ***)
val x = ["\12", "\256", "\u12", "\^a"] val y = "\u1234"
(*! 1:11: error: '\12' in a string: a number takes three digits, such as \009 *)
(*! 1:18: error: '\256' in a string: characters are bytes, up to 255; write the character itself, which is UTF-8 *)
(*! 1:26: error: '\u12' in a string: '\u' takes four hexadecimal digits *)
(*! 1:34: error: '\^' in a string: '\^' takes a character from @ to _ *)
(*! 1:49: error: '\u1234' in a string: characters are bytes, up to 255; write the character itself, which is UTF-8 *)

(*** gap without an end ***)
val x = "a\  b"
(*! 1:11: error: '\  ' in a string: the gap that the backslash begins has no end; write another backslash behind the blanks *)

(*** control character in a string ***)
val x = "a	b"
(*! 1:11: error: the control character 9 stands in a string; write it as an escape, such as \t or \ddd *)

(*** characters of a wrong length ***)
val x = [#"", #"ab"]
(*! 1:10: error: the character '""' has 0 bytes; it must have one, and a string has any number *)
(*! 1:15: error: the character '"ab"' has 2 bytes; it must have one, and a string has any number *)

(*** character of two bytes ***)
val x = #"é"
(*! 1:9: error: the character '"é"' has 2 bytes; it must have one, and a string has any number *)

(*** UTF-8 outside of strings ***)
val é = 日本 val ok = 1
(*! 1:5: error: 'é' begins nothing in this language; remove it *)
(*! 1:10: error: '日' begins nothing in this language; remove it *)

(*** lonely dots ***)
val x = .3 val y = List . map
(*! 1:9: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 1:25: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)

(*** reserved word in a qualified name (not Poly/ML) ***)
val x = A.end val y = A.= val z = A.val.x
(*! 1:11: error: 'end' is a reserved word; a qualified name cannot have it *)
(*! 1:25: error: '=' is a reserved word; a qualified name cannot have it *)
(*! 1:37: error: 'val' is a reserved word; a qualified name cannot have it *)

(*** control characters outside ***)
val x =  3 val y = 
(*! 1:9: error: byte 1 begins nothing in this language; remove it *)
(*! 1:22: error: byte 127 begins nothing in this language; remove it *)

(*** apostrophes and underscores ***)
val _x = 3
(*! 1:5: error: this pattern cannot have an argument; only a constructor's name can *)

(*** real without digits ***)
val x = 3. val y = 1.e5
(*! 1:10: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 1:21: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)

(*** invalid UTF-8 in a string ***)
val x = "a��b" val y = 1
(*! 1:11: error: byte 255 in a string is not part of a UTF-8 character; save the file as UTF-8, or write the byte as \ddd *)

(*** invalid UTF-8 in a comment ***)
(* �� *) val x = )
(*! 1:4: error: byte 192 in a comment is not part of a UTF-8 character; save the file as UTF-8 *)
(*! 1:18: error: ')' is unexpected; expected an expression *)
