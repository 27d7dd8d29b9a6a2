(*** missing operand ***)
val x = (1 + ) val y = 2
(*! 1:14: error: ')' is unexpected; expected an expression *)

(*** missing operand at the end ***)
val x = 1 +
(*! 1:12: error: the end of the file is unexpected; expected an expression *)

(*** operator without operands (not Poly/ML) ***)
val x = map + xs val y = + val z = (+)
(*! 1:26: error: '+' is an infix operator, and an operand is missing before it; write 'op +' for the function itself *)
(*! 1:37: error: '+' is an infix operator, and an operand is missing before it; write 'op +' for the function itself *)

(*** operator first (not Poly/ML) ***)
val x = - 3
(*! 1:9: error: '-' is an infix operator, and an operand is missing before it; write 'op -' for the function itself *)

(*** if without else ***)
val x = if a then b
val y = 1
(*! 2:1: error: 'val' is unexpected; expected 'else'; every 'if' has one *)
(*! 1:9: note: this is the 'if' *)

(*** if without then ***)
val x = if a b else c
(*! 1:16: error: 'else' is unexpected; expected 'then' after the condition of 'if' *)

(*** while without do ***)
val x = while a b
(*! 1:18: error: the end of the file is unexpected; expected 'do' after the condition of 'while' *)

(*** case without of ***)
val x = case a b => c
(*! 1:18: error: '=>' is unexpected; expected 'of' after the expression of 'case' *)

(*** case without rules ***)
val x = case a of
(*! 1:18: error: the end of the file is unexpected; expected a pattern *)

(*** bar before the first rule ***)
val x = (case 1 of | 1 => 2)
(*! 1:20: error: '|' is unexpected; expected a pattern *)

(*** arrow of types in a rule ***)
val f = fn x -> x
val g = case y of 1 -> 2 | _ => 3
(*! 1:14: error: '->' is unexpected; expected '=>' after the pattern of a rule *)
(*! 2:21: error: '->' is unexpected; expected '=>' after the pattern of a rule *)

(*** equals sign in a rule ***)
val f = fn x = x
(*! 1:14: error: '=' is unexpected; expected '=>' after the pattern of a rule *)

(*** a clause within the case of the one before ***)
fun f x = case x of 1 => 2 | f y = 3
(*! 1:34: error: '=' is unexpected; expected '=>' after the pattern of a rule *)
(*! 1:21: note: the rules begin here; put them in parentheses, with the word in front of them, if a clause of a function follows *)

(*** comma behind the last element ***)
val _ = [1, 2, ] val y = (1, )
(*! 1:16: error: ']' is unexpected; expected an expression *)
(*! 1:30: error: ')' is unexpected; expected an expression *)

(*** semicolon behind the last step ***)
val x = (1; 2; ) val y = let in 3; end
(*! 1:16: error: ')' is unexpected; expected an expression *)
(*! 1:36: error: 'end' is unexpected; expected an expression *)

(*** brackets that do not match ***)
val x = [1, 2) val y = (1, 2] val z = {a = 1) val ok = 1
(*! 1:14: error: ')' is unexpected; expected ',' or ']' after an expression *)
(*! 1:9: note: '[' is not closed *)
(*! 1:29: error: ']' is unexpected; expected ',' or ')' after an expression *)
(*! 1:24: note: '(' is not closed *)
(*! 1:45: error: ')' is unexpected; expected ',' or '}' after a field *)
(*! 1:39: note: '{' is not closed *)

(*** bracket without an end ***)
val x = (1 + 2
val y = [1
val z = {a = 1
(*! 2:1: error: 'val' is unexpected; expected ',', ';' or ')' after an expression *)
(*! 1:9: note: '(' is not closed *)
(*! 3:1: error: 'val' is unexpected; expected ',' or ']' after an expression *)
(*! 2:9: note: '[' is not closed *)
(*! 3:15: error: the end of the file is unexpected; expected ',' or '}' after a field *)
(*! 3:9: note: '{' is not closed *)

(*** brackets at the end of the file ***)
val x = ((((1
(*! 1:14: error: the end of the file is unexpected; expected ',', ';' or ')' after an expression *)
(*! 1:12: note: '(' is not closed *)

(*** too many closing brackets ***)
val x = (1)) val y = 2
(*! 1:12: error: ')' is unexpected; expected a declaration *)

(*** several errors in one expression's brackets ***)
val x = f (1 + ) (case) [fn] {a} y
(*! 1:16: error: ')' is unexpected; expected an expression *)
(*! 1:23: error: ')' is unexpected; expected an expression *)
(*! 1:28: error: ']' is unexpected; expected a pattern *)
(*! 1:32: error: '}' is unexpected; expected '=' after the label of a record *)

(*** let without in ***)
val x = let val y = 1 end val z = 2
(*! 1:23: error: 'end' is unexpected; expected a declaration or 'in' *)
(*! 1:9: note: 'let' is not closed *)

(*** let without end ***)
val x = let val y = 1 in y
val z = 2
(*! 2:1: error: 'val' is unexpected; expected ';' or 'end' after an expression *)
(*! 1:9: note: 'let' is not closed *)

(*** let without val ***)
val x = let y = 1 in y end
(*! 1:13: error: 'y' is unexpected; expected a declaration or 'in'; for an expression's effect write 'val _ = …' *)

(*** expression among declarations ***)
val x = let print "x" val y = 1 in y end
(*! 1:13: error: 'print' is unexpected; expected a declaration or 'in'; for an expression's effect write 'val _ = …' *)

(*** open-ended operand ***)
val x = 1 + if a then b else c val y = f fn x => x val z = a :: case b of c => d
(*! 1:13: error: 'if' begins an operand; put the whole operand in parentheses *)
(*! 1:42: error: 'fn' begins an operand; put the whole operand in parentheses *)
(*! 1:65: error: 'case' begins an operand; put the whole operand in parentheses *)

(*** mixed associativity ***)
infix 5 ++ val x = a ++ b :: c
(*! 1:27: error: '::' and '++' have the same precedence, but group to different sides; add parentheses *)

(*** field without a value ***)
val x = {a, b = 1} val y = {a : int}
(*! 1:11: error: ',' is unexpected; expected '=' after the label of a record *)
(*! 1:31: error: ':' is unexpected; expected '=' after the label of a record *)

(*** label that is no label ***)
val x = {01 = 2} val y = {~1 = 2} val z = #0 x
(*! 1:10: error: '01' is unexpected; expected a label *)
(*! 1:27: error: '~1' is unexpected; expected a label *)
(*! 1:44: error: '0' is unexpected; expected a label after '#' *)

(*** labels twice ***)
val x = {a = 1, b = 2, a = 3} val y = {1 = 2, 1 = 3}
(*! 1:24: error: the label 'a' occurs twice; rename one of them *)
(*! 1:10: note: it is here first *)
(*! 1:47: error: the label '1' occurs twice; rename one of them *)
(*! 1:40: note: it is here first *)

(*** selector without a label ***)
val x = #
(*! 1:10: error: the end of the file is unexpected; expected a label after '#' *)

(*** op without a name ***)
val x = op val y = op 3
(*! 1:12: error: 'val' is unexpected; expected a name after 'op' *)
(*! 1:23: error: '3' is unexpected; expected a name after 'op' *)

(*** wildcard in an expression ***)
val x = _ val y = f _
(*! 1:9: error: '_' is unexpected; expected an expression *)
(*! 1:21: error: '_' is unexpected; expected a declaration *)

(*** type variable in an expression ***)
val x = 'a
(*! 1:9: error: ''a' is unexpected; expected an expression *)

(*** handle without rules ***)
val x = a handle
(*! 1:17: error: the end of the file is unexpected; expected a pattern *)

(*** type without a type ***)
val x = a : val y = b : 3
(*! 1:13: error: 'val' is unexpected; expected a type *)
(*! 1:25: error: '3' is unexpected; expected a type *)

(*** declaration words in brackets ***)
val x = (val y = 1) val z = 3
(*! 1:10: error: 'val' is unexpected; expected an expression *)

(*** an error within let within brackets ***)
val x = (let val y = ) in y end, 2) val z = ]
(*! 1:22: error: ')' is unexpected; expected an expression *)
(*! 1:45: error: ']' is unexpected; expected an expression *)
