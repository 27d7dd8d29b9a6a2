(*** missing operand ***)
val x = (1 + ) val y = 2
val x = 1 +
(*! 1:14: error: ')' is unexpected; expected an expression *)
(*! 2:12: error: the end of the file is unexpected; expected an expression *)

(*** if and while without their words ***)
val x = if a then b
val y = 1
val x = if a b else c
val x = while a b
(*! 2:1: error: 'val' is unexpected; expected 'else'; every 'if' has one *)
(*! 1:9: note: this is the 'if' *)
(*! 3:16: error: 'else' is unexpected; expected 'then' after the condition of 'if' *)
(*! 4:18: error: the end of the file is unexpected; expected 'do' after the condition of 'while' *)

(*** case without of, and without rules ***)
val x = case a b => c
val x = case a of
(*! 1:18: error: '=>' is unexpected; expected 'of' after the expression of 'case' *)
(*! 2:18: error: the end of the file is unexpected; expected a pattern *)

(*** rules and brackets ***)
val x = (case 1 of | 1 => 2)
val f = fn x -> x
val g = case y of 1 -> 2 | _ => 3
val f = fn x = x
fun f x = case x of 1 => 2 | f y = 3
val _ = [1, 2, ] val y = (1, )
val x = (1; 2; ) val y = let in 3; end
val x = [1, 2) val y = (1, 2] val z = {a = 1) val ok = 1
val x = (1 + 2
val y = [1
val z = {a = 1
(*! 1:20: error: '|' is unexpected; expected a pattern *)
(*! 2:14: error: '->' is unexpected; expected '=>' after the pattern of a rule *)
(*! 3:21: error: '->' is unexpected; expected '=>' after the pattern of a rule *)
(*! 4:14: error: '=' is unexpected; expected '=>' after the pattern of a rule *)
(*! 5:34: error: '=' is unexpected; expected '=>' after the pattern of a rule *)
(*! 5:21: note: the rules begin here; put them in parentheses, with the word in front of them, if a clause of a function follows *)
(*! 6:16: error: ']' is unexpected; expected an expression *)
(*! 6:30: error: ')' is unexpected; expected an expression *)
(*! 7:16: error: ')' is unexpected; expected an expression *)
(*! 7:36: error: 'end' is unexpected; expected an expression *)
(*! 8:14: error: ')' is unexpected; expected ',' or ']' after an expression *)
(*! 8:9: note: '[' is not closed *)
(*! 8:29: error: ']' is unexpected; expected ',' or ')' after an expression *)
(*! 8:24: note: '(' is not closed *)
(*! 8:45: error: ')' is unexpected; expected ',' or '}' after a field *)
(*! 8:39: note: '{' is not closed *)
(*! 10:1: error: 'val' is unexpected; expected ',', ';' or ')' after an expression *)
(*! 9:9: note: '(' is not closed *)
(*! 11:1: error: 'val' is unexpected; expected ',' or ']' after an expression *)
(*! 10:9: note: '[' is not closed *)
(*! 11:15: error: the end of the file is unexpected; expected ',' or '}' after a field *)
(*! 11:9: note: '{' is not closed *)

(*** brackets at the end of the file ***)
val x = ((((1
(*! 1:14: error: the end of the file is unexpected; expected ',', ';' or ')' after an expression *)
(*! 1:12: note: '(' is not closed *)

(*** brackets, let, operands and labels ***)
val x = (1)) val y = 2
val x = f (1 + ) (case) [fn] {a} y
val x = let val y = 1 end val z = 2
val x = let val y = 1 in y
val z = 2
val x = let y = 1 in y end
val x = let print "x" val y = 1 in y end
val x = 1 + if a then b else c val y = f fn x => x val z = a :: case b of c => d
infix 5 ++ val x = a ++ b :: c
val x = {a, b = 1} val y = {a : int}
val x = {01 = 2} val y = {~1 = 2} val z = #0 x
val x = {a = 1, b = 2, a = 3} val y = {1 = 2, 1 = 3}
(*! 1:12: error: ')' is unexpected; expected a declaration *)
(*! 2:16: error: ')' is unexpected; expected an expression *)
(*! 2:23: error: ')' is unexpected; expected an expression *)
(*! 2:28: error: ']' is unexpected; expected a pattern *)
(*! 2:32: error: '}' is unexpected; expected '=' after the label of a record *)
(*! 3:23: error: 'end' is unexpected; expected a declaration or 'in' *)
(*! 3:9: note: 'let' is not closed *)
(*! 5:1: error: 'val' is unexpected; expected ';' or 'end' after an expression *)
(*! 4:9: note: 'let' is not closed *)
(*! 6:13: error: 'y' is unexpected; expected a declaration or 'in'; for an expression's effect write 'val _ = …' *)
(*! 7:13: error: 'print' is unexpected; expected a declaration or 'in'; for an expression's effect write 'val _ = …' *)
(*! 8:13: error: 'if' begins an operand; put the whole operand in parentheses *)
(*! 8:42: error: 'fn' begins an operand; put the whole operand in parentheses *)
(*! 8:65: error: 'case' begins an operand; put the whole operand in parentheses *)
(*! 9:27: error: '::' and '++' have the same precedence, but group to different sides; add parentheses *)
(*! 10:11: error: ',' is unexpected; expected '=' after the label of a record *)
(*! 10:31: error: ':' is unexpected; expected '=' after the label of a record *)
(*! 11:10: error: '01' is unexpected; expected a label *)
(*! 11:27: error: '~1' is unexpected; expected a label *)
(*! 11:44: error: '0' is unexpected; expected a label after '#' *)
(*! 12:24: error: the label 'a' occurs twice; rename one of them *)
(*! 12:10: note: it is here first *)
(*! 12:47: error: the label '1' occurs twice; rename one of them *)
(*! 12:40: note: it is here first *)

(*** selector without a label ***)
val x = #
(*! 1:10: error: the end of the file is unexpected; expected a label after '#' *)

(*** op, wildcard, type variable and handle in wrong places ***)
val x = op val y = op 3
val x = _ val y = f _
val x = 'a
val x = a handle
(*! 1:12: error: 'val' is unexpected; expected a name after 'op' *)
(*! 1:23: error: '3' is unexpected; expected a name after 'op' *)
(*! 2:9: error: '_' is unexpected; expected an expression *)
(*! 2:21: error: '_' is unexpected; expected a declaration *)
(*! 3:9: error: ''a' is unexpected; expected an expression *)
(*! 4:17: error: the end of the file is unexpected; expected a pattern *)

(*** type without a type, and declarations in brackets ***)
val x = a : val y = b : 3
val x = (val y = 1) val z = 3
val x = (let val y = ) in y end, 2) val z = ]
(*! 1:13: error: 'val' is unexpected; expected a type *)
(*! 1:25: error: '3' is unexpected; expected a type *)
(*! 2:10: error: 'val' is unexpected; expected an expression *)
(*! 3:22: error: ')' is unexpected; expected an expression *)
(*! 3:45: error: ']' is unexpected; expected an expression *)

(*** operators without operands (not Poly/ML) ***)
val x = map + xs val y = + val z = (+)
val x = - 3
(*! 1:26: error: '+' is an infix operator, and an operand is missing before it; write 'op +' for the function itself *)
(*! 1:37: error: '+' is an infix operator, and an operand is missing before it; write 'op +' for the function itself *)
(*! 2:9: error: '-' is an infix operator, and an operand is missing before it; write '~3' *)

(*** signs of numbers ***)
val a = -1
val b = [- 1.5, +2, -x, -(3), 2 * -3, -0w1]
val c = case a of -1 => 0 | - x => 1 | _ => a - 1
fun f -1 = 0
(*! 1:9: error: '-' is an infix operator, and an operand is missing before it; write '~1' *)
(*! 2:10: error: '-' is an infix operator, and an operand is missing before it; write '~1.5' *)
(*! 2:17: error: '+' is an infix operator, and an operand is missing before it; write '2' *)
(*! 2:21: error: '-' is an infix operator, and an operand is missing before it; write '~', which negates *)
(*! 2:25: error: '-' is an infix operator, and an operand is missing before it; write '~', which negates *)
(*! 2:35: error: '-' is an infix operator, and an operand is missing before it; write '~3' *)
(*! 2:39: error: '-' is an infix operator, and an operand is missing before it; write '~0w1' *)
(*! 3:19: error: '-' is an infix operator, and a pattern is missing before it; write '~1' *)
(*! 3:29: error: '-' is an infix operator, and a pattern is missing before it; write '~', which negates *)
