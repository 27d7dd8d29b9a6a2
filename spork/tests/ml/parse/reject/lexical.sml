(*** comment without an end ***)
val x = 1 (* (* *)
val y = 2
(*! 1:11: error: the comment has no end; write '*)' where it ends *)

(*** strings, characters, and bytes that begin nothing ***)
val x = "abc
val y = 2
val x = "abc
val x = "a\qb" val y = "\é"
val x = ["\12", "\256", "\u12", "\^a"] val y = "\u1234"
val x = "a\  b"
val x = "a	b"
val x = [#"", #"ab"]
val x = #"é"
val é = 日本 val ok = 1
val x = .3 val y = List . map
val x =  3 val y = 
(*! 1:9: error: the string has no end on its line; write '"' where it ends, and \n for a line's end in it *)
(*! 3:9: error: the string has no end on its line; write '"' where it ends, and \n for a line's end in it *)
(*! 4:11: error: '\q' in a string: there is no such escape; a backslash itself is written \\ *)
(*! 4:25: error: '\é' in a string: there is no such escape; a backslash itself is written \\ *)
(*! 5:11: error: '\12' in a string: a number takes three digits, such as \009 *)
(*! 5:18: error: '\256' in a string: characters are bytes, up to 255; write the character itself, which is UTF-8 *)
(*! 5:26: error: '\u12' in a string: '\u' takes four hexadecimal digits *)
(*! 5:34: error: '\^' in a string: '\^' takes a character from @ to _ *)
(*! 5:49: error: '\u1234' in a string: characters are bytes, up to 255; write the character itself, which is UTF-8 *)
(*! 6:11: error: '\  ' in a string: the gap that the backslash begins has no end; write another backslash behind the blanks *)
(*! 7:11: error: the control character 9 stands in a string; write it as an escape, such as \t or \ddd *)
(*! 8:10: error: the character '""' has 0 bytes; it must have one, and a string has any number *)
(*! 8:15: error: the character '"ab"' has 2 bytes; it must have one, and a string has any number *)
(*! 9:9: error: the character '"é"' has 2 bytes; it must have one, and a string has any number *)
(*! 10:5: error: 'é' begins nothing in this language; remove it *)
(*! 10:10: error: '日' begins nothing in this language; remove it *)
(*! 11:9: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 11:25: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 12:9: error: byte 1 begins nothing in this language; remove it *)
(*! 12:22: error: byte 127 begins nothing in this language; remove it *)

(*** names, reals and bytes that are no UTF-8 ***)
val _x = 3
val x = 3. val y = 1.e5
val x = "a��b" val y = 1
(* �� *) val x = )
(*! 1:5: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 2:10: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 2:21: error: '.' begins nothing in this language; remove it, or write a name on both sides without blanks *)
(*! 3:11: error: byte 255 in a string is not part of a UTF-8 character; save the file as UTF-8, or write the byte as \ddd *)
(*! 4:4: error: byte 192 in a comment is not part of a UTF-8 character; save the file as UTF-8 *)
(*! 4:18: error: ')' is unexpected; expected an expression *)

(*** reserved word in a qualified name (not Poly/ML) ***)
val x = A.end val y = A.= val z = A.val.x
(*! 1:11: error: 'end' is a reserved word; a qualified name cannot have it *)
(*! 1:25: error: '=' is a reserved word; a qualified name cannot have it *)
(*! 1:37: error: 'val' is a reserved word; a qualified name cannot have it *)

(*** a byte order mark, and characters of names and of quotes ***)
﻿val x = )
val naïve = 1 val y = “hi”
(*! 1:9: error: ')' is unexpected; expected an expression *)
(*! 2:7: error: 'ï' begins nothing in this language; remove it *)
(*! 2:24: error: '“' begins nothing in this language; remove it *)
(*! 2:29: error: '”' begins nothing in this language; remove it *)

(*** a file in UTF-16 ***)
��val
(*! 1:1: error: the file begins as UTF-16; save it as UTF-8 *)
