(*** patterns ***)
fun f 1.0 = 2
val SOME x y = z
val 3 x = y val (SOME) x = y val [a] b = c
val a :: b as c = d val (x) as y = z val A.b as c = d val SOME x : t as y = z
val {a, ..., b} = c
val {1, 2} = x
val {a, b, a} = x
val + = 3 val (a +) = b
val op = = 3 val = = 4
val = 3 val (a, ) = 4 fun f (x, = 3
infix 5 ++ val a ++ b :: c = d
fun f (x] = 1 val [a, b) = c val ok = 1
(*! 1:7: error: the real number '1.0' stands in a pattern; compare with Real.== instead *)
(*! 2:12: error: 'y' is unexpected; a constructor has one argument, so put several values in parentheses with commas *)
(*! 3:5: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 3:17: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 3:34: error: this pattern cannot have an argument; only a constructor's name can *)
(*! 4:5: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 4:12: note: this is the 'as' *)
(*! 4:26: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 4:29: note: this is the 'as' *)
(*! 4:42: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 4:46: note: this is the 'as' *)
(*! 4:59: error: a pattern stands before 'as', where only a name may; exchange the two sides, or put 'name as …' in parentheses *)
(*! 4:70: note: this is the 'as' *)
(*! 5:12: error: ',' is unexpected; expected '}' after '...' *)
(*! 5:5: note: '{' is not closed *)
(*! 6:7: error: ',' is unexpected; expected '=' and a pattern after a label that is a number *)
(*! 7:12: error: the label 'a' occurs twice; rename one of them *)
(*! 7:6: note: it is here first *)
(*! 8:5: error: '+' is an infix operator, and a pattern is missing before it; write it between two patterns, or 'op +' for the name itself *)
(*! 8:19: error: ')' is unexpected; expected a pattern *)
(*! 9:8: error: '=' is unexpected; expected a name other than '=', which cannot be defined again *)
(*! 9:18: error: '=' is unexpected; expected a pattern *)
(*! 10:5: error: '=' is unexpected; expected a pattern *)
(*! 10:17: error: ')' is unexpected; expected a pattern *)
(*! 10:33: error: '=' is unexpected; expected a pattern *)
(*! 11:23: error: '::' and '++' have the same precedence, but group to different sides; add parentheses *)
(*! 12:9: error: ']' is unexpected; expected ',' or ')' after a pattern *)
(*! 12:7: note: '(' is not closed *)
(*! 12:24: error: ')' is unexpected; expected ',' or ']' after a pattern *)
(*! 12:19: note: '[' is not closed *)

(*** expression in a pattern ***)
val if = 3 val (fn x) = 4
(*! 1:5: error: 'if' is unexpected; expected a pattern *)
(*! 1:17: error: 'fn' is unexpected; expected a pattern *)
